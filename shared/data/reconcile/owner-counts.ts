import * as z from 'zod';
import { isFinalDeploymentStatus } from '../../domain/deployments/deployment-states.ts';
import { listOwnedStrategies } from '../strategies/owned-strategies.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { type Facts, readDeployments, stateOf } from './owned-deployments.ts';
import { repaired } from './repaired.ts';
import type { Tally } from './tally.ts';

const counted = z.object({ deploy_used: z.number(), strategies_count: z.number().default(0) });

/** Reads a user's counts, then the counted items. In this order a simultaneous change shows as a difference. */
const readOwner = async (store: Store, userId: string) => {
  const [item] = await store.getMany([keys.user(userId)], { consistent: true });
  if (!item) return undefined;
  const owned = await listOwnedStrategies(store, userId);
  const deployments = await readDeployments(store, userId);
  return {
    counts: parseItem(counted, item),
    owned: owned.length,
    deployments,
  };
};

type Owner = NonNullable<Awaited<ReturnType<typeof readOwner>>>;

const activeOf = (deployments: readonly Facts[]): number =>
  deployments.filter(({ status }) => !isFinalDeploymentStatus(status)).length;

interface Wrong {
  readonly kind: 'deploy_used' | 'strategies_count';
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

const wrongIn = (userId: string, { counts, owned, deployments }: Owner): Wrong[] => {
  const wrong: Wrong[] = [];
  if (counts.strategies_count !== owned) {
    wrong.push(userCount(userId, 'strategies_count', counts.strategies_count, owned));
  }
  if (!deployments) return wrong;
  const active = activeOf(deployments);
  if (counts.deploy_used !== active) wrong.push(userCount(userId, 'deploy_used', counts.deploy_used, active));
  return wrong;
};

/**
 * Checks and corrects the counts of strategies and deployments, one after the other, since they share an item.
 *
 * @returns the deployments that the user ever made; undefined for an unknown user, and if there are too many.
 */
export const reconcileCounts = async (
  store: Store,
  userId: string,
  tally: Tally,
): Promise<readonly Facts[] | undefined> => {
  let owner: Owner | undefined;
  const measure = async () => {
    owner = await readOwner(store, userId);
    if (!owner) return undefined;
    const [wrong, ...others] = wrongIn(userId, owner);
    const state = `${owner.owned} ${stateOf(owner.deployments ?? [])}`;
    return wrong && { state, wrong, left: others.length };
  };
  for (let left = 1; left > 0; ) {
    let found: Wrong | undefined;
    const outcome = await repaired({
      store,
      measure,
      same: (one, other) => one.state === other.state && one.wrong.what === other.wrong.what,
      writes: (_, last) => {
        ({ left, wrong: found } = last);
        return found.writes;
      },
    });
    if (outcome === 'right') break;
    if (outcome === 'busy') {
      tally.add('user', 'busy');
      break;
    }
    if (found) tally.add(found.kind, outcome, found.what);
  }
  if (owner && !owner.deployments) tally.add('user', 'too_large', keys.user(userId).pk);
  return owner?.deployments;
};
