import { type Deployment, hasRealOrders, isHubRun } from '../../data/deployments/deployments.ts';
import type { RecordedHold } from '../../data/engine/inputs.ts';
import { marketClockIn } from '../../data/engine/market-clock.ts';
import { type Items, itemWith } from '../../data/table/items.ts';
import { keys } from '../../data/table/keys.ts';
import type { Effect } from '../effect.ts';
import type { Command } from './command.ts';
import { holdWrites } from './hub-holds.ts';

/** Returns the mark of a pause or a halt on a deployment. */
export const held = (
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
    clockWrites: (heads) => holdWrites({ deployment_id, setup, number, ...hold }, heads),
  };
};
