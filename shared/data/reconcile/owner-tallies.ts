import * as z from 'zod';
import { settleTally, talliesOf } from '../strategies/counts.ts';
import { asStrategy, findStrategies } from '../strategies/strategies.ts';
import { asTally, type Tallied, tallyKey, tallyWrite } from '../strategies/strategy-tallies.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import { type Facts, inBatches } from './owned-deployments.ts';
import type { Tally } from './tally.ts';

const provable = z.object({ email_verified: z.boolean() });

/** Adds missing items of deployed copies at their sources. */
const enterDeployers = async (
  store: Store,
  userId: string,
  deployments: readonly Pick<Facts, 'strategy_id'>[],
): Promise<void> => {
  const ids = [...new Set(deployments.map(({ strategy_id }) => strategy_id))];
  const strategies = await inBatches(ids, (batch) => findStrategies(store, batch));
  const sources = new Set(strategies.flatMap((strategy) => strategy?.parent_strategy_id ?? []));
  for (const strategyId of sources) {
    const deployer: Tallied = { kind: 'deployment', strategyId, userId };
    const [source, entered] = await store.getMany([keys.strategy(strategyId), tallyKey(deployer)], {
      consistent: true,
    });
    if (!entered && source && asStrategy(source)?.user_id !== userId) {
      await store.transact([tallyWrite(deployer, undefined, false)]);
    }
  }
};

/** Lets the likes, copies and deployments of a user count, or not, as the proof of the account says. */
export const reconcileTallies = async (
  store: Store,
  userId: string,
  deployments: readonly Pick<Facts, 'strategy_id'>[],
  tally: Tally,
): Promise<void> => {
  const [user] = await store.getMany([keys.user(userId)], { consistent: true });
  if (!user) return;
  await enterDeployers(store, userId, deployments);
  const isProven = parseItem(provable, user).email_verified;
  const all = await talliesOf(store, userId);
  const items = await inBatches(all, (batch) => store.getMany(batch.map(tallyKey), { consistent: true }));
  for (const [index, tallied] of all.entries()) {
    const found = asTally(items[index]);
    if (!found || (found.counted === true) === isProven) continue;
    if (await settleTally(store, tallied, isProven ? 'proven' : 'unproven')) {
      tally.add('tallies', 'repaired', `${tallied.kind} of strategy ${tallied.strategyId}`);
    }
  }
};
