import {
  type Deployment,
  hasRealOrders,
  isHubRun,
  type TradingDeployment,
} from '../data/deployments/deployments.ts';
import { domainEvent } from '../data/deployments/domain-events.ts';
import { ENGINE_ACCOUNTS_DUE, ENGINE_COMMANDED, engineEvent } from '../data/engine/events.ts';
import type { RecordedHold } from '../data/engine/inputs.ts';
import { marketClockIn } from '../data/engine/market-clock.ts';
import type { Message } from '../data/outbox/outbox.ts';
import { type Items, itemWith } from '../data/table/items.ts';
import { keys } from '../data/table/keys.ts';
import type { Key } from '../data/table/writes.ts';
import { asUser } from '../data/users/users.ts';
import type { Actor } from '../domain/deployments/actors.ts';
import {
  canMove,
  isFinalDeploymentStatus,
  moveDeployment,
  type StopReason,
} from '../domain/deployments/deployment-states.ts';
import type { Runtime } from '../runtime.ts';
import {
  haltedText,
  pausedText,
  resumedText,
  stoppedText,
  stopRequestedText,
} from './command-notifications.ts';
import { changeDeployment, type Effect } from './deployment-change.ts';
import { endedDeployment, endMessage } from './deployment-end.ts';
import { rearmed } from './deployment-limits.ts';

/** Time in which an engine confirms a stop. After it the deployment ends without the engine's word. */
const STOP_TIMEOUT_MS = 10 * 60_000;

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
type Commanded =
  | { readonly outcome: 'done'; readonly effect: Effect }
  /** The deployment is in this state already. */
  | { readonly outcome: 'unchanged' }
  /** The transition table forbids it. */
  | { readonly outcome: 'refused' };

const UNCHANGED: Commanded = { outcome: 'unchanged' };
const REFUSED: Commanded = { outcome: 'refused' };

const done = (effect: Effect): Commanded => ({ outcome: 'done', effect });

