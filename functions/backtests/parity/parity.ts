import type * as z from 'zod';
import { HubError } from '../../../shared/api/errors.ts';
import { findAllOrders, type StoredOrder } from '../../../shared/data/books/orders.ts';
import { findTradeRange } from '../../../shared/data/books/trades.ts';
import { countLateBars, type WantedBars } from '../../../shared/data/candles/read-bars.ts';
import { readManyClosedBars } from '../../../shared/data/candles/read-closed.ts';
import { asSeries, type Series } from '../../../shared/data/candles/series.ts';
import { hasRealOrders, type TradingDeployment } from '../../../shared/data/deployments/deployments.ts';
import { commandsOf, type Recorded } from '../../../shared/data/engine/inputs.ts';
import type { DeploymentSetup, LegStart } from '../../../shared/data/engine/setups.ts';
import { asStoredProgram, type StoredProgram } from '../../../shared/data/engine/states.ts';
import { type Sub, subIn, subKeys } from '../../../shared/data/engine/subscriptions.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { type BarColumns, barCount } from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { closeTimeOf } from '../../../shared/domain/candles/close-time.ts';
import type { BacktestSetupLeg } from '../../../shared/domain/engine/backtest/setup.ts';
import { storedRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
import type { Difference } from '../../../shared/domain/engine/parity/compare.ts';
import { normaliseSymbol } from '../../../shared/domain/instruments/instruments.ts';
import type { parityOut } from '../records/parity.ts';
import { workPerBar } from '../setup/setup.ts';
import { type AttributedLeg, attributeLeg } from './attribute-leg.ts';
import { type ComparedLeg, compareLeg } from './compare-leg.ts';
import { presentAttribution } from './present-attribution.ts';

/** Orders that one comparison reads, at about 700 bytes each. Each closes at most one trade. */
export const MAX_ORDERS = 5000;
/** Work of one comparison: bars, times indicators and conditions. */
const MAX_WORK = 2_000_000;
/** Differences that an answer shows. */
const MAX_SHOWN = 100;

type Presented = z.output<typeof parityOut>;

/** A deployment to compare with its backtest. */
interface Subject {
  readonly deployment: TradingDeployment;
  readonly setup: DeploymentSetup;
  readonly starts: readonly LegStart[];
  readonly recorded: Recorded;
  readonly usedOf: (symbol: string) => ReadonlyMap<number, BarColumns>;
}

interface Asked {
  /** Symbol to compare alone. */
  readonly symbol: string | undefined;
  /** Charges work, and does it. */
  readonly charge: <T>(work: number, run: () => T) => Promise<T>;
}

interface Leg {
  readonly leg: BacktestSetupLeg;
  readonly program_id: string;
  readonly start: LegStart;
}

interface FoundLeg extends Leg {
  readonly series: Series | undefined;
  readonly program: StoredProgram | undefined;
  readonly sub: Sub | undefined;
}

const legsOf = ({ setup, starts }: Subject, symbol: string | undefined): Leg[] =>
  setup.setup.legs.flatMap((leg, index) => {
    const start = starts[index];
    const program_id = setup.program_ids[index];
    if (!start || program_id === undefined) return [];
    return symbol === undefined || leg.symbol === symbol ? [{ leg, program_id, start }] : [];
  });

const findLegs = async (store: Store, id: number, legs: readonly Leg[]): Promise<FoundLeg[]> => {
  const items = await store.getMany(
    legs.flatMap(({ leg, program_id }) => [
      keys.series(leg.symbol, leg.source),
      keys.programState(program_id),
      ...subKeys(program_id, id),
    ]),
    { consistent: true },
  );
  return legs.map((one) => ({
    ...one,
    series: asSeries(itemWith(items, keys.series(one.leg.symbol, one.leg.source))),
    program: asStoredProgram(itemWith(items, keys.programState(one.program_id))),
    sub: subIn(items, one.program_id, id),
  }));
};

/** Returns whether the series of a leg was split since the account began. */
const wasSplit = ({ series, start }: FoundLeg): boolean =>
  series?.splits?.some(({ at }) => at > start.joined_at) === true;

/** A backtest over candles in new units has other quantities than the orders before the split. */
const splitMeanwhile = () =>
  new HubError(
    'state_conflict',
    'A symbol of the deployment was split since it began, so no backtest has the same trades.',
  );

/** Lists orders of symbols that the deployment does not have. */
const strangers = (orders: readonly StoredOrder[], { setup }: Subject): Difference[] => {
  const known = new Set(setup.setup.legs.map(({ symbol }) => symbol));
  return orders
    .filter(({ symbol }) => !known.has(symbol))
    .map(({ symbol, updated_at: at, client_order_id }) => ({
      kind: 'order',
      symbol,
      at,
      expected: null,
      found: client_order_id,
    }));
};

const iso = (at: number): string => new Date(at).toISOString();

interface Comparison {
  readonly compared: readonly ComparedLeg[];
  readonly left_out: readonly string[];
  /** Differences of symbols that the deployment does not have. */
  readonly more: readonly Difference[];
  readonly late_bars: number;
  /** Symbols with real orders. */
  readonly attributed: readonly AttributedLeg[] | undefined;
}

const present = (
  { deployment_id: id, currency }: TradingDeployment,
  { compared, left_out, more, late_bars, attributed }: Comparison,
): Presented => {
  const differences = [...compared.flatMap((leg) => leg.differences), ...more].toSorted(
    (left, right) => left.at - right.at,
  );
  const sum = (count: (leg: ComparedLeg) => number) => compared.reduce((total, leg) => total + count(leg), 0);
  const seen = compared.filter(({ bars }) => bars > 0);
  return {
    deployment_id: id,
    is_equal: differences.length === 0,
    is_complete: left_out.length === 0,
    compared: {
      symbols: compared.map(({ symbol }) => symbol),
      bars: sum(({ bars }) => bars),
      late_bars,
      orders: sum(({ orders }) => orders),
      trades: sum(({ trades }) => trades),
      from: seen.length === 0 ? null : iso(Math.min(...seen.map(({ from }) => from))),
      to: seen.length === 0 ? null : iso(Math.max(...seen.map(({ to }) => to))),
    },
    left_out: [...left_out],
    differences_count: differences.length,
    differences: differences.slice(0, MAX_SHOWN).map((one) => ({ ...one, at: iso(one.at) })),
    attribution: attributed ? presentAttribution(attributed, currency) : null,
  };
};

/**
 * Compares a deployment with a backtest of its setup over the bars that its programs have seen, in at most four calls, and
 * two more if bars arrived late.
 *
 * @returns undefined if the deployment does not have the symbol.
 */
export const compareDeployment = async (
  store: Store,
  subject: Subject,
  { symbol: named, charge }: Asked,
): Promise<Presented | undefined> => {
  const { deployment, setup, recorded, usedOf } = subject;
  const { deployment_id: id } = deployment;
  const symbol = named === undefined ? undefined : (normaliseSymbol(named) ?? '');
  const legs = legsOf(subject, symbol);
  if (symbol !== undefined && legs.length === 0) return undefined;
  const found = await findLegs(store, id, legs);
  if (found.some(wasSplit)) throw splitMeanwhile();
  // Later than the accounts: an order of a bar that an account has seen is in the book.
  const [orders, trades] = await Promise.all([
    findAllOrders(store, id),
    findTradeRange(store, id, { first: 1, last: MAX_ORDERS }),
  ]);
  trades.reverse();
  const withBars = found.flatMap((one) => (one.series ? [{ ...one, series: one.series }] : []));
  const bars = await readManyClosedBars(
    store,
    withBars.map(({ series, start }) => ({
      series,
      timeframe: setup.setup.timeframe,
      after: start.from - 1,
      isBar: false,
    })),
  );
  const rules = storedRules(setup.setup);
  const chosen: { one: (typeof withBars)[number]; own: BarColumns }[] = [];
  const leftOut: string[] = [];
  let work = 0;
  for (const [index, one] of withBars.entries()) {
    const own = bars[index];
    const cost = own ? barCount(own) * workPerBar(rules) : Number.POSITIVE_INFINITY;
    if (!own || work + cost > MAX_WORK) {
      leftOut.push(one.leg.symbol);
      continue;
    }
    work += cost;
    chosen.push({ one, own });
  }
  const storedLegs = chosen.map(({ one, own }) => ({
    ...one,
    deployment,
    rehearsal: {
      setup: setup.setup,
      rules,
      leg: one.leg,
      joinedAt: one.start.joined_at,
      bars: own,
      used: usedOf(one.leg.symbol),
      inputs: recorded.inputs.filter((input) => input.symbol === one.leg.symbol),
      holds: commandsOf(recorded.commands, one.leg.symbol),
      refusals: recorded.refusals.filter((refusal) => refusal.symbol === one.leg.symbol),
    },
    orders: orders.filter((order) => order.symbol === one.leg.symbol),
    trades: trades.filter((trade) => trade.symbol === one.leg.symbol),
  }));
  const isReal = hasRealOrders(deployment);
  const { compared, attributed } = await charge(work, () => {
    if (!isReal) return { compared: storedLegs.map(compareLeg), attributed: undefined };
    const legs = storedLegs.map(attributeLeg);
    return { compared: legs, attributed: legs };
  });
  const ranges = chosen.flatMap(({ one }, index): WantedBars[] => {
    const leg = compared[index];
    if (!leg || leg.bars === 0) return [];
    const end = closeTimeOf(calendarById(one.series.calendar), setup.setup.timeframe, leg.to);
    // The first bars of the deployment may be the late ones.
    return [{ series: one.series, range: { from: one.start.joined_at + 1, to: end } }];
  });
  return present(deployment, {
    compared,
    left_out: leftOut,
    more: symbol === undefined ? strangers(orders, subject) : [],
    late_bars: await countLateBars(store, ranges),
    attributed,
  });
};
