import * as z from 'zod';
import { TIMEFRAMES, type Timeframe } from '../../domain/strategies/strategies.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

const seriesInUse = z.object({
  symbol: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  /** Number of programs that need it. */
  programs: z.int().default(1),
  /** Start of the newest bar up to which all programs are known to be done. */
  settled_at: z.number().optional(),
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

/** Lists all series in use, in one Query per megabyte. */
export const listSeriesInUse = async (store: Store): Promise<SeriesInUse[]> => {
  const found = await store.query(
    {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.seriesInUse('', '').pk },
    },
    seriesInUse,
  );
  return found.filter(({ programs }) => programs > 0);
};
