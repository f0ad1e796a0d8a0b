import { isDeepStrictEqual } from 'node:util';
import type { InstrumentChange } from '../../shared/data/instruments/instrument-write.ts';
import { findInstruments } from '../../shared/data/instruments/instruments.ts';
import type { Store } from '../../shared/data/table/store.ts';
import type { ListLine } from '../../shared/domain/csv/cells.ts';
import { completeInstrument } from '../../shared/domain/instruments/instrument-completion.ts';
import type { Instrument, Listing } from '../../shared/domain/instruments/instrument-records.ts';
import { BadLineError, type Line, type Reading, readLine } from './read-facts.ts';

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

/** Table and meaning of the lines. */
export interface Source {
  readonly store: Store;
  readonly reading: Reading;
  /** Broker whose tickers the list holds, if it is a broker's list. */
  readonly broker?: {
    readonly slug: string;
    readonly broker_id: number;
    readonly servers: readonly string[];
  };
}

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

const listingOf = ({ broker }: Source, { brokerSymbol }: Line, symbol: string): Record<string, Listing> =>
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
const apply = (source: Source, line: Line, stored: Instrument | undefined): Instrument => {
  if (stored) refuseStrangers(stored, line);
  const { symbol } = line.facts;
  const listings = { ...stored?.listings, ...listingOf(source, line, symbol) };
  const assumed = stored ? {} : source.reading.format.assumes;
  const { data, problems } = completeInstrument({ ...assumed, ...line.facts, listings }, stored);
  if (data) return data;
  throw new BadLineError(problems.join('; '));
};

interface Read {
  readonly at: number;
  readonly line: Line;
}

interface Problem {
  readonly at: number;
  readonly message: string;
}

type Counts = { -readonly [K in keyof Summary]: Summary[K] };

/** Result of the lines of one batch. */
interface Outcome {
  readonly counts: Counts;
  readonly problems: Problem[];
}

/** A batch that is ready to be written. */
export interface Ready extends Outcome {
  readonly changes: readonly InstrumentChange[];
}

/** Symbols of a batch that is being written. */
export interface Writing {
  readonly symbols: ReadonlySet<string>;
  readonly done: Promise<void>;
}

/** Returns a summary of no lines. */
export const noLines = (): Counts => ({
  lines: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
});

/** Returns the result of `work`; undefined for a bad line, which it counts. */
const attempt = <T>({ counts, problems }: Outcome, at: number, work: () => T): T | undefined => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof BadLineError)) throw error;
    counts.failed += 1;
    problems.push({ at, message: error.message });
    return undefined;
  }
};

const readLines = (source: Source, batch: readonly ListLine[], outcome: Outcome): Read[] =>
  batch.flatMap((one): Read[] => {
    outcome.counts.lines += 1;
    return (
      attempt(outcome, one.line, () => {
        if ('fault' in one) throw new BadLineError(one.fault);
        const line = readLine(one.row, source.reading);
        if (!line) outcome.counts.skipped += 1;
        return line ? [{ at: one.line, line }] : [];
      }) ?? []
    );
  });

/** Reads a batch and its stored instruments, while the batch before it is being written. */
export const prepareBatch = async (
  source: Source,
  batch: readonly ListLine[],
  writing: Writing | undefined,
): Promise<Ready> => {
  const outcome: Outcome = { counts: noLines(), problems: [] };
  const good = readLines(source, batch, outcome);
  const symbols = [...new Set(good.map(({ line }) => line.facts.symbol))];
  // An instrument that is being written is read afterwards.
  if (symbols.some((symbol) => writing?.symbols.has(symbol))) await writing?.done;
  const found = await findInstruments(source.store, symbols, { consistent: true });
  const stored = new Map(symbols.map((symbol, index) => [symbol, found[index]]));
  const pending = new Map<string, Instrument>();
  for (const { at, line } of good) {
    const { symbol } = line.facts;
    const before = pending.get(symbol) ?? stored.get(symbol);
    const next = attempt(outcome, at, () => apply(source, line, before));
    if (!next) continue;
    const fate: Fate = !before ? 'created' : isDeepStrictEqual(before, next) ? 'unchanged' : 'updated';
    outcome.counts[fate] += 1;
    if (fate !== 'unchanged') pending.set(symbol, next);
  }
  return {
    ...outcome,
    changes: [...pending].map(([symbol, next]) => ({ stored: stored.get(symbol), next })),
  };
};
