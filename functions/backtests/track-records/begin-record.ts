import { jobWrites, QUEUED } from '../../../shared/data/backtests/jobs.ts';
import { leaving, renewal } from '../../../shared/data/backtests/leases.ts';
import { setupWrite } from '../../../shared/data/backtests/results.ts';
import { changeHead } from '../../../shared/data/candles/change-head.ts';
import { type FoundMarket, marketIn, marketKeys } from '../../../shared/data/candles/markets.ts';
import { closedUntil } from '../../../shared/data/candles/read-candles.ts';
import { newestBar, type Series } from '../../../shared/data/candles/series.ts';
import { directionOf, rulesIn } from '../../../shared/data/strategies/strategy-rules.ts';
import type { RecordReason, TrackRecord } from '../../../shared/data/strategies/track-records.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { countWrites } from '../../../shared/data/track-records/counts.ts';
import { makeSetup } from '../../../shared/domain/engine/backtest/make-setup.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import { currencyOf } from '../../../shared/domain/engine/backtest/terms.ts';
import { warmUpOf } from '../../../shared/domain/engine/backtest/warm-up.ts';
import { resolveParams } from '../../../shared/domain/engine/rules/params.ts';
import { ENGINE_VERSION } from '../../../shared/domain/engine/version.ts';
import type { Instrument } from '../../../shared/domain/instruments/instrument-records.ts';
import { NO_FIGURES } from '../../../shared/domain/track-records/figures.ts';
import { RECORD_ACCOUNT, recordCosts, withCosts } from '../../../shared/domain/track-records/terms.ts';
import { integerId, textId } from '../../../shared/ids.ts';
import type { HeldRecord } from './lease.ts';
import { isReference } from './reference-sources.ts';
import { writeHeldRecord } from './write-held-record.ts';

const DAY_MS = 86_400_000;

/** A symbol with reference candles and an instrument, whose facts are kept from now on. */
interface Market extends FoundMarket {
  readonly series: Series;
  readonly instrument: Instrument;
}

const hasBoth = (market: FoundMarket): market is Market =>
  market.series !== undefined && market.instrument !== undefined;

/** Returns the smaller series of the source that a record is made of: one source decides all fills of a symbol. */
const ofSource = (smaller: readonly Series[], { source }: Series): Series[] =>
  smaller.filter((one) => one.source === source);

/** Returns the setup of a record, which never changes. */
const setupOf = (
  record: TrackRecord,
  rules: ReturnType<typeof rulesIn>,
  markets: readonly Market[],
): BacktestSetup => {
  const result = resolveParams(rules, {});
  if (!('rules' in result)) throw new Error('the stored rules of a strategy do not fit their parameters');
  const from = Date.parse(record.started_at);
  const first = Math.min(...markets.map(({ series }) => series.first));
  const { timeframe, symbols, shares } = record;
  const setup = makeSetup({
    rules,
    resolved: result.rules,
    params: {},
    timeframe,
    markets: markets.map(({ series, smaller, instrument }) => ({
      symbol: series.symbol,
      source: series.timeframe,
      calendar: series.calendar,
      asset_class: series.asset_class,
      smaller: ofSource(smaller, series).map((one) => one.timeframe),
      instrument,
      to: Number.MAX_SAFE_INTEGER,
    })),
    strategy: {
      legs: symbols.map((symbol, index) => ({ symbol, weight: shares[index] ?? 0 })),
      direction: directionOf(rules),
    },
    account: RECORD_ACCOUNT,
    from,
    read_from: Math.max(first, from - warmUpOf(result.rules, timeframe)),
  });
  return withCosts(
    setup,
    markets.map(({ series, instrument }) => recordCosts(instrument, newestBar(series)?.close)),
  );
};

/** Returns the setup of the backtest over all bars before a record; undefined if there are none. */
const setupBefore = (setup: BacktestSetup, markets: readonly Market[]): BacktestSetup | undefined => {
  const { from: start = 0, ...rest } = setup;
  const legs = setup.legs.map((leg, index) => {
    const series = markets[index]?.series;
    return { ...leg, to: series ? Math.min(start, closedUntil(series, setup.timeframe)) : start };
  });
  const first = Math.min(...markets.map(({ series }) => series.first));
  return legs.some(({ to }) => first < to) ? { ...rest, read_from: first, legs } : undefined;
};

