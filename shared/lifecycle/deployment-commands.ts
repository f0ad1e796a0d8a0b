import type { Deployment } from '../data/deployments/deployments.ts';
import type { Items } from '../data/table/items.ts';
import type { Key } from '../data/table/writes.ts';
import type { Runtime } from '../runtime.ts';
import { type Command, type Commanded, commandKeys, type Known } from './commands/command.ts';
import { halt, pause, resume } from './commands/hold.ts';
import { stop } from './commands/stop.ts';
import { changeDeployment } from './deployment-change.ts';
import type { Effect } from './effect.ts';

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

/** Terms of a command in addition to the rules of all commands. */
interface CommandTerms {
  /** Throws if the command is not allowed. Its error ends the command. */
  readonly check?: (before: Deployment | undefined, items: Items) => void;
  /** Keys of further items that `check` and `amend` need. */
  readonly extraReads?: readonly Key[];
  /** Changes the effect; returns undefined to leave the deployment as it is. */
  readonly amend?: (
    effect: Effect,
    before: Deployment,
    items: Items,
  ) => Effect | undefined | Promise<Effect | undefined>;
}

/**
 * Commands a deployment: one transaction changes it, tells its engine and its owner, and records it in the audit trail.
 *
 * @returns undefined for an unknown deployment.
 * @throws ChangedMeanwhileError
 */
export const commandDeployment = async (
  runtime: Runtime,
  deploymentId: number,
  command: Command,
  { check, extraReads = [], amend = (effect) => effect }: CommandTerms = {},
): Promise<CommandResult | undefined> => {
  let found: Deployment | undefined;
  let outcome: Commanded['outcome'] = 'refused';
  const changed = await changeDeployment(
    runtime,
    deploymentId,
    async (before, now, items) => {
      check?.(before, items);
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
