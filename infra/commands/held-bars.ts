import { heldBar, isAfterSplit, settleHeldBar } from '../../shared/data/candles/held-bars.ts';
import { findReadableSeries, newestBar, type Series } from '../../shared/data/candles/series.ts';
import { listSeriesInUse } from '../../shared/data/engine/series-in-use.ts';
import type { OnDamaged } from '../../shared/data/table/damaged-items.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';
import { withExisting } from '../catalogue/target.ts';
import { oneOf, UsageError } from './command-line.ts';
import { explainAws } from './explain-aws.ts';
import { readOptions } from './read-options.ts';

const HELP = `Shows bars that are held because they open beyond the jump limit, and confirms or drops one.

  npm run held-bars
  npm run held-bars -- --symbol SPY --timeframe 1d [--confirm | --drop]

The next bar of the feed confirms or drops a held bar by itself. Confirm one earlier if the price is right. Without a
symbol, the series that active deployments use are shown.

  --symbol SYMBOL        instrument
  --timeframe TIMEFRAME  ${TIMEFRAMES.join(', ')}
  --confirm              appends the bar
  --drop                 drops the bar

Where to: HUB_DYNAMODB_ENDPOINT, HUB_TABLE or HUB_DATA_DIR, as for npm run import-candles.
`;

const readArguments = () =>
  readOptions(HELP, {
    options: {
      symbol: { type: 'string' },
      timeframe: { type: 'string' },
      confirm: { type: 'boolean', default: false },
      drop: { type: 'boolean', default: false },
    },
  });

type Options = ReturnType<typeof readArguments>['values'];

const isoOf = (at: number): string => new Date(at).toISOString();

const lineOf = (series: Series): string | undefined => {
  const bar = heldBar(series);
  const last = newestBar(series);
  return bar && last
    ? `${series.symbol} ${series.timeframe} ${isoOf(bar.start)}: open ${bar.open}, close ${bar.close}, after a close of ${last.close} at ${isoOf(last.start)}`
    : undefined;
};

/** Names a record that cannot be read. It does not hide the others. */
const nameDamaged: OnDamaged = ({ message }) => {
  console.error(message);
  process.exitCode = 1;
};

const seriesOf = async (store: Store, options: Options): Promise<Series[]> => {
  const wanted =
    options.symbol === undefined
      ? await listSeriesInUse(store, nameDamaged)
      : [
          {
            symbol: options.symbol.toUpperCase(),
            timeframe: oneOf('timeframe', TIMEFRAMES, options.timeframe),
          },
        ];
  return findReadableSeries(store, wanted, nameDamaged, { consistent: true });
};

const settle = async (store: Store, series: Series, verdict: 'confirm' | 'drop'): Promise<void> => {
  const bar = heldBar(series);
  if (bar && verdict === 'confirm' && isAfterSplit(series, bar)) {
    throw new UsageError('The bar comes after a declared split. The next bar of the feed judges it again.');
  }
  const isSettled = bar !== undefined && (await settleHeldBar(store, series, bar, verdict));
  if (!isSettled) throw new UsageError(`${series.symbol} ${series.timeframe} holds no such bar any more.`);
  console.log(verdict === 'confirm' ? 'The bar is appended.' : 'The bar is dropped.');
};

const work = async (store: Store, options: Options): Promise<void> => {
  const held = (await seriesOf(store, options)).filter((series) => heldBar(series));
  for (const series of held) console.log(lineOf(series));
  if (held.length === 0) console.log('No bar is held.');
  const verdict = options.confirm ? 'confirm' : 'drop';
  const [series] = held;
  if ((options.confirm || options.drop) && series) await settle(store, series, verdict);
};

const run = async (): Promise<void> => {
  const { values } = readArguments();
  if (values.confirm && values.drop) throw new UsageError('--confirm and --drop exclude each other.');
  if ((values.confirm || values.drop) && values.symbol === undefined) {
    throw new UsageError('--symbol is missing. See --help.');
  }
  await withExisting(process.env, ({ store }) => work(store, values));
};

run().catch((error: unknown) => {
  console.error(explainAws(error));
  process.exitCode = 1;
});