/** Lets imports only correct the bars of a series from a moment on: what a record has taken stays as it was. */
const anchor = async (store: Store, series: Series, from: number): Promise<void> => {
  await changeHead(store, series, (stored) =>
    stored.appended_from !== undefined && stored.appended_from <= from
      ? undefined
      : { ...stored, appended_from: Math.max(from, stored.first) },
  );
};

/** Returns the fields that count a record, once, and the writes. */
const counting = async (store: Store, { author, number }: TrackRecord, now: Date) => {
  if (number !== undefined) return { fields: {}, numberOfDay: 1, writes: [] };
  const [item] = await store.getMany([keys.recordCount(author)], { consistent: true });
  const counted = countWrites(author, item, now);
  return {
    fields: { number: counted.number, author_records: counted.number },
    numberOfDay: counted.numberOfDay,
    writes: counted.writes,
  };
};

type Counted = Awaited<ReturnType<typeof counting>>;

const DUE_AGAIN_MS = DAY_MS;

/** Leaves a record without reference candles to a later day. */
const wait = async (
  { runtime, lease }: HeldRecord,
  { fields, writes }: Counted,
  reason: RecordReason,
): Promise<undefined> => {
  const set = { ...fields, state: 'waiting', reason, attempts: 0 };
  const head = leaving(lease, set, runtime.clock().getTime() + DUE_AGAIN_MS);
  await writeHeldRecord(runtime, head, async () => writes);
  return undefined;
};

/** Most records of an author and day that have a backtest of before: it costs as much as one that is charged. */
const MOST_BEFORE = 20;

/**
 * Begins the work on a track record: counts it, finds the reference candles, keeps the facts that decide it, and starts
 * the backtest of before.
 *
 * @returns the record; undefined if it waits for candles.
 */
export const beginRecord = async (held: HeldRecord): Promise<TrackRecord | undefined> => {
  const { runtime, lease, record } = held;
  const { store, clock, random } = runtime;
  const { symbols, timeframe } = record;
  const counted = await counting(store, record, clock());
  const rulesKey = keys.rules(record.rules_hash);
  const items = await store.getMany(
    [rulesKey, ...symbols.flatMap((symbol) => marketKeys(symbol, timeframe))],
    { consistent: true },
  );
  const found = symbols.map((symbol) =>
    marketIn(items, symbol, timeframe, { isTaken: (series) => isReference(runtime, series) }),
  );
  const markets = found.filter(hasBoth);
  if (markets.length < symbols.length) return wait(held, counted, 'no_reference_candles');
  if (new Set(markets.map(({ instrument }) => currencyOf(instrument))).size > 1) {
    return wait(held, counted, 'currencies_differ');
  }
  const setup = setupOf(record, rulesIn(itemWith(items, rulesKey)), markets);
  for (const { series, smaller } of markets) {
    const used = new Map([series, ...ofSource(smaller, series)].map((one) => [one.timeframe, one]));
    for (const one of used.values()) await anchor(store, one, setup.read_from);
  }
  const now = clock();
  const before = counted.numberOfDay > MOST_BEFORE ? undefined : setupBefore(setup, markets);
  const backtestId = integerId(now, random);
  const fields: Partial<TrackRecord> = {
    state: 'computing',
    reason: undefined,
    engine_version: ENGINE_VERSION,
    sources: markets.map(({ series }) => series.source),
    splits: markets.map(({ series }) => series.splits?.length ?? 0),
    ...(before
      ? { backtest_id: backtestId, backtest: { status: 'computing', figures: null } }
      : {
          backtest: {
            status: 'done' as const,
            figures: counted.numberOfDay > MOST_BEFORE ? null : NO_FIGURES,
          },
        }),
  };
  const { author, record_id, user_id, strategy_id, rules_hash } = record;
  const head = renewal(lease, { ...counted.fields, ...fields }, now);
  await writeHeldRecord(runtime, head, async () => [
    ...counted.writes,
    setupWrite(record_id, setup),
    ...(before
      ? [
          setupWrite(backtestId, before),
          ...jobWrites(
            {
              ...QUEUED,
              backtest_id: backtestId,
              user_id,
              strategy_id,
              symbols,
              timeframe,
              candles: 'hub',
              rules_hash,
              work: 0,
              created_at: now.toISOString(),
              record: { author, record_id },
              notices: [],
            },
            textId(random),
            now,
          ),
        ]
      : []),
  ]);
  return { ...record, ...fields, ...counted.fields };
};
