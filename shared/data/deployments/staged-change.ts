import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import { retryOnConflict } from '../table/retry.ts';
import { type Key, type Store, TransactionRefusedError, type Write } from '../table/store.ts';
import { asDeployment, type TradingDeployment } from './deployments.ts';

/**
 * A change of a live deployment that is too large for one transaction. Its orders and trades are staged first:
 * each item gets its next value beside the present one. One transaction then changes the deployment and names the
 * stage, and from there on the next values count, for readers too. Last, each item becomes its next value.
 *
 * A crash before the transaction leaves next values that no deployment names: they never count. A crash after it
 * leaves the last step to the next event of the deployment or to the message for the lists of its owner.
 */

type Item = Readonly<Record<string, unknown>>;

/** A change or removal that may be staged. */
export type Stageable = Extract<Write, { readonly set: unknown } | { readonly delete: unknown }>;

/** Changes of orders and trades that go into one transaction; more are staged. */
export const MAX_UNSTAGED = 80;
/** Members of a transaction that stages, and of one that ends a stage. */
const CHUNK = 50;
/** A claim that is held for so long without an end is one of a process that died. */
const CLAIM_MS = 2000;
const CLAIM_PAUSE_MS = 100;

const stageKey = (deploymentId: number): Key => ({ pk: keys.deployment(deploymentId).pk, sk: 'STAGE' });

const stageSchema = z.object({
  stage_id: z.string(),
  staged: packed(z.object({ keys: z.array(z.object({ pk: z.string(), sk: z.string() })) })),
});

/** What is staged of an item: the attributes to set; without them it is to be removed. */
const stagedSchema = z.object({ next: z.object({ set: z.record(z.string(), z.unknown()).optional() }) });

const keyOf = (write: Stageable): Key => ('delete' in write ? write.delete : write.key);

const stagingOf = (stageId: string, write: Stageable): Write => ({
  key: keyOf(write),
  update: 'SET stage_id = :stage, #next = :next',
  names: { '#next': 'next', ...write.if?.names },
  values: { ':stage': stageId, ':next': 'set' in write ? { set: write.set } : {}, ...write.if?.values },
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
 * Claims the stage of a deployment, so that two changes do not stage the same items. A claim that others hold is
 * waited for, and taken over where its holder seems to have died.
 *
 * @throws TransactionRefusedError where others have changed the deployment since it was read.
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
 * Gives the items of a change their next values, which do not count yet.
 *
 * @throws TransactionRefusedError where others have changed what was read, or have taken over the stage.
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

/** Names the items of a stage. Belongs into the transaction that makes it count. */
export const stageWrite = (deploymentId: number, stageId: string, writes: readonly Stageable[]): Write => ({
  put: stageItem(deploymentId, stageId, writes.map(keyOf)),
  if: isOfStage(stageId),
});

/** The value of an item that counts: its next one, where the deployment names its stage. */
const countingValue = (item: Item | undefined, stageId: string | undefined): Item | undefined => {
  if (item?.stage_id === undefined) return item;
  const { stage_id, next, ...value } = item;
  if (stage_id !== stageId) return hasValue(item) ? value : undefined;
  const { set } = parseItem(stagedSchema, item).next;
  return set && { ...value, ...set };
};

/** Whether an item is there: one that is only staged is not. */
export const hasValue = (item: Item | undefined): boolean => item?.entity !== undefined;

/** The condition that an item is there, or is not, by {@link hasValue}. */
export const valueExists = (exists: boolean) => ({
  condition: exists ? 'attribute_exists(#entity)' : 'attribute_not_exists(#entity)',
  names: { '#entity': 'entity' },
});

const tradingIn = (item: Item | undefined): TradingDeployment | undefined => {
  const deployment = asDeployment(item);
  return deployment?.kind === 'live' ? deployment : undefined;
};

/** Orders or trades with the values that count. Reads once more only where one of them is staged. */
export const readStaged = async (
  store: Store,
  items: readonly (Item | undefined)[],
  deploymentIdAt: (index: number) => number,
): Promise<(Item | undefined)[]> => {
  const ids = new Set(
    items.flatMap((item, index) => (item?.stage_id === undefined ? [] : deploymentIdAt(index))),
  );
  if (ids.size === 0) return [...items];
  const found = await store.getMany([...ids].map(keys.deployment), { consistent: true });
  const stages = new Map(found.map(tradingIn).map((live) => [live?.deployment_id, live?.stage_id]));
  return items.map((item, index) => countingValue(item, stages.get(deploymentIdAt(index))));
};

/** Makes staged items what comes next of them; those that are done already are left alone. */
const endChunk = (store: Store, stageId: string, chunk: readonly Key[]): Promise<void> =>
  retryOnConflict(async () => {
    const items = await store.getMany(chunk, { consistent: true });
    const own = isOfStage(stageId);
    const writes = items.flatMap((item, index): Write[] => {
      const key = chunk[index];
      if (item?.stage_id !== stageId || !key) return [];
      const { set } = parseItem(stagedSchema, item).next;
      const value = set && { ...set, stage_id: undefined, next: undefined };
      return [value ? { key, set: value, if: own } : { delete: key, if: own }];
    });
    if (writes.length > 0) await store.transact(writes);
  });

/** Whether a deployment waits for the end of its stage: nothing else may change it before. */
export const isStaging = (item: Item | undefined): boolean => item?.staging === true;

/** Ends the stage of a deployment, where it has one. Repeating it, at the same time too, changes nothing. */
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
    // Somebody else has ended it meanwhile.
    if (!(error instanceof TransactionRefusedError)) throw error;
  }
};
