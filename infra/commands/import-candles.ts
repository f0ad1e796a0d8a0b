import { basename } from 'node:path';
import {
  checkSeries,
  removeSeries,
  SeriesConflictError,
  SplitConflictError,
} from '../../shared/data/candles/import-bars.ts';
import { BarsTooLargeError } from '../../shared/data/candles/packed-bars.ts';
import {
  ADJUSTMENTS,
  factsOf,
  factsText,
  findSeries,
  kindOf,
  type SeriesFacts,
} from '../../shared/data/candles/series.ts';
import { areInUse } from '../../shared/data/engine/series-in-use.ts';
import { findInstruments } from '../../shared/data/instruments/instruments.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { anchorText, baseCalendarId } from '../../shared/domain/candles/anchor.ts';
import type { Quality } from '../../shared/domain/candles/quality.ts';
import { TIMEFRAMES, type Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { type Import, importBarLines, type Summary } from '../candles/import-file.ts';
import { openCandleFile } from '../candles/open-candle-file.ts';
import { progressOn } from '../catalogue/progress.ts';
import { NotAListError } from '../catalogue/read-list.ts';
import { openTarget } from '../catalogue/target.ts';
import { CANDLE_HELP, CANDLE_OPTIONS, candleChoicesOf } from './candle-options.ts';
import { count, oneOf, UsageError } from './command-line.ts';
import { explainAws } from './explain-aws.ts';
import { readOptions } from './read-options.ts';

const HELP = `Imports candles of an instrument from a file, as MetaTrader, TradingView, Yahoo and others write it.

  npm run import-candles -- FILE --symbol SPY --timeframe 1d

The dialect of the file is recognised and printed. In a plain file the first line names the columns:
time,open,high,low,close,volume. Daily candles have their date.

  --symbol SYMBOL        instrument of the catalogue
  --timeframe TIMEFRAME  ${TIMEFRAMES.join(', ')}
  ${CANDLE_HELP}
  --source NAME          source of the candles (import)
  --adjustment NAME      ${ADJUSTMENTS.join(', ')} (none)
  --replace              removes the stored candles of the symbol and timeframe first
  --dry-run              shows the result and writes nothing

Where to:
  HUB_DYNAMODB_ENDPOINT  a DynamoDB at this address (table HUB_TABLE)
  HUB_TABLE              without an endpoint: this table on AWS
  HUB_DATA_DIR           otherwise: the data of npm start (.hub), whether it runs or not

Candles after the newest stored one are refused while active deployments use the series: they would trade them. A feed
sends those. Ends with 1 when lines could not be imported; the others are imported. Ctrl-C stores what was read and
ends; the same command continues.
`;

/** The most refused lines that are printed. */
const MAX_PROBLEMS = 100;

const readArguments = () =>
  readOptions(HELP, {
    allowPositionals: true,
    options: {
      symbol: { type: 'string' },
      timeframe: { type: 'string' },
      ...CANDLE_OPTIONS,
      source: { type: 'string', default: 'import' },
      adjustment: { type: 'string', default: 'none' },
      replace: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
    },
  });

type Options = ReturnType<typeof readArguments>['values'];

const readFacts = async (store: Store, options: Options): Promise<SeriesFacts> => {
  if (options.symbol === undefined) throw new UsageError('--symbol is missing. See --help.');
  const timeframe: Timeframe = oneOf('timeframe', TIMEFRAMES, options.timeframe);
  const adjustment = oneOf('adjustment', ADJUSTMENTS, options.adjustment);
  const [instrument] = await findInstruments(store, [options.symbol]);
  if (!instrument) {
    throw new UsageError(
      `There is no instrument ${options.symbol}. Import it with npm run import-instruments.`,
    );
  }
  return factsOf(instrument, { symbol: instrument.symbol, timeframe, source: options.source, adjustment });
};

/**
 * Removes or checks the stored series.
 *
 * @returns the stored series, and the start of the last bar that may be imported; undefined if all may be.
 * @throws UsageError if the series has other facts, or deployments need the candles to remove.
 */
const prepare = async (
  store: Store,
  facts: SeriesFacts,
  options: Options,
): Promise<Pick<Import, 'stored' | 'until'>> => {
  const [used = false] = await areInUse(store, [facts]);
  const { symbol, timeframe, calendar } = facts;
  if (options.replace) {
    if (used) {
      throw new UsageError(
        `Active deployments use the candles of ${symbol} ${timeframe}. End the deployments before replacing them.`,
      );
    }
    if (!options['dry-run']) await removeSeries(store, facts);
    return {};
  }
  try {
    const stored = await checkSeries(store, facts);
    if (used && !stored && baseCalendarId(calendar) !== calendar) {
      throw new UsageError(
        `Active deployments wait for candles of ${symbol} ${timeframe} that start with the clock, and these have the anchor ${anchorText(calendar)}. End the deployments first.`,
      );
    }
    return { stored, until: used ? stored?.last : undefined };
  } catch (error) {
    if (!(error instanceof SeriesConflictError)) throw error;
    throw new UsageError(
      `${error.message}, and these candles are from the ${factsText(facts)}. Name the same ones, or use --replace to remove the stored candles.`,
    );
  }
};

const summaryText = ({ lines, added, replaced, unchanged, failed }: Summary, dryRun: boolean): string => {
  const fates = Object.entries({ added, replaced, unchanged, failed });
  const list = fates.map(([fate, number]) => `${count(number)} ${fate}`).join(', ');
  return `${count(lines)} lines: ${list}.${dryRun ? ' Nothing was written: this was a dry run.' : ''}`;
};

const isoOf = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');

const reportQuality = ({ missing, gapCount, gaps, suspiciousCount, suspicious }: Quality): void => {
  if (gapCount > 0) {
    console.log(
      `${count(missing)} candles of open markets are missing, in ${count(gapCount)} gaps. The largest:`,
    );
    for (const gap of gaps) {
      console.log(`  ${count(gap.missing)} between ${isoOf(gap.after)} and ${isoOf(gap.before)}`);
    }
  }
  if (suspiciousCount > 0) {
    console.log(`${count(suspiciousCount)} candles are suspicious and were kept. The first:`);
    for (const { start, reason } of suspicious) {
      console.log(`  ${isoOf(start)}: ${reason === 'jump' ? 'the close jumps' : 'a long wick'}`);
    }
  }
};

/** Returns the facts with the anchor of the stored series: candles may fit several, and continue it. */
const asStored = async (store: Store, facts: SeriesFacts, { replace }: Options): Promise<SeriesFacts> => {
  const [stored] = replace ? [] : await findSeries(store, facts.symbol, [facts.timeframe]);
  const isSame = stored && baseCalendarId(stored.calendar) === facts.calendar;
  return isSame ? { ...facts, calendar: stored.calendar } : facts;
};

const importFile = async (store: Store, file: string, options: Options): Promise<void> => {
  const known = await asStored(store, await readFacts(store, options), options);
  const candles = await openCandleFile(file, { kind: kindOf(known), ...candleChoicesOf(options) });
  const { kind } = candles;
  const facts = { ...known, calendar: kind.calendar.id };
  const prepared = await prepare(store, facts, options);
  console.log(candles.dialect);
  const bar = progressOn(process.stderr);
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  process.once('SIGINT', interrupt);
  let problems = 0;
  const summary = await importBarLines(
    {
      store,
      facts,
      kind,
      ...prepared,
      dryRun: options['dry-run'],
      findings: candles.findings,
      signal: interrupted.signal,
      onProblem: (line, problem) => {
        problems += 1;
        if (problems > MAX_PROBLEMS) return;
        bar.clear();
        console.error(`line ${line}: ${problem}`);
      },
      onProgress: (lines) => bar.show(candles.progress(), `${count(lines)} lines`),
    },
    candles.lines,
  );
  process.off('SIGINT', interrupt);
  bar.clear();
  if (problems > MAX_PROBLEMS) console.error(`and ${count(problems - MAX_PROBLEMS)} more lines`);
  if (interrupted.signal.aborted) {
    const again = options.replace ? ' without --replace' : '';
    console.log(
      `Interrupted after ${count(summary.lines)} lines. Run the same command again${again} to continue.`,
    );
    process.exitCode = 130;
  }
  console.log(`${basename(file)}: ${summaryText(summary, options['dry-run'])}`);
  console.log(
    `${facts.symbol} ${facts.timeframe}, ${factsText(facts)}, local times in ${candles.zone.name}.`,
  );
  for (const note of [candles.warning, candles.findings.summary()]) if (note !== undefined) console.log(note);
  reportQuality(summary.quality);
  if (summary.failed > 0) process.exitCode ??= 1;
};

const run = async (): Promise<void> => {
  const { values, positionals } = readArguments();
  const [file] = positionals;
  if (file === undefined || positionals.length !== 1) {
    throw new UsageError('npm run import-candles -- FILE --symbol SYMBOL --timeframe TIMEFRAME, or --help');
  }
  const target = await openTarget(process.env);
  try {
    await importFile(target.store, file, values);
  } finally {
    await target.close();
  }
  console.log(`${values['dry-run'] ? 'Compared with' : 'Written to'} ${target.where}.`);
};

run().catch((error: unknown) => {
  const isMistake = [NotAListError, BarsTooLargeError, SplitConflictError].some(
    (mistake) => error instanceof mistake,
  );
  console.error(isMistake && error instanceof Error ? error.message : explainAws(error));
  process.exitCode = 1;
});
