import { findSeries, type Series } from '../../shared/data/candles/series.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { parseBarTime } from '../../shared/domain/candles/bar-time.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { parseRatio, ratioText } from '../../shared/domain/splits/ratio.ts';
import type { SeriesSplit } from '../../shared/domain/splits/split-bars.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';
import { declareSplit, SplitRefusedError, withdrawSplit } from '../../shared/lifecycle/declare-split.ts';
import { withExisting } from '../catalogue/target.ts';
import { oneOf, UsageError } from './command-line.ts';
import { explainAws } from './explain-aws.ts';
import { readOptions } from './read-options.ts';

const HELP = `Declares a split of a series of candles, before its first candle in new units is stored.

  npm run declare-split -- --symbol AAPL --timeframe 1d --ratio 4:1 --at 2026-11-24
  npm run declare-split -- --symbol AAPL --timeframe 1d
  npm run declare-split -- --symbol AAPL --timeframe 1d --withdraw

At the first candle from that time on, the service restates the accounts and programs of the series. Without --ratio, the
splits of the series are shown.

  --symbol SYMBOL        instrument
  --timeframe TIMEFRAME  ${TIMEFRAMES.join(', ')}
  --ratio NEW:OLD        4:1 makes four shares of one, 1:10 one of ten
  --at TIME              start of the first candle in new units, as the file of import-candles has it
  --withdraw             withdraws the declared split, unless it has begun

Where to: HUB_DYNAMODB_ENDPOINT, HUB_TABLE or HUB_DATA_DIR, as for npm run import-candles.
`;

const readArguments = () =>
  readOptions(HELP, {
    options: {
      symbol: { type: 'string' },
      timeframe: { type: 'string' },
      ratio: { type: 'string' },
      at: { type: 'string' },
      withdraw: { type: 'boolean', default: false },
    },
  });

type Options = ReturnType<typeof readArguments>['values'];

const readSeries = async (store: Store, options: Options): Promise<Series> => {
  if (options.symbol === undefined) throw new UsageError('--symbol is missing. See --help.');
  const symbol = options.symbol.toUpperCase();
  const timeframe = oneOf('timeframe', TIMEFRAMES, options.timeframe);
  const [series] = await findSeries(store, symbol, [timeframe]);
  if (!series) throw new UsageError(`There are no candles of ${symbol} ${timeframe}.`);
  return series;
};

const splitIn = ({ ratio: text, at: time }: Options, { calendar: id, timeframe }: Series): SeriesSplit => {
  const ratio = parseRatio(text ?? '');
  if (!ratio) throw new UsageError(`--ratio is no ratio such as 4:1: ${text}`);
  const calendar = calendarById(id);
  if (time === undefined) throw new UsageError('--at is missing. See --help.');
  const at = parseBarTime(time, calendar, timeframe, calendar.timeZone);
  if (typeof at === 'string') throw new UsageError(`--at: ${at}. See --help.`);
  return { ...ratio, at };
};

const textOf = ({ at, ...ratio }: SeriesSplit): string =>
  `${ratioText(ratio)} at ${new Date(at).toISOString()}`;

const show = ({ split, splits = [] }: Series): void => {
  for (const one of splits) console.log(`${textOf(one)}: done`);
  if (split) console.log(`${textOf(split)}: ${split.started ? 'begun' : 'declared'}`);
  if (!split && splits.length === 0) console.log('No split is declared.');
};

const work = async (store: Store, options: Options): Promise<void> => {
  const series = await readSeries(store, options);
  if (options.withdraw) {
    const withdrawn = await withdrawSplit(store, series);
    console.log(withdrawn ? `${textOf(withdrawn)} is withdrawn.` : 'No split is declared.');
    return;
  }
  if (options.ratio === undefined) return show(series);
  const split = splitIn(options, series);
  const isMeant = ({ timeframe }: Series): boolean => timeframe === series.timeframe;
  const [after] = await declareSplit(store, series.symbol, isMeant, split, new Date());
  if (after) show(after);
};

const run = async (): Promise<void> => {
  const { values } = readArguments();
  if (values.withdraw && values.ratio !== undefined) {
    throw new UsageError('--withdraw and --ratio exclude each other.');
  }
  await withExisting(process.env, ({ store }) => work(store, values));
};

run().catch((error: unknown) => {
  console.error(error instanceof SplitRefusedError ? error.message : explainAws(error));
  process.exitCode = 1;
});
