import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { unknownDeployment } from '../../../shared/api/refusals.ts';
import type { Deployment } from '../../../shared/data/deployments/deployments.ts';
import type { Items } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { readableText, tidy } from '../../../shared/domain/text.ts';
import type { Command } from '../../../shared/lifecycle/commands/command.ts';
import { commandDeployment } from '../../../shared/lifecycle/deployment-commands.ts';
import type { Effect } from '../../../shared/lifecycle/effect.ts';
import { requireScopeOf } from '../accounts/own-real.ts';
import { byKey } from './by-key.ts';

const MAX_REASON = 300;

/** Declares the reason of a command, for the audit trail. */
export const commandReason = () => readableText({ max: MAX_REASON });

/** Returns the reason of a command as it is stored. */
export const reasonOf = (given: string | undefined): string =>
  given === undefined ? 'No reason given.' : tidy(given);

const PAST: Readonly<Record<Command['action'], string>> = {
  pause: 'paused',
  resume: 'resumed',
  halt: 'halted',
  stop: 'stopped',
};

/** Returns why a deployment does not take a command. */
const refusal = ({ status, stopping }: Deployment, action: Command['action']): HubError => {
  const state =
    stopping && status === 'halted'
      ? 'The deployment is being stopped'
      : status === 'requested'
        ? 'The deployment has not started yet'
        : status === 'error'
          ? 'The deployment has failed'
          : `The deployment is ${status}`;
  return new HubError('state_conflict', `${state} and cannot be ${PAST[action]}.`);
};

/** Requirements of a command in addition to the owner. */
interface Requirement {
  /** Throws if the command is not allowed. */
  readonly check?: (before: Deployment, items: Items) => void;
  /** Keys of items that `check` needs. */
  readonly extraReads?: readonly Key[];
  /** Changes the effect. Its error ends the command. */
  readonly amend?: (effect: Effect, before: Deployment, items: Items) => Promise<Effect>;
}

/**
 * Commands a deployment for its owner. A repeat changes nothing.
 *
 * @throws HubError deployment_unknown, state_conflict
 */
export const commandOwn = async (
  call: Call,
  userId: string,
  deploymentId: number,
  command: Command,
  { check, extraReads = [], amend }: Requirement = {},
): Promise<Deployment> => {
  const result = await commandDeployment(call, deploymentId, command, {
    check: (before, items) => {
      if (before?.user_id !== userId) throw unknownDeployment();
      requireScopeOf(call, before);
      check?.(before, items);
    },
    // A resumed deployment takes over the limits of its user.
    extraReads: [...extraReads, ...(command.action === 'resume' ? [keys.user(userId)] : [])],
    amend: async (effect, before, items) => byKey(call, amend ? await amend(effect, before, items) : effect),
  });
  if (!result) throw unknownDeployment();
  if (result.outcome === 'refused') throw refusal(result.deployment, command.action);
  return result.deployment;
};
