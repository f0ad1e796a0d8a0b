import * as z from 'zod';
import { candidatesFor, closedUntil } from '../../../shared/data/candles/read-candles.ts';
import { asSeries, type Series } from '../../../shared/data/candles/series.ts';
import type { ScannerDeployment } from '../../../shared/data/deployments/deployments.ts';
import { programIdsOf } from '../../../shared/data/engine/program-ids.ts';
import {
  asScanned,
  keepScanned,
  type Scanned,
  type ScannedInstrument,
} from '../../../shared/data/engine/scanners.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { DamagedItemError, type OnDamaged, placeByKey } from '../../../shared/data/table/damaged-items.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { parseItem } from '../../../shared/data/table/parse-item.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { warmUpOf } from '../../../shared/domain/engine/backtest/warm-up.ts';
import type { ResolvedRules } from '../../../shared/domain/engine/rules/params.ts';
import { universeSchema } from '../../../shared/domain/instruments/instrument-records.ts';
import type { Timeframe } from '../../../shared/domain/strategies/strategies.ts';
import { reportDamaged } from '../../../shared/lifecycle/report-damaged.ts';
import type { EngineRuntime } from '../engine-runtime.ts';
import { ENGINE } from '../report-bars.ts';

/** Instruments that a scanner watches at most. */
const MAX_INSTRUMENTS = 500;

/** Parses a series; undefined if there is none, or if it is damaged. One of a newer version may not be left out for good. */
const readSeries = (item: Item | undefined, onDamaged: OnDamaged): Series | undefined => {
  try {
    return asSeries(item);
  } catch (error) {
    if (!item || !(error instanceof z.ZodError)) throw error;
    onDamaged(new DamagedItemError(placeByKey(item), error, item));
    return undefined;
  }
};

/** Reads the best stored series of each symbol for a timeframe; undefined for one without candles that can be read. */
const findBestSeries = async (
  store: Store,
  symbols: readonly string[],
  timeframe: Timeframe,
  onDamaged: OnDamaged,
): Promise<(Series | undefined)[]> => {
  const candidates = candidatesFor(timeframe);
  const items = await store.getMany(
    symbols.flatMap((symbol) => candidates.map((candidate) => keys.series(symbol, candidate))),
    { consistent: true },
  );
  return symbols.map((_, index) => {
    const own = items.slice(index * candidates.length, (index + 1) * candidates.length);
    return readSeries(
      own.find((item) => item !== undefined),
      onDamaged,
    );
  });
};

/** Returns the instruments of series, with the programs that work for the scanner. */
const instrumentsOf = (
  all: readonly Series[],
  timeframe: Timeframe,
  rules: ResolvedRules,
): ScannedInstrument[] => {
  const legs = all.map(({ symbol, timeframe: source, calendar }) => ({ symbol, source, calendar }));
  const programIds = programIdsOf({ timeframe, legs }, rules);
  const warmUp = warmUpOf(rules, timeframe);
  return all.map((series, index) => {
    const { symbol, timeframe: source, source: feed, calendar, first } = series;
    const closed = closedUntil(series, timeframe);
    const from = Math.max(first, closed - warmUp);
    return { symbol, program_id: programIds[index] ?? '', source, feed, calendar, from, at: closed - 1 };
  });
};

/**
 * Returns the instruments that a scanner watches: those of its universe that have candles when it starts. They are stored
 * once; later changes of the universe do not concern the scanner. An instrument with a damaged series is left out.
 *
 * @throws AggregateError if series are damaged and none is left. Nothing is stored then.
 */
export const planScan = async (
  runtime: Pick<EngineRuntime, 'store' | 'log' | 'metrics'>,
  { deployment_id: id, universe_id, timeframe }: ScannerDeployment,
  rules: ResolvedRules,
): Promise<Scanned> => {
  const { store } = runtime;
  const own = { scanned: keys.scannedInstruments(id), universe: keys.universe(universe_id) };
  const items = await store.getMany(Object.values(own), { consistent: true });
  const known = asScanned(itemWith(items, own.scanned));
  if (known) return known;
  const item = itemWith(items, own.universe);
  const { symbols } = item ? parseItem(universeSchema, item) : { symbols: [] };
  const wanted = [...new Set(symbols)].slice(0, MAX_INSTRUMENTS);
  const damaged: Error[] = [];
  const found = await findBestSeries(store, wanted, timeframe, (error) => {
    damaged.push(error);
    reportDamaged(runtime, error, ENGINE);
  });
  const instruments = instrumentsOf(
    found.filter((series) => series !== undefined),
    timeframe,
    rules,
  );
  if (instruments.length === 0 && damaged.length > 0) {
    throw new AggregateError(damaged, `${damaged.length} series of a universe cannot be read`);
  }
  return keepScanned(store, id, { instruments, skipped: new Set(symbols).size - instruments.length });
};
