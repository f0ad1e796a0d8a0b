import type * as z from 'zod';
import type { Call } from '../../../shared/api/call.ts';
import { lastPriceKeys } from '../../../shared/data/candles/last-prices.ts';
import { priceStates } from '../../../shared/data/candles/price-sources.ts';
import { findReadableSeries } from '../../../shared/data/candles/series.ts';
import type { Instrument } from '../../../shared/domain/instruments/instrument-records.ts';
import { TIMEFRAMES } from '../../../shared/domain/strategies/strategies.ts';
import type { instrumentCandles } from '../records/instrument.ts';

type InstrumentCandles = z.input<typeof instrumentCandles>;

const isoOf = (at: number): string => new Date(at).toISOString();

/**
 * Reads which candles of instruments are stored. Only instruments with a last price have some, so most of a catalogue costs
 * half a read unit each; the others cost one unit for each timeframe that is stored, and half for each that is not.
 */
export const candlesOf = async (
  call: Call,
  instruments: readonly Instrument[],
): Promise<ReadonlyMap<string, readonly InstrumentCandles[]>> => {
  const symbols = instruments.map(({ symbol }) => symbol);
  const prices = await call.store.getMany(lastPriceKeys(symbols));
  const priced = instruments.filter((_, index) => prices[index] !== undefined);
  if (priced.length === 0) return new Map();
  const exchanges = new Map(priced.map(({ symbol, exchange }) => [symbol, exchange]));
  const wanted = priced.flatMap(({ symbol }) => TIMEFRAMES.map((timeframe) => ({ symbol, timeframe })));
  const [series, stateOf] = await Promise.all([
    findReadableSeries(call.store, wanted, call.onDamaged),
    priceStates(call),
  ]);
  const found = series.map((one) => ({
    symbol: one.symbol,
    candles: {
      timeframe: one.timeframe,
      from: isoOf(one.first),
      to: isoOf(one.last),
      prices: stateOf(one, exchanges.get(one.symbol)),
    },
  }));
  return new Map(
    Map.groupBy(found, ({ symbol }) => symbol)
      .entries()
      .map(([symbol, all]) => [symbol, all.map(({ candles }) => candles)]),
  );
};
