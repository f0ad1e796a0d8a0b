import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { asBacktest } from '../../../shared/data/backtests/backtests.ts';
import { eventWrite } from '../../../shared/data/backtests/jobs.ts';
import { findSeries } from '../../../shared/data/candles/series.ts';
import { asStrategy } from '../../../shared/data/strategies/strategies.ts';
import { asRecord } from '../../../shared/data/strategies/track-records.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { listShipped } from '../../candles/load.ts';
import type { Past } from './past.ts';

const DAY_MS = 24 * 3_600_000;
/** Time for which nothing advances the records: no bars follow the recorded ones, so they would be stale at once. */
const REST_MS = 365 * DAY_MS;

/** Takes a job from a worker that died with a start that was cut short: no other one works now. */
const takeOver = (store: Store, key: Key): Promise<unknown> =>
  store.update(
    key,
    { update: 'REMOVE holder, lease_until', condition: 'attribute_exists(pk)' },
    z.object({}),
  );

/** Sends the event of the backtest of before again, if a start that was cut short has lost it. Returns whether it did. */
const repeatBacktest = async (past: Past, key: Key): Promise<boolean> => {
  const { store } = past;
  const [item] = await store.getMany([key], { consistent: true });
  const id = asRecord(item)?.backtest_id;
  if (id === undefined) return false;
  const backtest = asBacktest((await store.getMany([keys.backtest(id)], { consistent: true }))[0]);
  if (!backtest || backtest.finished_at !== undefined) return false;
  await takeOver(store, keys.backtest(id));
  await store.transact([eventWrite(id, randomUUID(), new Date())]);
  return true;
};

/**
 * Advances the track records of strategies on recorded candles under the clock of the day after the last candle, and
 * leaves them as they are then.
 *
 * @returns whether a record was not so yet: an event on its way may advance it at the present, so settle again.
 */
export const settleRecords = async (past: Past, strategyIds: readonly number[]): Promise<boolean> => {
  const { store } = past;
  const now = Date.now();
  const shipped = listShipped();
  let isMoved = false;
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
    await takeOver(store, key);
    await past.advanceRecord(place);
    if ((await repeatBacktest(past, key)) || record?.state !== 'running') isMoved = true;
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
  return isMoved;
};
