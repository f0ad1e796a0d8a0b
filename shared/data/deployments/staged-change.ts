import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { isContention, retryOnConflict } from '../numbered-list/retry.ts';
import type { Item } from '../table/attributes.ts';
import { type Items, itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import { type Store, TransactionRefusedError } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';
import { asDeployment, type TradingDeployment } from './deployments.ts';

/**
 * A change of a trading deployment that is too large for one transaction. It takes three steps:
 * 1. `stage` stores the next value of each order and trade next to its current value.
 * 2. One transaction changes the deployment and names the stage ({@link stageWrite}). From then on the next values
 *    count, also for readers ({@link readStaged}).
 * 3. {@link endStage} replaces each current value by its next value.
 *
 * After a crash before step 2, no deployment names the stage and its values never count. After a crash before step 3,
 * the next event of the deployment or the message for the owner's lists ends the stage. If another writer refuses
 * step 1 or 2, {@link releasedIfRefused} ends the claim, so that the next attempt does not wait for it.
 *
 * @example
 * if (writes.length > MAX_UNSTAGED) {
 *   const named = { ...after, stage_id: stageId, staging: true };
 *   await releasedIfRefused(store, id, stageId, async () => {
 *     await stage(store, before, stageId, writes);
 *     await store.transact([changedDeploymentWrite(before, named), stageWrite(id, stageId, writes)]);
 *   });
 *   await endStage(store, id);
 * }
 */

/** A write that can be staged: a change or a removal. */
export type Stageable = Extract<Write, { readonly set: unknown } | { readonly delete: unknown }>;

/** The most changes of orders and trades in one transaction; more are staged. */
export const MAX_UNSTAGED = 80;
/** Changes per transaction that stages or ends a stage. */
const CHUNK = 50;
/** Milliseconds after which a claim that did not change belongs to a crashed process. */
const CLAIM_MS = 2000;
const CLAIM_PAUSE_MS = 100;

const stageKey = (deploymentId: number): Key => ({ pk: keys.deployment(deploymentId).pk, sk: 'STAGE' });

const stageSchema = z.object({
  stage_id: z.string(),
  staged: packed(z.object({ keys: z.array(z.object({ pk: z.string(), sk: z.string() })) })),
});

/**
 * Staged value of an item: the attributes to set, and the names of those to remove; without `set` the item is to be
 * removed.
 */
const stagedSchema = z.object({
  next: z.object({
    set: z.record(z.string(), z.unknown()).optional(),
    remove: z.array(z.string()).optional(),
  }),
});

/** Returns the staged attributes, with those to remove as undefined; undefined if the item is to be removed. */
const nextOf = (item: Item): Item | undefined => {
  const { set, remove = [] } = parseItem(stagedSchema, item).next;
  return set && { ...set, ...Object.fromEntries(remove.map((name) => [name, undefined])) };
};

const nextValue = (write: Stageable): Item =>
  'set' in write
    ? { set: write.set, remove: Object.keys(write.set).filter((name) => write.set[name] === undefined) }
    : {};

const keyOf = (write: Stageable): Key => ('delete' in write ? write.delete : write.key);

const stagingOf = (stageId: string, write: Stageable): Write => ({
  key: keyOf(write),
  update: 'SET stage_id = :stage, #next = :next',
  names: { '#next': 'next', ...write.if?.names },
  values: { ':stage': stageId, ':next': nextValue(write), ...write.if?.values },
  ...(write.if && { condition: write.if.condition }),
});

const chunksOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, index) =>
    all.slice(index * CHUNK, (index + 1) * CHUNK),
  );

const stageItem = (deploymentId: number, stageId: string, staged: readonly Key[]) => ({
  ...stageKey(deploymentId),
  entity: 'stage',
  stage_id: stageId,
  staged: pack({ keys: staged }),
});

const isOfStage = (stageId: string) => ({
  condition: 'stage_id = :stage',
  values: { ':stage': stageId },
});

/**
 * Claims the stage of a deployment, so that two changes never stage the same items. Waits for a claim of another
 * process, and takes it over if that process seems to have crashed.
 *
 * @throws TransactionRefusedError if the deployment changed since it was read.
 */
const claimStage = async (
  store: Store,
  { deployment_id: id, version }: Pick<TradingDeployment, 'deployment_id' | 'version'>,
  stageId: string,
): Promise<void> => {
  let holder: string | undefined;
  for (let waited = 0; ; waited += CLAIM_PAUSE_MS) {
    const [item] = await store.getMany([stageKey(id)], { consistent: true });
    const found = item && parseItem(stageSchema, item).stage_id;
    if (found !== holder) waited = 0;
    holder = found;
    if (holder === undefined || waited >= CLAIM_MS) break;
    await sleep(CLAIM_PAUSE_MS);
  }
  await store.transact([
    {
      put: stageItem(id, stageId, []),
      if: holder === undefined ? { condition: 'attribute_not_exists(pk)' } : isOfStage(holder),
    },
    { check: keys.deployment(id), if: { condition: 'version = :version', values: { ':version': version } } },
  ]);
};

/**
 * Stores the next values of the items of a change. They do not count yet.
 *
 * @throws TransactionRefusedError if something that was read has changed, or another process took the stage.
 */
