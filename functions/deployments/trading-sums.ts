import {
  addTotals,
  type EndedTotals,
  groupOf,
  NO_TOTALS,
  readGroup,
  type Totals,
  totalsOfOne,
} from '../../shared/data/books/ended-totals.ts';
import type { TradingSummary } from '../../shared/data/books/summary.ts';
import { isFinalDeploymentStatus } from '../../shared/domain/deployments/deployment-states.ts';
import { add, decimal } from '../../shared/domain/money.ts';

/** Sums over live deployments of one currency. Amounts are exact. */
export interface TradingSum extends Totals {
  /** What open positions are worth beyond their cost, as far as they have prices. */
  readonly unrealized_pnl: string;
  /** Whether every open position has a price. */
  readonly is_priced: boolean;
  readonly today_pnl: string;
  /** The oldest price that `unrealized_pnl` rests on. */
  readonly as_of: string | null;
}

/** Sums by the group of deployments that they are of. */
type Part = readonly [group: string, sum: TradingSum];

const NO_SUM: TradingSum = {
  ...NO_TOTALS,
  unrealized_pnl: '0',
  is_priced: true,
  today_pnl: '0',
  as_of: null,
};

/** The oldest of the times that there are. */
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

/** All figures of deployments. */
export const wholeParts = (summaries: readonly TradingSummary[]): Part[] =>
  summaries.map((summary) => [groupOf(summary), { ...totalsOfOne(summary), ...openFigures(summary) }]);

/**
 * The figures of deployments that run or are exposed beside the sums over all that have ended: what an ended
 * one has realised is in those sums, and only what it has open counts here.
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

/** Whether a deployment that has ended counts as won or lost: neither where an open position has no price. */
const resultOf = ({ totals }: TradingSummary): Pick<Totals, 'won' | 'lost'> => {
  const sign = totals.unrealized_pnl === null ? 0 : decimal(totals.total_pnl).cmp(0);
  return { won: sign > 0 ? 1 : 0, lost: sign < 0 ? 1 : 0 };
};

/** The figures of deployments that have ended, with what they have open. */
export const endedParts = (summaries: readonly TradingSummary[]): Part[] =>
  summaries.map((summary) => [
    groupOf(summary),
    { ...totalsOfOne(summary), ...resultOf(summary), ...openFigures(summary) },
  ]);

/** The figures of all deployments that have ended: the sums over what they realised, and what `exposed` have open. */
export const allEndedParts = (ended: EndedTotals, exposed: readonly TradingSummary[]): Part[] => [
  ...allParts(exposed, [ended]),
  // The sums count a deployment by what it realised.
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

/** What can be added over currencies: counts, and lots. */
export const countAll = (
  parts: readonly Part[],
): Pick<Totals, 'deployments' | 'orders' | 'won' | 'lost' | 'trades' | 'wins' | 'fills' | 'lots'> =>
  parts.reduce<Totals>((sum, [, each]) => addTotals(sum, each), NO_TOTALS);

/** The sum of counts by status. */
export const countOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/**
 * The currency of most deployments, with its sums: where figures of one currency have to stand for all. Of
 * several the first by its code; null without any deployment.
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
