import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { importBars } from '../../shared/data/candles/import-bars.ts';
import {
  ADJUSTMENTS,
  factsOf,
  findSeries,
  type SeriesFacts,
  splitsOf,
} from '../../shared/data/candles/series.ts';
import { areInUse } from '../../shared/data/engine/series-in-use.ts';
import { findInstruments } from '../../shared/data/instruments/instruments.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { type BarColumns, barCount } from '../../shared/domain/candles/bars.ts';
import { unpackBars } from '../../shared/domain/candles/packing.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';

const shippedSchema = z.object({
  file: z.string(),
  symbol: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  source: z.string(),
  adjustment: z.enum(ADJUSTMENTS),
  /** File of the source from which the candles were cut. */
  origin: z.string(),
  bars: z.int(),
  first: z.string(),
  last: z.string(),
  /** Hash of the candles, as backtests name it. */
  hash: z.string(),
});

/** A series of recorded candles that the project ships. */
export type ShippedSeries = z.output<typeof shippedSchema>;

const fileOf = (name: string): URL => new URL(`./data/${name}`, import.meta.url);

/** Lists the series that the project ships. */
export const listShipped = (): ShippedSeries[] =>
  z.array(shippedSchema).parse(JSON.parse(readFileSync(fileOf('manifest.json'), 'utf8')));

/** Reads the candles of a shipped series. */
export const readShipped = ({ file }: ShippedSeries): BarColumns => unpackBars(readFileSync(fileOf(file)));

/**
 * Writes a series, unless it is stored whole, from another source, with another anchor or with splits, or deployments use
 * it: they would trade the new bars.
 */
const loadSeries = async (
  store: Store,
  facts: SeriesFacts,
  bars: BarColumns,
  isUsed: boolean,
): Promise<boolean> => {
  const { symbol, timeframe } = facts;
  const [stored] = await findSeries(store, symbol, [timeframe]);
  if (stored && (stored.source !== facts.source || stored.calendar !== facts.calendar)) return false;
  if (stored && stored.count >= barCount(bars)) return false;
  if (stored && splitsOf(stored).length > 0) return false;
  if (isUsed) return false;
  await importBars(store, facts, bars);
  return true;
};

/**
 * Writes the shipped candles of the instruments in the table. Leaves series from other sources, and those that deployments use, as they are. A repeat
 * writes nothing.
 *
 * @param barsOf reads the candles of a series.
 * @returns the number of series written.
 */
export const loadCandles = async (store: Store, barsOf = readShipped): Promise<number> => {
  const shipped = listShipped();
  const [instruments, used] = await Promise.all([
    findInstruments(
      store,
      shipped.map(({ symbol }) => symbol),
    ),
    areInUse(store, shipped),
  ]);
  const written = await Promise.all(
    shipped.map(async (one, index) => {
      const instrument = instruments[index];
      if (!instrument) return false;
      const { symbol, timeframe, source, adjustment } = one;
      const facts = factsOf(instrument, { symbol, timeframe, source, adjustment });
      return loadSeries(store, facts, barsOf(one), used[index] === true);
    }),
  );
  return written.filter((isWritten) => isWritten).length;
};
