import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { type BarColumns, columnsOf } from '../../../shared/domain/candles/bars.ts';
import type { Timeframe } from '../../../shared/domain/strategies/strategies.ts';
import { DAILY } from '../../support/candles.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules } from '../../support/rules.ts';
import { furnishWithInstruments, list } from '../../support/strategies.ts';
import { passTime, workOffEvents } from '../../support/track-records.ts';
import { meteredHub } from './metered-hub.ts';
import type { RecordKind } from './record-units.ts';
import { scaled, type Units } from './units.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Days of which averages are taken, after as many others. */
const DAYS = 20;

const LENGTHS = { '1d': DAY_MS, '1h': 60 * MINUTE_MS, '1m': MINUTE_MS } as const;

/** Returns bars of a market that never closes, whose prices go up and down. */
const barsFrom = (from: number, to: number, length: number): BarColumns => {
  const bars = [];
  for (let start = Math.floor(from / length) * length; start + length <= to; start += length) {
    if (start + length <= from) continue;
    const price = Math.round(10_000 + 1_000 * Math.sin(start / (length * 7))) / 100;
    bars.push({ start, open: price, high: price + 1, low: price - 1, close: price + 0.5, volume: 1e9 });
  }
  return columnsOf(bars);
};

const measureRecord = async (timeframe: keyof typeof LENGTHS): Promise<Units> => {
  const { hub, take, close } = await meteredHub();
  const facts = {
    ...DAILY,
    symbol: 'BTCUSD',
    timeframe: timeframe satisfies Timeframe,
    calendar: 'always',
    asset_class: 'crypto',
  } as const;
  await furnishWithInstruments(hub, ['BTCUSD']);
  let to = hub.runtime.clock().getTime();
  await appendBars(hub.runtime.store, facts, barsFrom(to - 60 * DAY_MS, to, LENGTHS[timeframe]));
  const rules = crossRules(5, 20, { exits: [{ side: 'long', when: { bars_in_trade: 10 } }] });
  const { user_id, strategy_id } = await ruleTrader(hub, { symbol: 'BTCUSD', timeframe, rules });
  await list(hub, user_id, strategy_id);
  await workOffEvents(hub);
  let units: Units = { calls: 0, read: 0, write: 0 };
  for (let day = 0; day < 2 * DAYS; day++) {
    const from = to;
    to += DAY_MS;
    await appendBars(hub.runtime.store, facts, barsFrom(from, to, LENGTHS[timeframe]));
    take();
    await passTime(hub, to - hub.runtime.clock().getTime() + 7 * 60 * MINUTE_MS * (day === 0 ? 1 : 0));
    const own = take();
    if (day < DAYS) continue;
    units = { calls: units.calls + own.calls, read: units.read + own.read, write: units.write + own.write };
  }
  await close();
  return scaled(units, 1 / DAYS);
};

/** Measures a day of a track record of a listed strategy, with the event that brings it about. */
export const measureRecords = async (): Promise<Record<RecordKind, Units>> => ({
  'daily bars': await measureRecord('1d'),
  'hourly bars': await measureRecord('1h'),
  'minute bars': await measureRecord('1m'),
});