/** Moment of a command, and what was read with the deployment. */
interface Known {
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

const stopReasonOf = ({ by, stop_reason }: Command): StopReason => stop_reason ?? STOP_REASON_OF[by];

/** Returns the keys to read with a deployment before a command is decided. */
export const commandKeys = (deploymentId: number): Key[] => [keys.deploymentSetup(deploymentId)];

/** Returns the messages that tell the engine of a deployment of a command. */
const engineMessages = (
  detailType: Parameters<typeof domainEvent>[0],
  deployment: Deployment,
  { by, reason }: Command,
  now: Date,
  more: Readonly<Record<string, unknown>> = {},
): Message[] => {
  const { deployment_id, kind } = deployment;
  // Orders at a broker must not wait for the next bar.
  if (hasRealOrders(deployment)) return [engineEvent(ENGINE_ACCOUNTS_DUE, deployment_id)];
  if (!isHubRun(deployment)) return [domainEvent(detailType, deployment, now, { by, reason, ...more })];
  return kind === 'live' ? [engineEvent(ENGINE_COMMANDED, deployment_id)] : [];
};

/**
 * Adds the command to the paper accounts of a deployment that the hub runs: it is recorded with the bars after which it
 * takes effect, and each account follows it exactly there. Accounts with real orders follow the deployment.
 */
export const holding = (
  before: Deployment,
  effect: Effect,
  hold: Pick<RecordedHold, 'type' | 'flatten'>,
  items: Items,
): Effect => {
  const { deployment_id, version: number } = before;
  const setup = itemWith(items, keys.deploymentSetup(deployment_id));
  const clock = marketClockIn(setup);
  if (before.kind !== 'live' || !isHubRun(before) || hasRealOrders(before) || clock.length === 0) {
    return { ...effect, clock };
  }
  return {
    ...effect,
    deployment: { ...effect.deployment, last_hold: number },
    clock,
    clockWrites: async (heads) => {
      // Only these deployments need the code of candles.
      const { holdWrites } = await import('./hub-holds.ts');
      return holdWrites({ deployment_id, setup, number, ...hold }, heads);
    },
  };
};

const held = (
  before: Deployment,
  status: 'paused' | 'halted',
  { by, reason, flatten }: Command,
  now: Date,
): NonNullable<Deployment['held']> => ({
  ...before.held,
  status,
  by,
  reason,
  at: now.toISOString(),
  throw_id: undefined,
  ...(flatten && { flatten }),
});

const pause = (before: Deployment, command: Command, { now, items }: Known): Commanded => {
  if (before.status === 'paused') return UNCHANGED;
  const state = moveDeployment(before, { status: 'paused', status_at: now.getTime(), stop_reason: null });
  if (!state) return REFUSED;
  const deployment: Deployment = { ...before, ...state, held: held(before, 'paused', command, now) };
  const effect: Effect = {
    deployment,
    notifications: [pausedText(before, command)],
    messages: engineMessages('Deployment Paused', deployment, command, now),
    audit: { action: 'deployment_paused', by: command.by, reason: command.reason },
  };
  return done(holding(before, effect, { type: 'pause', flatten: false }, items));
};

const resume = (before: Deployment, command: Command, { now, items }: Known): Commanded => {
  if (before.stopping || isFinalDeploymentStatus(before.status)) return REFUSED;
  if (!before.held && (before.status === 'active' || before.status === 'requested')) return UNCHANGED;
  const status = before.started_at === undefined && before.status === 'halted' ? 'requested' : 'active';
  const isFailed = before.status === 'error';
  const state = isFailed
    ? {}
    : moveDeployment(before, { status, status_at: now.getTime(), stop_reason: null });
  // An engine that failed starts again by itself, and is not held then.
  if (!state || (isFailed && !before.held)) return REFUSED;
  const resumed: Deployment = { ...before, ...state, held: undefined };
  const user = asUser(itemWith(items, keys.user(before.user_id)));
  const deployment =
    resumed.kind === 'live' ? rearmed({ ...resumed, missing: undefined }, user, now) : resumed;
  const effect: Effect = {
    deployment,
    notifications: [resumedText(before, command)],
    messages: engineMessages('Deployment Resumed', deployment, command, now),
    audit: {
      action: 'deployment_resumed',
      by: command.by,
      reason: command.reason,
      details: { from: before.status, ...(before.held && { held_by: before.held.by }) },
    },
  };
  return done(holding(before, effect, { type: 'resume', flatten: false }, items));
};

const halt = (before: Deployment, command: Command, { now, items }: Known): Commanded => {
  const { flatten = false, by, reason } = command;
  const isHalted = before.status === 'halted';
  if (isHalted && (!flatten || before.stopping)) return UNCHANGED;
  if (!isHalted && !canMove(before.status, 'halted')) return REFUSED;
  const deployment: Deployment = {
    ...before,
    status: 'halted',
    status_at: now.getTime(),
    stop_reason: stopReasonOf(command),
    held: held(before, 'halted', command, now),
  };
  const effect: Effect = {
    deployment,
    notifications: [haltedText(before, command)],
    messages: engineMessages('Deployment Halted', deployment, command, now, { flatten }),
    audit: { action: 'deployment_halted', by, reason, details: { flatten } },
  };
  return done(holding(before, effect, { type: 'halt', flatten }, items));
};

/** Returns whether an engine has to confirm the stop of a deployment: orders and positions are not the hub's own. */
const needsConfirmation = (deployment: Deployment): deployment is TradingDeployment =>
  deployment.kind === 'live' &&
  deployment.status !== 'requested' &&
  (!isHubRun(deployment) || deployment.mode === 'live');

const requestStop = (before: TradingDeployment, command: Command, { now, items }: Known): Commanded => {
  const { flatten = false, by, reason } = command;
  if (before.stopping && (before.stopping.flatten || !flatten)) return UNCHANGED;
  if (isFinalDeploymentStatus(before.status)) return REFUSED;
  const stop_reason = stopReasonOf(command);
  const until = new Date(now.getTime() + STOP_TIMEOUT_MS).toISOString();
  const deployment: TradingDeployment = {
    ...before,
    status: 'halted',
    status_at: now.getTime(),
    stop_reason,
    held: held(before, 'halted', command, now),
    stopping: {
      ...before.stopping,
      by,
      reason,
      stop_reason,
      flatten,
      requested_at: now.toISOString(),
      until,
    },
  };
  const effect: Effect = {
    deployment,
    notifications: [stopRequestedText(before, command)],
    messages: engineMessages('Deployment Stop Requested', deployment, command, now, { flatten, until }),
    audit: { action: 'deployment_stop_requested', by, reason, details: { flatten } },
  };
  return done(holding(before, effect, { type: 'stop', flatten }, items));
};

const stop = (before: Deployment, command: Command, known: Known): Commanded => {
  if (before.status === 'stopped') return UNCHANGED;
  if (needsConfirmation(before)) return requestStop(before, command, known);
  const effect = endEffect(before, command, known);
  return effect ? done(effect) : REFUSED;
};

/**
 * Returns the effect of ending a deployment at once, whether its engine answers or not; undefined if it has ended.
 */
export const endEffect = (
  before: Deployment,
  command: Command,
  { now, items }: Known,
): Effect | undefined => {
  const { by, reason, flatten = false } = command;
  const deployment = endedDeployment(before, { status: 'stopped', stop_reason: stopReasonOf(command) }, now);
  if (!deployment) return undefined;
  const effect: Effect = {
    deployment,
    notifications: [stoppedText(before, command)],
    messages: [endMessage('Deployment Undeployed', deployment, now)],
    audit: { action: 'deployment_stopped', by, reason, details: { flatten } },
  };
  return holding(before, effect, { type: 'stop', flatten }, items);
};

/** Decides a command to a deployment. The transition table judges. */
export const decideCommand = (before: Deployment, command: Command, known: Known): Commanded => {
  switch (command.action) {
    case 'pause':
      return pause(before, command, known);
    case 'resume':
      return resume(before, command, known);
    case 'halt':
      return halt(before, command, known);
    case 'stop':
      return stop(before, command, known);
    default:
      return command.action satisfies never;
  }
};

/** Result of commanding a deployment. */
export interface CommandResult {
  readonly outcome: Commanded['outcome'];
  /** The deployment afterwards. */
  readonly deployment: Deployment;
}

/**
 * Commands a deployment: one transaction changes it, tells its engine and its owner, and records it in the audit trail.
 *
 * @param check throws if the command is not allowed. Its error ends the command.
 * @param amend changes the effect; returns undefined to leave the deployment as it is.
 * @returns undefined for an unknown deployment.
 * @throws ChangedMeanwhileError
 */
export const commandDeployment = async (
  runtime: Runtime,
  deploymentId: number,
  command: Command,
  check: (before: Deployment | undefined, items: Items) => void = () => undefined,
  extraReads: readonly Key[] = [],
  amend: (
    effect: Effect,
    before: Deployment,
    items: Items,
  ) => Effect | undefined | Promise<Effect | undefined> = (effect) => effect,
): Promise<CommandResult | undefined> => {
  let found: Deployment | undefined;
  let outcome: Commanded['outcome'] = 'refused';
  const changed = await changeDeployment(
    runtime,
    deploymentId,
    async (before, now, items) => {
      check(before, items);
      found = before;
      if (!before) return undefined;
      const commanded = decideCommand(before, command, { now, items });
      outcome = commanded.outcome;
      return commanded.outcome === 'done' ? amend(commanded.effect, before, items) : undefined;
    },
    [...commandKeys(deploymentId), ...extraReads],
  );
  const deployment = changed ?? found;
  return deployment && { outcome, deployment };
};
