import * as z from 'zod';
import { packBars } from '../../domain/candles/packing.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { Condition, Key } from '../table/writes.ts';
import { newFrom } from './append-bars.ts';
import { packedBars } from './packed-bars.ts';
import type { Series } from './series.ts';

/** Seconds for which bars are kept: longer than the bus delivers their event. */
const KEEP_S = 3600;

const waitingSchema = z.object({
  source: z.string(),
  /** Start of the bar for which they wait. */
  previous: z.number(),
  /** Starts of the first and the last bar of the event, valid or not. */
  first: z.number(),
  last: z.number(),
  bars: packedBars,
  /** Time at which the bus took the event, in epoch milliseconds. */
  at: z.number(),
  /** Time at which the bars were stored. */
  kept_at: z.number(),
  /** Present once another event took them. Epoch milliseconds. */
  taken_at: z.number().optional(),
});

/** Bars of an event, oldest first, that wait for the bar before them. */
export type WaitingBars = z.output<typeof waitingSchema>;

type Place = Pick<Series, 'symbol' | 'timeframe'>;

const keyOf = ({ symbol, timeframe }: Place, { first, last }: Pick<WaitingBars, 'first' | 'last'>): Key =>
  keys.waitingBars(symbol, timeframe, first, last);

const itemOf = (place: Place, waiting: WaitingBars, now: Date): Item => ({
  ...waiting,
  ...keyOf(place, waiting),
  entity: 'waiting_bars',
  bars: packBars(waiting.bars),
  expires_at_s: Math.floor(now.getTime() / 1000) + KEEP_S,
});

/** Reads the bars of an event that wait. */
export const findWaiting = (
  store: Store,
  place: Place,
  event: Pick<WaitingBars, 'first' | 'last'>,
): Promise<WaitingBars | undefined> => store.get(keyOf(place, event), waitingSchema, { consistent: true });

/** Returns whether another event took the bars of an event that came at a time. */
export const wereTaken = (waiting: WaitingBars | undefined, at: number): boolean =>
  waiting?.taken_at !== undefined && waiting.taken_at > at;

/**
 * Stores bars that wait, so that another event of their series can take them.
 *
 * @returns those that are stored: bars that a feed sends again do not wait longer.
 */
export const keepWaiting = async (store: Store, place: Place, waiting: WaitingBars): Promise<WaitingBars> => {
  const put = async (next: WaitingBars, condition: Condition): Promise<WaitingBars | undefined> => {
    try {
      await store.put(itemOf(place, next, new Date(next.kept_at)), condition);
      return next;
    } catch (error) {
      if (!(error instanceof ConditionFailedError)) throw error;
      return undefined;
    }
  };
  const isNew = {
    condition: 'attribute_not_exists(pk) OR taken_at <= :at',
    values: { ':at': waiting.at },
  };
  const kept = await put(waiting, isNew);
  if (kept) return kept;
  const stored = await findWaiting(store, place, waiting);
  if (!stored || stored.taken_at !== undefined) return stored ?? waiting;
  const next = { ...waiting, at: stored.at, kept_at: stored.kept_at };
  // Another event may take them at this moment.
  const again = await put(next, { condition: 'attribute_not_exists(taken_at)' });
  return again ?? (await findWaiting(store, place, waiting)) ?? next;
};

/** Notes that another event took bars that waited. Their own event must not judge them again, as late ones. */
export const markTaken = (
  store: Store,
  place: Place,
  taken: readonly WaitingBars[],
  now: Date,
): Promise<void> =>
  store.batchWrite(taken.map((one) => ({ put: itemOf(place, { ...one, taken_at: now.getTime() }, now) })));

/** Reads the bars that wait and are new to a series, oldest first. */
export const listWaiting = async (store: Store, series: Series): Promise<WaitingBars[]> => {
  const { symbol, timeframe, source } = series;
  const from = keys.waitingBars(symbol, timeframe, newFrom(series), '');
  const found = await store.query(
    {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': from.pk,
        ':from': from.sk,
        ':to': keys.waitingBars(symbol, timeframe, Number.MAX_SAFE_INTEGER, '').sk,
      },
      ConsistentRead: true,
    },
    waitingSchema,
  );
  return found.filter((one) => one.source === source && one.taken_at === undefined);
};
