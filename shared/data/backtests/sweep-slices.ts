import * as z from 'zod';
import { type SliceResult, sliceResultSchema } from '../../domain/engine/sweep/join.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import { progressWrite, writeUnlessOver } from './sweep-jobs.ts';

/** Time for which slices are kept, in seconds; their figures are joined long before. */
const KEEP_S = 7 * 86_400;

/** Time for which one worker has a slice, in milliseconds; several times as long as it takes. */
const LEASE_MS = 90_000;

const attemptSchema = z.object({ attempts: z.number() });

/**
 * Takes a slice for one worker, and counts the attempt.
 *
 * @returns the number of attempts so far; undefined if the slice is done or another worker has it.
 */
export const beginSlice = async (
  store: Store,
  sweepId: number,
  slice: number,
  now: Date,
): Promise<number | undefined> => {
  try {
    const { attempts } = await store.update(
      keys.sweepSlice(sweepId, slice),
      {
        update:
          'SET attempts = if_not_exists(attempts, :none) + :one, slice = :slice, lease_until = :until, entity = :entity, expires_at_s = :expiry',
        condition:
          'attribute_not_exists(figures) AND (attribute_not_exists(lease_until) OR lease_until < :now)',
        values: {
          ':none': 0,
          ':one': 1,
          ':slice': slice,
          ':until': now.getTime() + LEASE_MS,
          ':now': now.getTime(),
          ':entity': 'sweep_slice',
          ':expiry': Math.floor(now.getTime() / 1000) + KEEP_S,
        },
      },
      attemptSchema,
    );
    return attempts;
  } catch (error) {
    if (error instanceof ConditionFailedError) return undefined;
    throw error;
  }
};

/** Leaves a slice to the next worker, after an error. */
export const leaveSlice = async (store: Store, sweepId: number, slice: number): Promise<void> => {
  await store.update(keys.sweepSlice(sweepId, slice), { update: 'REMOVE lease_until' }, z.object({}));
};

/**
 * Stores the result of a slice and counts it, in one transaction, so that a slice counts once.
 *
 * @returns false, and nothing is written, if the slice was stored before or the sweep is over.
 */
export const storeSlice = (
  store: Store,
  sweepId: number,
  slice: number,
  result: SliceResult,
  now: Date,
): Promise<boolean> =>
  writeUnlessOver(store, [
    {
      key: keys.sweepSlice(sweepId, slice),
      set: { figures: pack(result) },
      if: { condition: 'attribute_not_exists(figures)' },
    },
    progressWrite(sweepId, now),
  ]);

const doneSchema = z.object({ slice: z.number() });

/** Finds the slices of a sweep that are done. */
export const findDoneSlices = async (store: Store, sweepId: number): Promise<Set<number>> => {
  const found = await store.query(
    {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :slices)',
      FilterExpression: 'attribute_exists(figures)',
      ProjectionExpression: 'slice',
      ExpressionAttributeValues: { ':pk': keys.sweep(sweepId).pk, ':slices': 'SLICE#' },
      ConsistentRead: true,
    },
    doneSchema,
  );
  return new Set(found.map(({ slice }) => slice));
};

const sliceSchema = z.object({ figures: packed(sliceResultSchema) });

/** Reads the results of all slices of a sweep. @throws Error if one is missing. */
export const readSlices = async (store: Store, sweepId: number, slices: number): Promise<SliceResult[]> => {
  const wanted = Array.from({ length: slices }, (_, slice) => keys.sweepSlice(sweepId, slice));
  const items = await store.getMany(wanted, { consistent: true });
  return items.map((item) => {
    if (!item) throw new Error('a slice of a finished sweep is missing');
    return parseItem(sliceSchema, item).figures;
  });
};
