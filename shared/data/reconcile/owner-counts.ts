import * as z from 'zod';
import { isFinalDeploymentStatus } from '../../domain/deployments/deployment-states.ts';
import { changeEverywhere } from '../strategies/listings.ts';
import { listOwnedStrategies } from '../strategies/owned-strategies.ts';
import { findStrategies, type Strategy } from '../strategies/strategies.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { type Facts, inBatches, MAX_TOGETHER, readDeployments, stateOf } from './owned-deployments.ts';
import { repaired } from './repaired.ts';
import type { Tally } from './tally.ts';

const counted = z.object({ deploy_used: z.number(), strategies_count: z.number().default(0) });

/** Reads a user's counts, then the counted items. In this order a simultaneous change shows as a difference. */
const readOwner = async (store: Store, userId: string) => {
  const [item] = await store.getMany([keys.user(userId)], { consistent: true });
  if (!item) return undefined;
  const owned = await listOwnedStrategies(store, userId);
  const deployments = await readDeployments(store, userId);
  const strategies = await inBatches(owned, (batch) =>
    findStrategies(
      store,
      batch.map(({ strategy_id }) => strategy_id),
    ),
  );
  return {
    counts: parseItem(counted, item),
    owned: owned.length,
    deployments,
    strategies: strategies.filter((strategy) => strategy !== undefined),
  };
};

type Owner = NonNullable<Awaited<ReturnType<typeof readOwner>>>;

const activeOf = (deployments: readonly Facts[]): number =>
  deployments.filter(({ status }) => !isFinalDeploymentStatus(status)).length;

interface Wrong {
  readonly kind: 'deploy_used' | 'strategies_count' | 'deployment_count';
  readonly what: string;
  readonly writes: readonly Write[];
}

const userCount = (
  userId: string,
  name: 'deploy_used' | 'strategies_count',
  was: number,
  is: number,
): Wrong => ({
  kind: name,
  what: `${name} of ${keys.user(userId).pk} was ${was}, is ${is}`,
  writes: [
    {
      key: keys.user(userId),
      update: 'SET #count = :is',
      // A deployment or strategy in between changes the count and the truth by the same amount.
      condition: was === 0 ? '#count = :was OR attribute_not_exists(#count)' : '#count = :was',
      names: { '#count': name },
      values: { ':is': is, ':was': was },
    },
  ],
});

const strategyCount = (strategy: Strategy, is: number): Wrong => {
  const step = { update: 'SET deployment_count = :is', values: { ':is': is } };
  return {
    kind: 'deployment_count',
    what: `strategy ${strategy.strategy_id} was ${strategy.deployment_count}, is ${is}`,
    writes: changeEverywhere(strategy, step, {
      ...step,
      condition: 'deployment_count = :was',
      values: { ...step.values, ':was': strategy.deployment_count },
    }),
  };
};

const wrongIn = (userId: string, { counts, owned, deployments, strategies }: Owner): Wrong[] => {
  const wrong: Wrong[] = [];
  if (counts.strategies_count !== owned) {
    wrong.push(userCount(userId, 'strategies_count', counts.strategies_count, owned));
  }
  if (!deployments) return wrong;
  const active = activeOf(deployments);
  if (counts.deploy_used !== active) wrong.push(userCount(userId, 'deploy_used', counts.deploy_used, active));
  const byStrategy = Map.groupBy(deployments, ({ strategy_id }) => strategy_id);
  for (const strategy of strategies) {
    const is = byStrategy.get(strategy.strategy_id)?.length ?? 0;
    if (strategy.deployment_count !== is) wrong.push(strategyCount(strategy, is));
  }
  return wrong;
};

/** Returns the corrections of one transaction: at most one of the user's own counts, since they share an item. */
const together = (wrong: readonly Wrong[]): Wrong[] =>
  wrong.filter(({ kind }, index) => index === 0 || kind === 'deployment_count').slice(0, MAX_TOGETHER);

/** Checks and corrects the counts of strategies and deployments. @returns whether the user ever deployed anything. */
export const reconcileCounts = async (store: Store, userId: string, tally: Tally): Promise<boolean> => {
  let whole = true;
  let deployed = false;
  const measure = async () => {
    const owner = await readOwner(store, userId);
    if (!owner) return undefined;
    whole = owner.deployments !== undefined;
    deployed = owner.deployments?.length !== 0;
    const wrong = wrongIn(userId, owner);
    const state = `${owner.owned} ${stateOf(owner.deployments ?? [])}`;
    return wrong.length > 0 ? { state, batch: together(wrong), all: wrong.length } : undefined;
  };
  for (let left = 1; left > 0; ) {
    let batch: readonly Wrong[] = [];
    const outcome = await repaired({
      store,
      measure,
      same: (one, other) =>
        one.state === other.state &&
        one.batch.map(({ what }) => what).join() === other.batch.map(({ what }) => what).join(),
      writes: (_, last) => {
        batch = last.batch;
        left = last.all - batch.length;
        return batch.flatMap(({ writes }) => writes);
      },
    });
    if (outcome === 'right') break;
    if (outcome === 'busy') {
      tally.add('user', 'busy');
      break;
    }
    for (const { kind, what } of batch) tally.add(kind, outcome, what);
  }
  if (!whole) tally.add('user', 'too_large', keys.user(userId).pk);
  return deployed;
};
