import { isDeepStrictEqual } from 'node:util';
import { writeInstruments } from '../../shared/data/instruments/instrument-write.ts';
import { findInstruments } from '../../shared/data/instruments/instruments.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { completeInstrument } from '../../shared/domain/instruments/instrument-completion.ts';
import type { Instrument, Listing } from '../../shared/domain/instruments/instrument-records.ts';
import { BadLineError, type Line, type Reading, readLine } from './read-facts.ts';
import type { ListLine } from './read-list.ts';

/** Counts of an import. */
export interface Summary {
  readonly lines: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly failed: number;
}

type Fate = Exclude<keyof Summary, 'lines'>;

export interface Import {
  readonly store: Store;
  readonly reading: Reading;
  /** Broker whose tickers the list holds, if it is a broker's list. */
  readonly broker?: {
    readonly slug: string;
    readonly broker_id: number;
    readonly servers: readonly string[];
  };
  /** Counts changes without writing them. */
  readonly dryRun: boolean;
  readonly onProblem: (line: number, problem: string) => void;
  /** Gets the counts so far after each batch. */
  readonly onProgress: (summary: Summary) => void;
  /** Stops the import after the current batch. */
  readonly signal?: AbortSignal;
}

/** Lines per batch. They are in memory together, and are read from the table in one call. */
const BATCH = 100;

const batchesOf = async function* <T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
};

/** Checks for conflicts, as lists of different markets use the same symbol for different instruments. The first one keeps it. */
const refuseStrangers = (stored: Instrument, { facts }: Line): void => {
  if (facts.asset_class !== undefined && facts.asset_class !== stored.asset_class) {
    throw new BadLineError(`${stored.symbol} is already an instrument of the class ${stored.asset_class}`);
  }
  if (facts.exchange !== undefined && facts.exchange !== stored.exchange) {
    throw new BadLineError(
      `${stored.symbol} is already an instrument of ${stored.exchange}; use --qualify to add the exchange to symbols`,
    );
  }
};

const listingOf = ({ broker }: Import, { brokerSymbol }: Line, symbol: string): Record<string, Listing> =>
  broker
    ? {
        [broker.slug]: {
          broker_id: broker.broker_id,
          symbol: brokerSymbol ?? symbol,
          servers: [...broker.servers],
        },
      }
    : {};

/** Merges a line into the stored instrument. @throws BadLineError */
const apply = (task: Import, line: Line, stored: Instrument | undefined): Instrument => {
  if (stored) refuseStrangers(stored, line);
  const { symbol } = line.facts;
  const listings = { ...stored?.listings, ...listingOf(task, line, symbol) };
  const assumed = stored ? {} : task.reading.format.assumes;
  const { data, error } = completeInstrument({ ...assumed, ...line.facts, listings }, stored);
  if (data) return data;
  throw new BadLineError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
};

interface Read {
  readonly at: number;
  readonly line: Line;
}

/** Imports a list in constant memory. Idempotent, so repeat it to continue an interrupted import. */
export const importLines = async (task: Import, lines: AsyncIterable<ListLine>): Promise<Summary> => {
  const counts = { lines: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };

  let problems: { readonly at: number; readonly message: string }[] = [];

  const attempt = <T>(at: number, work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof BadLineError)) throw error;
      counts.failed += 1;
      problems.push({ at, message: error.message });
      return undefined;
    }
  };

  const read = (batch: readonly ListLine[]): Read[] =>
    batch.flatMap((one): Read[] => {
      counts.lines += 1;
      return (
        attempt(one.line, () => {
          if ('fault' in one) throw new BadLineError(one.fault);
          const line = readLine(one.row, task.reading);
          if (!line) counts.skipped += 1;
          return line ? [{ at: one.line, line }] : [];
        }) ?? []
      );
    });

  const importBatch = async (batch: readonly ListLine[]): Promise<void> => {
    const good = read(batch);
    const symbols = [...new Set(good.map(({ line }) => line.facts.symbol))];
    const found = await findInstruments(task.store, symbols, { consistent: true });
    const stored = new Map(symbols.map((symbol, index) => [symbol, found[index]]));
    const pending = new Map<string, Instrument>();
    for (const { at, line } of good) {
      const { symbol } = line.facts;
      const before = pending.get(symbol) ?? stored.get(symbol);
      const next = attempt(at, () => apply(task, line, before));
      if (!next) continue;
      const fate: Fate = !before ? 'created' : isDeepStrictEqual(before, next) ? 'unchanged' : 'updated';
      counts[fate] += 1;
      if (fate !== 'unchanged') pending.set(symbol, next);
    }
    if (!task.dryRun) {
      const changes = [...pending].map(([symbol, next]) => ({ stored: stored.get(symbol), next }));
      await writeInstruments(task.store, changes);
    }
    for (const { at, message } of problems.toSorted((a, b) => a.at - b.at)) task.onProblem(at, message);
    problems = [];
    task.onProgress(counts);
  };

  for await (const batch of batchesOf(lines, BATCH)) {
    if (task.signal?.aborted) break;
    await importBatch(batch);
  }
  return counts;
};
