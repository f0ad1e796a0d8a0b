import * as z from 'zod';
import { isFinalDeploymentStatus } from '../../domain/deployment-states.ts';
import {
  type Deployment,
  type DeploymentKind,
  deploymentEntrySchema,
  deploymentList,
  findDeployments,
} from '../deployments.ts';
import { keys } from '../keys.ts';
import { changeEverywhere } from '../listings.ts';
import { marksIn, notificationList, unreadCount } from '../notifications.ts';
import { entryKey, headKey } from '../numbered-list.ts';
import { type Store, TransactionRefused, type Write } from '../store.ts';
import { findStrategies, listOwnedStrategies, type Strategy } from '../strategies.ts';
import { asMarks, listFavourites } from '../strategy-marks.ts';
import { likerKey, likerWrite } from '../strategy-tallies.ts';
import { repaired } from './repaired.ts';
import type { Tally } from './tally.ts';

/** Whoever has more is left out: one user must not use up a run. */
const MAX_DEPLOYMENTS = 5000;
const MAX_UNREAD = 20_000;
const BATCH = 100;
/** Corrections in one transaction: of three members each at most. */
const MAX_TOGETHER = 25;

const KINDS = { notification: true, scanner: true, live: true } as const satisfies Readonly<
  Record<DeploymentKind, true>
>;
const isKind = (name: string): name is DeploymentKind => name in KINDS;
const DEPLOYMENT_KINDS = Object.keys(KINDS).filter(isKind);

const counted = z.object({ deploy_used: z.number(), strategies_count: z.number().default(0) });

const inBatches = async <T, R>(
  items: readonly T[],
  read: (batch: readonly T[]) => Promise<R[]>,
): Promise<R[]> => {
  const found: R[] = [];
  for (let start = 0; start < items.length; start += BATCH) {
    found.push(...(await read(items.slice(start, start + BATCH))));
  }
  return found;
};

type Facts = Pick<Deployment, 'deployment_id' | 'kind' | 'strategy_id' | 'status' | 'unread' | 'version'>;

/** What is counted of a deployment: not its ledger, which may be large. */
const factsOf = ({ deployment_id, kind, strategy_id, status, unread, version }: Deployment): Facts => ({
  deployment_id,
  kind,
  strategy_id,
  status,
  unread,
  version,
});

/** Every deployment that a user ever made, or undefined where there are too many to read. */
const readDeployments = async (store: Store, userId: string): Promise<Facts[] | undefined> => {
  const lists = await Promise.all(
    DEPLOYMENT_KINDS.map((kind) =>
      store.query(
        {
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
          ExpressionAttributeValues: {
            ':pk': deploymentList(kind, userId).pk,
            ':low': entryKey(deploymentList(kind, userId), 0).sk,
            ':high': entryKey(deploymentList(kind, userId), 10 ** 12 - 1).sk,
          },
          Limit: MAX_DEPLOYMENTS + 1,
          ConsistentRead: true,
        },
        deploymentEntrySchema,
      ),
    ),
  );
  const ids = lists.flat().map(({ deployment_id }) => deployment_id);
  if (ids.length > MAX_DEPLOYMENTS) return undefined;
  return inBatches(ids, async (batch) => (await findDeployments(store, batch)).map(factsOf));
};

/** A user's counts and what they count, read in an order in which a change in between shows. */
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
    counts: counted.parse(item),
    owned: owned.length,
    deployments,
    strategies: strategies.filter((strategy) => strategy !== undefined),
  };
};

type Owner = NonNullable<Awaited<ReturnType<typeof readOwner>>>;

/** Versions only ever grow and deployments are only ever added: where these are the same, nothing changed. */
const stateOf = (deployments: readonly Facts[]): string =>
  deployments.map(({ deployment_id, version }) => `${deployment_id} ${version}`).join();

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
      // A deployment or strategy that comes in between moves the count by as much as the truth.
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

/** What one transaction corrects: of the user's own counts one, since they share an item. */
const together = (wrong: readonly Wrong[]): Wrong[] =>
  wrong.filter(({ kind }, index) => index === 0 || kind === 'deployment_count').slice(0, MAX_TOGETHER);

