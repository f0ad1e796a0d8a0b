import { basename } from 'node:path';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { factsText, findSeries, kindOf } from '../../shared/data/candles/series.ts';
import { findInstruments } from '../../shared/data/instruments/instruments.ts';
import type { Store } from '../../shared/data/table/store.ts';
import type { BarLine } from '../../shared/domain/candle-files/read-bars.ts';
import { anchorText } from '../../shared/domain/candles/anchor.ts';
import type { Bar } from '../../shared/domain/candles/bars.ts';
import { calendarById, calendarIdOf } from '../../shared/domain/candles/calendar.ts';
import { closeTimeOf } from '../../shared/domain/candles/close-time.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';
import { openCandleFile } from '../candles/open-candle-file.ts';
import { ReplayStuckError, replayBars } from '../candles/replay-bars.ts';
import { progressOn } from '../catalogue/progress.ts';
import { NotAListError } from '../catalogue/read-list.ts';
import { openTarget } from '../catalogue/target.ts';
import { readHolder } from '../local/database/state.ts';
import { credentialsOf, LOCAL, regionOf } from '../local/lambda/environment.ts';
import { CANDLE_HELP, CANDLE_OPTIONS, candleChoicesOf } from './candle-options.ts';
import { count, dataDirOf, explain, oneOf, UsageError } from './command-line.ts';
import { readOptions } from './read-options.ts';

const HELP = `Feeds recorded candles of a file through the running service, as a feed would: deployments trade on them.

  npm run replay -- FILE --symbol SPY --timeframe 1d

The file is one of npm run import-candles. Candles that are not later than the newest stored one are skipped.

  --symbol SYMBOL        instrument of the catalogue
  --timeframe TIMEFRAME  ${TIMEFRAMES.join(', ')}
  --speed SPEED          candles a second, or max: as fast as the service takes them (10)
  ${CANDLE_HELP}
  --source NAME          source of the candles (that of the stored ones, else replay)

HUB_DATA_DIR is the data of the running service (.hub). Ctrl-C ends the replay; the same command continues it.
`;

const DEFAULT_SPEED = 10;

const readArguments = () =>
  readOptions(HELP, {
    allowPositionals: true,
    options: {
      symbol: { type: 'string' },
      timeframe: { type: 'string' },
      speed: { type: 'string' },
      ...CANDLE_OPTIONS,
      source: { type: 'string' },
    },
  });

type Options = ReturnType<typeof readArguments>['values'];

/** Reads the speed. @throws UsageError */
const speedOf = (text: string | undefined): number => {
  if (text === undefined) return DEFAULT_SPEED;
  if (text.toLowerCase() === 'max') return Number.POSITIVE_INFINITY;
  const speed = Number(text);
  if (speed > 0) return speed;
  throw new UsageError('--speed must be a number of candles a second, or max');
};

/** Counts the lines of a file by their fate. */
interface Counts {
  failed: number;
  skipped: number;
}

interface Wanted {
  /** Start of the newest stored bar. */
  readonly newest: number | undefined;
  /** Returns the time at which a bar closes, by its start. */
  readonly closeOf: (start: number) => number;
}

/** Returns the bars of the lines that are valid, closed and later than the newest stored bar. */
async function* laterBars(
  lines: AsyncIterable<BarLine>,
  { newest, closeOf }: Wanted,
  counts: Counts,
): AsyncGenerator<Bar> {
  for await (const one of lines) {
    if ('fault' in one) {
      counts.failed += 1;
      console.error(`line ${one.line}: ${one.fault}`);
    } else if (closeOf(one.bar.start) > Date.now()) {
      counts.failed += 1;
      if (counts.failed === 1) console.error(`line ${one.line}: the candle has not closed yet`);
    } else if (newest !== undefined && one.bar.start <= newest) counts.skipped += 1;
    else yield one.bar;
  }
}

const replayFile = async (store: Store, bus: string, file: string, options: Options): Promise<void> => {
  if (options.symbol === undefined) throw new UsageError('--symbol is missing. See --help.');
  const timeframe = oneOf('timeframe', TIMEFRAMES, options.timeframe);
  const speed = speedOf(options.speed);
  const [instrument] = await findInstruments(store, [options.symbol]);
  if (!instrument) throw new UsageError(`There is no instrument ${options.symbol}.`);
  const { symbol, asset_class: assetClass } = instrument;
  const [series] = await findSeries(store, symbol, [timeframe]);
  const usual = { calendar: calendarById(calendarIdOf(instrument)), timeframe, assetClass };
  const known = series ? kindOf(series) : usual;
  const candles = await openCandleFile(file, { kind: known, ...candleChoicesOf(options) });
  const { calendar } = candles.kind;
  if (series && calendar.id !== series.calendar) {
    throw new UsageError(
      `${symbol} ${timeframe} is stored from the ${factsText(series)}, and these candles have the anchor ${anchorText(calendar.id)}. Export candles of the stored anchor, or import these with npm run import-candles and --replace.`,
    );
  }
  console.log(candles.dialect);
  if (candles.warning !== undefined) console.log(candles.warning);
  const { env } = process;
  const client = new EventBridgeClient({
    endpoint: bus,
    region: regionOf(env),
    credentials: credentialsOf(env),
  });
  const progress = progressOn(process.stderr);
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  const counts: Counts = { failed: 0, skipped: 0 };
  const sent = await replayBars(
    {
      store,
      client,
      bus: LOCAL.bus,
      symbol,
      timeframe,
      calendar: calendar.id,
      source: options.source ?? series?.source ?? 'replay',
      speed,
      newest: series?.last,
      signal: interrupted.signal,
      onProgress: (bars, start) =>
        progress.show(
          candles.progress(),
          `${count(bars)} candles, ${new Date(start).toISOString().slice(0, 16)}`,
        ),
    },
    laterBars(
      candles.lines,
      { newest: series?.last, closeOf: (start) => closeTimeOf(calendar, timeframe, start) },
      counts,
    ),
  );
  progress.clear();
  client.destroy();
  const fates = `${count(sent)} fed, ${count(counts.skipped)} stored before, ${count(counts.failed)} failed`;
  console.log(`${basename(file)}: ${fates}.`);
  if (interrupted.signal.aborted) {
    console.log('Interrupted. Run the same command again to continue.');
    process.exitCode = 130;
  } else if (counts.failed > 0) process.exitCode = 1;
};

const run = async (): Promise<void> => {
  const { values, positionals } = readArguments();
  const [file] = positionals;
  if (file === undefined || positionals.length !== 1) {
    throw new UsageError('npm run replay -- FILE --symbol SYMBOL --timeframe TIMEFRAME, or --help');
  }
  const holder = readHolder(dataDirOf(process.env));
  if (!holder) throw new UsageError('The service does not run on this data. Start it with npm start.');
  const target = await openTarget(process.env);
  try {
    await replayFile(target.store, holder.bus, file, values);
  } finally {
    await target.close();
  }
};

run().catch((error: unknown) => {
  const isMistake = error instanceof NotAListError || error instanceof ReplayStuckError;
  console.error(isMistake ? error.message : explain(error));
  process.exitCode = 1;
});
