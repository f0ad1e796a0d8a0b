import * as z from 'zod';
import { TIMEFRAMES, type Timeframe } from '../../domain/strategies/strategies.ts';
import { type OnDamaged, parseReadable, placeByKey } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

const seriesInUse = z.object({
  symbol: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  /** Number of programs that need it. */
  programs: z.int(),
  /** `rev` of the series at the last sweep, and up to which all programs are known to be done. */
  seen_rev: z.int().optional(),
  settled_rev: z.int().optional(),
});

/** A stored series that programs of the engine need. */
export type SeriesInUse = z.output<typeof seriesInUse>;

/** Returns the write that counts a program that needs a series, or that no longer does. */
export const seriesInUseWrite = (symbol: string, timeframe: Timeframe, change: 1 | -1 = 1): Write => ({
  key: keys.seriesInUse(symbol, timeframe),
  update: 'SET entity = :entity, symbol = :symbol, #timeframe = :timeframe ADD programs :change',
  names: { '#timeframe': 'timeframe' },
  values: { ':entity': 'series_in_use', ':symbol': symbol, ':timeframe': timeframe, ':change': change },
});

/** Lists all series in use, in one Query per megabyte. Omits those that cannot be read, which it reports. */
export const listSeriesInUse = async (store: Store, onDamaged: OnDamaged): Promise<SeriesInUse[]> => {
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.seriesInUse('', '').pk },
  });
  const found = parseReadable(seriesInUse, items, placeByKey, onDamaged);
  return found.filter(({ programs }) => programs > 0);
};

/**
 * Tells which series programs need, in the order of `series` and 100 per call. One whose entry cannot be read counts as
 * needed.
 */
export const areInUse = async (
  store: Store,
  series: readonly Pick<SeriesInUse, 'symbol' | 'timeframe'>[],
): Promise<boolean[]> => {
  const items = await store.getMany(
    series.map(({ symbol, timeframe }) => keys.seriesInUse(symbol, timeframe)),
    { consistent: true },
  );
  return items.map((item) => {
    const { data } = seriesInUse.pick({ programs: true }).safeParse(item);
    return item !== undefined && (data === undefined || data.programs > 0);
  });
};

const note = async (
  store: Store,
  { symbol, timeframe }: Pick<SeriesInUse, 'symbol' | 'timeframe'>,
  name: 'seen_rev' | 'settled_rev',
  rev: number,
): Promise<void> => {
  try {
    await store.update(
      keys.seriesInUse(symbol, timeframe),
      { update: `SET ${name} = :rev`, condition: 'attribute_exists(pk)', values: { ':rev': rev } },
      seriesInUse,
    );
  } catch (error) {
    // No program needs the series any more.
    if (!(error instanceof ConditionFailedError)) throw error;
  }
};

/** Notes the state in which a sweep found a series. */
export const noteSeen = (
  store: Store,
  used: Pick<SeriesInUse, 'symbol' | 'timeframe'>,
  rev: number,
): Promise<void> => note(store, used, 'seen_rev', rev);

/** Notes the state of a series up to which all programs are done. */
export const noteSettled = (
  store: Store,
  used: Pick<SeriesInUse, 'symbol' | 'timeframe'>,
  rev: number,
): Promise<void> => note(store, used, 'settled_rev', rev);
