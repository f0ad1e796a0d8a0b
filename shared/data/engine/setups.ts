import * as z from 'zod';
import { type BacktestSetup, backtestSetupSchema } from '../../domain/engine/backtest/setup.ts';
import { storedRules } from '../../domain/engine/backtest/stored-rules.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Write } from '../table/writes.ts';
import { programIdsOf } from './program-ids.ts';

const setupItem = z.object({
  setup: packed(backtestSetupSchema),
  /** Program of each leg, in the order of the legs. */
  program_ids: z.array(z.string()),
});

/** All that decides what the hub's engine does for a deployment. A backtest of the setup gives the same trades. */
export type DeploymentSetup = z.output<typeof setupItem>;

/** Parses the setup of a deployment; undefined if there is no item. */
export const asDeploymentSetup = (item: Item | undefined): DeploymentSetup | undefined =>
  item && parseItem(setupItem, item);

/** Returns the write of the setup of a new deployment that the hub runs. It never changes. */
export const deploymentSetupWrite = (deploymentId: number, setup: BacktestSetup): Write => ({
  put: {
    ...keys.deploymentSetup(deploymentId),
    entity: 'deployment_setup',
    setup: pack(setup),
    program_ids: programIdsOf(setup, storedRules(setup)),
  },
});