/** Answers with whether the user ever deployed anything. */
const reconcileCounts = async (store: Store, userId: string, tally: Tally): Promise<boolean> => {
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

/** How many notifications of each deployment came since the user last read them. */
const readUnread = async (store: Store, userId: string) => {
  const list = notificationList(userId);
  const [head] = await store.getMany([headKey(list)], { consistent: true });
  const marks = marksIn(head);
  const from = marks.marks.at(-1)?.below ?? 0;
  const unread = await store.query(
    {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
      ExpressionAttributeValues: {
        ':pk': list.pk,
        ':low': entryKey(list, from).sk,
        ':high': entryKey(list, 10 ** 12 - 1).sk,
      },
      ProjectionExpression: 'deployment_id',
      Limit: MAX_UNREAD + 1,
      ConsistentRead: true,
    },
    z.object({ deployment_id: z.number().optional() }),
  );
  const byDeployment = Map.groupBy(unread, ({ deployment_id }) => deployment_id);
  return { marks, tooMany: unread.length > MAX_UNREAD, byDeployment };
};

const measureUnread = async (store: Store, userId: string) => {
  // A notification changes the version of its deployment, which is read first and guards what is written.
  // Those of live deployments come later than what they tell of, and are not counted by deployment.
  const read = (await readDeployments(store, userId)) ?? [];
  const deployments = read.filter(({ kind }) => kind !== 'live');
  if (deployments.length === 0) return undefined;
  const { marks, tooMany, byDeployment } = await readUnread(store, userId);
  if (tooMany) return undefined;
  const wrong = deployments.flatMap((deployment) => {
    const was = unreadCount(deployment.unread, marks);
    const is = byDeployment.get(deployment.deployment_id)?.length ?? 0;
    return was === is ? [] : [{ deployment, was, is }];
  });
  return wrong.length > 0 ? { marks, batch: wrong.slice(0, MAX_TOGETHER), all: wrong.length } : undefined;
};

type Unread = NonNullable<Awaited<ReturnType<typeof measureUnread>>>;

const wordsOf = ({ batch }: Pick<Unread, 'batch'>): string[] =>
  batch.map(({ deployment, was, is }) => `deployment ${deployment.deployment_id} was ${was}, is ${is}`);

const reconcileUnread = async (store: Store, userId: string, tally: Tally): Promise<void> => {
  for (let left = 1; left > 0; ) {
    let words: string[] = [];
    const outcome = await repaired({
      store,
      measure: () => measureUnread(store, userId),
      same: (one, other) =>
        wordsOf(one).join() === wordsOf(other).join() &&
        stateOf(one.batch.map(({ deployment }) => deployment)) ===
          stateOf(other.batch.map(({ deployment }) => deployment)),
      writes: (_, last) => {
        words = wordsOf(last);
        left = last.all - last.batch.length;
        return last.batch.map(({ deployment, is }) => ({
          key: keys.deployment(deployment.deployment_id),
          update: 'SET unread = :unread, version = version + :one',
          condition: 'version = :version',
          values: {
            ':unread': { mark: last.marks.mark_number, count: is },
            ':one': 1,
            ':version': deployment.version,
          },
        }));
      },
    });
    if (outcome === 'right') return;
    if (outcome === 'busy') return tally.add('unread_count', 'busy');
    for (const what of words) tally.add('unread_count', outcome, what);
  }
};

const readLiked = async (store: Store, userId: string) => {
  const favourites = (await listFavourites(store, userId)).map(({ strategy_id }) => strategy_id);
  const [item] = await store.getMany([keys.strategyMarks(userId)], { consistent: true });
  return { favourites: new Set(favourites), liked: asMarks(item).liked };
};

type Liked = Awaited<ReturnType<typeof readLiked>>;

const wrongMarks = ({ favourites, liked }: Liked) => {
  const missing = [...favourites.difference(liked)];
  const extra = [...liked.difference(favourites)];
  return missing.length + extra.length > 0 ? { missing, extra } : undefined;
};

/** Brings the marks to the favourites, on the condition of each favourite that it is, or is not, there. */
const reconcileLiked = async (store: Store, userId: string, tally: Tally): Promise<void> => {
  for (let left = 1; left > 0; ) {
    let ids: number[] = [];
    const outcome = await repaired({
      store,
      measure: async () => wrongMarks(await readLiked(store, userId)),
      same: (one, other) => JSON.stringify(one) === JSON.stringify(other),
      writes: (_, { missing, extra }): Write[] => {
        const liked = extra.length === 0;
        ids = (liked ? missing : extra).slice(0, MAX_TOGETHER);
        left = missing.length + extra.length - ids.length;
        const condition = liked ? 'attribute_exists(pk)' : 'attribute_not_exists(pk)';
        return [
          ...ids.map((id): Write => ({ check: keys.favourite(userId, id), if: { condition } })),
          {
            key: keys.strategyMarks(userId),
            update: `SET entity = :entity ${liked ? 'ADD' : 'DELETE'} liked :ids`,
            values: { ':entity': 'strategy_marks', ':ids': new Set(ids) },
          },
        ];
      },
    });
    if (outcome === 'right') return;
    if (outcome === 'busy') return tally.add('favourite_marks', 'busy');
    for (const id of ids) tally.add('favourite_marks', outcome, `strategy ${id} of ${keys.user(userId).pk}`);
  }
};

/** Sees to it that a user is entered among those who like what they like. */
const enterLikes = async (store: Store, userId: string, favourites: readonly number[]): Promise<void> => {
  const entered = await inBatches(favourites, (batch) =>
    store.getMany(
      batch.map((strategyId) => likerKey(strategyId, userId)),
      { consistent: true },
    ),
  );
  for (const [index, strategyId] of favourites.entries()) {
    if (entered[index]) continue;
    const check = keys.favourite(userId, strategyId);
    await store
      .transact([{ check, if: { condition: 'attribute_exists(pk)' } }, likerWrite(strategyId, userId, true)])
      .catch((error: unknown) => {
        // Taken back meanwhile.
        if (!(error instanceof TransactionRefused)) throw error;
      });
  }
};

/**
 * Compares what is counted for a user with what there is: strategies, active deployments, deployments of
 * each strategy, unread notifications of each deployment, and the marks of what the user likes.
 */
export const reconcileOwner = async (store: Store, userId: string, tally: Tally): Promise<void> => {
  tally.add('user', 'checked');
  if (await reconcileCounts(store, userId, tally)) await reconcileUnread(store, userId, tally);
  const marks = await readLiked(store, userId);
  if (wrongMarks(marks)) await reconcileLiked(store, userId, tally);
  await enterLikes(store, userId, [...marks.favourites]);
};
