import * as z from 'zod';
import { findSeries } from '../../../shared/data/candles/series.ts';
import { asStrategy } from '../../../shared/data/strategies/strategies.ts';
import { asRecord } from '../../../shared/data/strategies/track-records.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { listShipped } from '../../candles/load.ts';
import type { Past } from './past.ts';

const DAY_MS = 24 * 3_600_000;
/** Time for which nothing advances the records: no bars follow the recorded ones, so they would be stale at once. */
const REST_MS = 365 * DAY_MS;

/**
 * Advances the track records of strategies on recorded candles under the clock of the day after the last candle, and
 * leaves them as they are then.
 */
export const settleRecords = async (past: Past, strategyIds: readonly number[]): Promise<void> => {
  const { store } = past;
  const now = Date.now();
  const shipped = listShipped();
  for (const id of strategyIds) {
    const strategy = asStrategy((await store.getMany([keys.strategy(id)], { consistent: true }))[0]);
    if (strategy?.record_id === undefined) continue;
    const place = { author: strategy.user_key, record_id: strategy.record_id };
    const key = keys.trackRecord(place.author, place.record_id);
    const record = asRecord((await store.getMany([key], { consistent: true }))[0]);
    const own = shipped.find(
      ({ symbol, timeframe }) => symbol === record?.symbols[0] && timeframe === record.timeframe,
    );
    if (!own) continue;
    const [series] = await findSeries(store, own.symbol, [own.timeframe]);
    if (!series) throw new Error(`the candles of ${own.symbol} are missing`);
    past.moveTo(series.last + DAY_MS);
    await past.advanceRecord(place);
    await store.update(
      key,
      {
        update: 'SET due_at = :later',
        condition: 'attribute_exists(due_at)',
        values: { ':later': now + REST_MS },
      },
      z.object({}),
    );
  }
};
