import type { Items } from '../../data/table/items.ts';
import { keys } from '../../data/table/keys.ts';
import type { Key } from '../../data/table/writes.ts';
import type { Actor, StopReason } from '../../domain/deployments/deployment-states.ts';
import type { Effect } from '../effect.ts';

/**
 * Command to a deployment.
 *
 * - `pause`: no entries; stops, targets and exits go on.
 * - `halt`: nothing is ordered. With `flatten`, orders are cancelled and positions closed first.
 * - `resume`: lifts a pause or a halt.
 * - `stop`: ends the deployment. Orders are cancelled; with `flatten`, positions are closed.
 */
export interface Command {
  readonly action: 'pause' | 'resume' | 'halt' | 'stop';
  readonly by: Actor;
  /** Text for the owner, the audit trail and the engine. */
  readonly reason: string;
  readonly flatten?: boolean;
  /** Reason of the end or the halt. Follows from `by` if absent. */
  readonly stop_reason?: StopReason;
}

/** Result of a command: its effect, or why it has none. */
export type Commanded =
  | { readonly outcome: 'done'; readonly effect: Effect }
  /** The deployment is in this state already. */
  | { readonly outcome: 'unchanged' }
  /** The transition table forbids it. */
  | { readonly outcome: 'refused' };

export const UNCHANGED: Commanded = { outcome: 'unchanged' };
export const REFUSED: Commanded = { outcome: 'refused' };

export const done = (effect: Effect): Commanded => ({ outcome: 'done', effect });

/** Moment of a command, and what was read with the deployment. */
export interface Known {
  readonly now: Date;
  /** Items read at {@link commandKeys}. */
  readonly items: Items;
}

const STOP_REASON_OF: Readonly<Record<Actor, StopReason>> = {
  user: 'user',
  broker: 'kill_switch',
  operator: 'kill_switch',
  risk_limit: 'risk_limit',
  kill_switch: 'kill_switch',
  engine: 'broker_disconnected',
};

/** Returns the reason of the end or the halt by a command. */
export const stopReasonOf = ({ by, stop_reason }: Command): StopReason => stop_reason ?? STOP_REASON_OF[by];

/** Returns the keys to read with a deployment before a command is decided. */
export const commandKeys = (deploymentId: number): Key[] => [keys.deploymentSetup(deploymentId)];
