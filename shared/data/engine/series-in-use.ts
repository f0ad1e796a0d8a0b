import * as z from 'zod';
import { TIMEFRAMES, type Timeframe } from '../../domain/strategies/strategies.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

const seriesInUse = z.object({ symbol: z.string(), timeframe: z.enum(TIMEFRAMES) });

/** A stored series that programs of the engine need. */
export type SeriesInUse = z.output<typeof seriesInUse>;

/** Returns the write that marks a series as in use. Idempotent. */
export const seriesInUseWrite = (symbol: string, timeframe: Timeframe): Write => ({
  key: keys.seriesInUse(symbol, timeframe),
  set: { entity: 'series_in_use', symbol, timeframe },
});

/** Lists all series in use, in one Query per megabyte. */
export const listSeriesInUse = (store: Store): Promise<SeriesInUse[]> =>
  store.query(
    {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.seriesInUse('', '').pk },
    },
    seriesInUse,
  );