export const stage = async (
  store: Store,
  deployment: Pick<TradingDeployment, 'deployment_id' | 'version'>,
  stageId: string,
  writes: readonly Stageable[],
): Promise<void> => {
  await claimStage(store, deployment, stageId);
  const claim: Write = { check: stageKey(deployment.deployment_id), if: isOfStage(stageId) };
  for (const chunk of chunksOf(writes)) {
    await store.transact([claim, ...chunk.map((write) => stagingOf(stageId, write))]);
  }
};

/** Ends the claim of a stage that no deployment names. No-op if another process took the stage. */
const releaseClaim = async (store: Store, deploymentId: number, stageId: string): Promise<void> => {
  const { values } = isOfStage(stageId);
  try {
    await store.transact([
      { delete: stageKey(deploymentId), if: isOfStage(stageId) },
      // The stage counts if the refusal was that of a repeated call.
      {
        check: keys.deployment(deploymentId),
        if: { condition: 'attribute_not_exists(stage_id) OR stage_id <> :stage', values },
      },
    ]);
  } catch (error) {
    if (!isContention(error)) throw error;
  }
};

/** Stages a change and makes it count. Ends the claim of its stage if another writer refuses the change. */
export const releasedIfRefused = async (
  store: Store,
  deploymentId: number,
  stageId: string,
  change: () => Promise<void>,
): Promise<void> => {
  try {
    await change();
  } catch (error) {
    if (isContention(error)) await releaseClaim(store, deploymentId, stageId);
    throw error;
  }
};

/** Returns the write that names the items of a stage. Belongs to the transaction that makes the stage count. */
export const stageWrite = (deploymentId: number, stageId: string, writes: readonly Stageable[]): Write => ({
  put: stageItem(deploymentId, stageId, writes.map(keyOf)),
  if: isOfStage(stageId),
});

/** Returns an item without its staged value, which is no part of its record. */
export const unstaged = ({ stage_id: _, next: _next, ...value }: Item): Item => value;

/** Returns the value of an item that counts: its next one if the deployment names its stage. */
const countingValue = (item: Item | undefined, stageId: string | undefined): Item | undefined => {
  if (item?.stage_id === undefined) return item;
  const [{ stage_id }, value] = [item, unstaged(item)];
  if (stage_id !== stageId) return hasValue(item) ? value : undefined;
  const set = nextOf(item);
  return set && { ...value, ...set };
};

/** Returns whether an item exists. An item that is only staged does not. */
export const hasValue = (item: Item | undefined): boolean => item?.entity !== undefined;

const ENTITY = { '#entity': 'entity' };

/** Condition that an item exists, by {@link hasValue}. */
export const VALUE_EXISTS = { condition: 'attribute_exists(#entity)', names: ENTITY };

/** Condition that an item does not exist, or is only staged. */
export const VALUE_MISSING = { condition: 'attribute_not_exists(#entity)', names: ENTITY };

const tradingIn = (item: Item | undefined): TradingDeployment | undefined => {
  const deployment = asDeployment(item);
  return deployment?.kind === 'live' ? deployment : undefined;
};

/** Returns orders or trades with the values that count. Reads the deployments only if an item is staged. */
export const readStaged = async (
  store: Store,
  items: Items,
  deploymentIdAt: (index: number) => number,
): Promise<(Item | undefined)[]> => {
  const ids = new Set(
    items.flatMap((item, index) => (item?.stage_id === undefined ? [] : deploymentIdAt(index))),
  );
  if (ids.size === 0) return [...items];
  const found = await store.getMany([...ids].map(keys.deployment), { consistent: true });
  const stages = new Map(found.map(tradingIn).map((trading) => [trading?.deployment_id, trading?.stage_id]));
  return items.map((item, index) => countingValue(item, stages.get(deploymentIdAt(index))));
};

/** Replaces the current values of items by the next ones; skips items that are done already. */
const endChunk = (store: Store, stageId: string, chunk: readonly Key[]): Promise<void> =>
  retryOnConflict(async () => {
    const items = await store.getMany(chunk, { consistent: true });
    const own = isOfStage(stageId);
    const writes = chunk.flatMap((key): Write[] => {
      const item = itemWith(items, key);
      if (item?.stage_id !== stageId) return [];
      const set = nextOf(item);
      const value = set && { ...set, stage_id: undefined, next: undefined };
      return [value ? { key, set: value, if: own } : { delete: key, if: own }];
    });
    if (writes.length > 0) await store.transact(writes);
  });

/** Returns whether a deployment has a stage to end. No other change may come before. */
export const isStaging = (item: Item | undefined): boolean => item?.staging === true;

/** Ends the stage of a deployment; no-op without one. Idempotent, also when run in parallel. */
export const endStage = async (store: Store, deploymentId: number): Promise<void> => {
  const [item, staged] = await store.getMany([keys.deployment(deploymentId), stageKey(deploymentId)], {
    consistent: true,
  });
  const stageId = tradingIn(item)?.stage_id;
  if (!isStaging(item) || stageId === undefined) return;
  const found = staged && parseItem(stageSchema, staged);
  const own = isOfStage(stageId);
  if (found?.stage_id === stageId) {
    for (const chunk of chunksOf(found.staged.keys)) await endChunk(store, stageId, chunk);
  }
  try {
    await store.transact([
      { key: keys.deployment(deploymentId), update: 'REMOVE staging', ...own },
      ...(found?.stage_id === stageId ? [{ delete: stageKey(deploymentId), if: own }] : []),
    ]);
  } catch (error) {
    // Another process has ended it meanwhile.
    if (!(error instanceof TransactionRefusedError)) throw error;
  }
};
