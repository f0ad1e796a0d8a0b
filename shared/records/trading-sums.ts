import {
  addTotals,
  type EndedTotals,
  groupOf,
  NO_TOTALS,
  readGroup,
  type Totals,
  totalsOfOne,
} from '../data/books/ended-totals.ts';
import type { TradingSummary } from '../data/books/summary.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import { add, decimal } from '../domain/money.ts';

/** Exact sums over trading deployments of one currency. */
export interface TradingSum extends Totals {
  /** Unrealised profit or loss of the open positions that have a price. */
  readonly unrealized_pnl: string;
  /** True if every open position has a price. */
  readonly is_priced: boolean;
  readonly today_pnl: string;
  /** Time of the oldest price behind `unrealized_pnl`. */
  readonly as_of: string | null;
}

/** Sums by group of deployments. */
type Part = readonly [group: string, sum: TradingSum];

const NO_SUM: TradingSum = {
  ...NO_TOTALS,
  unrealized_pnl: '0',
  is_priced: true,
  today_pnl: '0',
  as_of: null,
};

/** Returns the oldest time; null without any. */
export const oldest = (times: readonly (string | null)[]): string | null =>
  times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null);

const addSums = (left: TradingSum, right: TradingSum): TradingSum => ({
  ...addTotals(left, right),
  unrealized_pnl: add(left.unrealized_pnl, right.unrealized_pnl),
  is_priced: left.is_priced && right.is_priced,
  today_pnl: add(left.today_pnl, right.today_pnl),
  as_of: oldest([left.as_of, right.as_of]),
});

const openFigures = ({ positions, totals }: TradingSummary): Omit<TradingSum, keyof Totals> => ({
  unrealized_pnl: positions.reduce((sum, position) => add(sum, position.unrealized_pnl ?? '0'), '0'),
  is_priced: totals.unrealized_pnl !== null,
  today_pnl: totals.today_pnl,
  as_of: totals.as_of,
});

/** Returns all figures of deployments. */
export const wholeParts = (summaries: readonly TradingSummary[]): Part[] =>
  summaries.map((summary) => [groupOf(summary), { ...totalsOfOne(summary), ...openFigures(summary) }]);

/**
 * Returns the figures of running and exposed deployments, and the sums over all ended ones. The sums hold the
 * realised results of ended deployments, so an exposed one adds only its open positions here.
 */
export const allParts = (running: readonly TradingSummary[], ended: readonly EndedTotals[]): Part[] => [
  ...running.map((summary): Part => {
    const booked = isFinalDeploymentStatus(summary.status) ? NO_TOTALS : totalsOfOne(summary);
    return [groupOf(summary), { ...booked, ...openFigures(summary) }];
  }),
  ...ended.flatMap(({ groups }) =>
    Object.entries(groups).map(([group, totals]): Part => [group, { ...NO_SUM, ...totals }]),
  ),
];

/** Classifies an ended deployment as won or lost: neither if an open position has no price. */
const resultOf = ({ totals }: TradingSummary): Pick<Totals, 'won' | 'lost'> => {
  const sign = totals.unrealized_pnl === null ? 0 : decimal(totals.total_pnl).cmp(0);
  return { won: sign > 0 ? 1 : 0, lost: sign < 0 ? 1 : 0 };
};

/** Returns the figures of ended deployments with their open positions. */
export const endedParts = (summaries: readonly TradingSummary[]): Part[] =>
  summaries.map((summary) => [
    groupOf(summary),
    { ...totalsOfOne(summary), ...resultOf(summary), ...openFigures(summary) },
  ]);

/**
 * Returns the figures of all ended deployments: the sums of realised results, and the open positions of
 * `exposed`.
 */
export const allEndedParts = (ended: EndedTotals, exposed: readonly TradingSummary[]): Part[] => [
  ...allParts(exposed, [ended]),
  // The sums classified the deployment by its realised result.
  ...exposed.map((summary): Part => {
    const [result, booked] = [resultOf(summary), totalsOfOne(summary)];
    const change = { won: result.won - booked.won, lost: result.lost - booked.lost };
    return [groupOf(summary), { ...NO_SUM, ...change }];
  }),
];

const sumBy = (parts: readonly Part[], keyOf: (group: string) => string): Map<string, TradingSum> => {
  const sums = new Map<string, TradingSum>();
  for (const [group, sum] of parts) {
    const key = keyOf(group);
    sums.set(key, addSums(sums.get(key) ?? NO_SUM, sum));
  }
  return new Map([...sums].sort(([left], [right]) => (left < right ? -1 : 1)));
};

/** Sums by currency and broker, `USD|7`. */
export const sumByGroup = (parts: readonly Part[]): Map<string, TradingSum> => sumBy(parts, (group) => group);

export const sumByCurrency = (parts: readonly Part[]): Map<string, TradingSum> =>
  sumBy(parts, (group) => readGroup(group).currency);

/** Figures that add up across currencies: counts and lots. */
export const countAll = (
  parts: readonly Part[],
): Pick<Totals, 'deployments' | 'orders' | 'won' | 'lost' | 'trades' | 'wins' | 'fills' | 'lots'> =>
  parts.reduce<Totals>((sum, [, each]) => addTotals(sum, each), NO_TOTALS);

/** Adds up counts by status. */
export const countOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/**
 * Returns the currency of most deployments with its sums, for figures that show only one currency. Of
 * several, the first by code; null without deployments.
 */
export const mainCurrency = (
  sums: ReadonlyMap<string, TradingSum>,
): [currency: string | null, sum: TradingSum] => {
  let main: [string | null, TradingSum] = [null, NO_SUM];
  for (const [currency, sum] of sums) {
    if (main[0] === null || countOf(sum.deployments) > countOf(main[1].deployments)) main = [currency, sum];
  }
  return main;
};
