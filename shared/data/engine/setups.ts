import * as z from 'zod';
import { type BacktestSetup, backtestSetupSchema } from '../../domain/engine/backtest/setup.ts';
import { storedRules } from '../../domain/engine/backtest/stored-rules.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { programIdsOf } from './program-ids.ts';

const startSchema = z.object({
  /** Start of the program's first bar, with which its indicators begin. */
  from: z.number(),
  /** Start of the bar after which the account began. */
  joined_at: z.number(),
});

/** Place of a leg of a deployment in the bars of its program. */
export type LegStart = z.output<typeof startSchema>;

const setupItem = z.object({
  setup: packed(backtestSetupSchema),
  /** Program of each leg, in the order of the legs. */
  program_ids: z.array(z.string()),
  /** Set when the deployment starts, in the order of the legs; a backtest from there on gives the same trades. */
  starts: z.array(startSchema).optional(),
});

/** All that decides what the hub's engine does for a deployment. A backtest of the setup gives the same trades. */
export type DeploymentSetup = z.output<typeof setupItem>;

/** Parses the setup of a deployment; undefined if there is no item. */
export const asDeploymentSetup = (item: Item | undefined): DeploymentSetup | undefined =>
  item && parseItem(setupItem, item);

/** Returns the write of the setup of a new deployment that the hub runs. */
export const deploymentSetupWrite = (deploymentId: number, setup: BacktestSetup): Write => ({
  put: {
    ...keys.deploymentSetup(deploymentId),
    entity: 'deployment_setup',
    setup: pack(setup),
    program_ids: programIdsOf(setup, storedRules(setup)),
  },
});

/** Stores where the legs of a deployment began, if it is not stored yet. */
export const storeStarts = async (
  store: Store,
  deploymentId: number,
  starts: readonly LegStart[],
): Promise<void> => {
  await store.update(
    keys.deploymentSetup(deploymentId),
    {
      update: 'SET starts = if_not_exists(starts, :starts)',
      condition: 'attribute_exists(pk)',
      values: { ':starts': starts },
    },
    z.record(z.string(), z.unknown()),
  );
};
