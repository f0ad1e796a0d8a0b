import { type TradingDays, tradingDaysOf } from '../candles/trading-days.ts';
import type { DeploymentPhase } from '../deployments/deployment-states.ts';
import { converted, type Decimal, decimal, scaled, toText, zero } from '../money.ts';
import { addDays, type Day } from '../periods.ts';
import { netOf, openPositions } from './account.ts';
import { daysOf, type Ledger } from './ledger-state.ts';
import { markOf } from './marks.ts';
import { averagePrice, type Position, unrealized } from './position.ts';
import { equityAt, pricesUntil, unclosedEndBefore } from './replay.ts';
import { unitsHeldFrom } from './splits.ts';

/** An open position valued at its newest price. Amounts are exact; callers round. */
export interface OpenPosition {
  readonly symbol: string;
  readonly side: 'long' | 'short';
  readonly quantity: string;
  readonly average_price: string;
  /** Newest of quote and fill. This and the next two are null without a quote. */
  readonly last_price: string | null;
  readonly unrealized_pnl: string | null;
  readonly as_of: string | null;
  readonly accrued_swap: string;
  readonly opened_at: string;
  /**
   * Cost in the deployment's currency, contract size and time of the last fill or split, for marking at read. Absent if the
   * symbol is quoted in another currency.
   */
  readonly basis?:
    | { readonly cost: string; readonly contract_size: string; readonly filled_at: number }
    | undefined;
  /** Value in the deployment's currency, positive for both sides. Present exactly if `basis` is absent. */
  readonly value?: string | undefined;
}

const sumOf = (amounts: readonly (string | null)[]): Decimal =>
  amounts.reduce((sum, amount) => sum.plus(amount ?? 0), zero());

const isoTime = (at: number): string => new Date(at).toISOString();

/** Returns the basis of a position, or its value if its prices need a rate. */
const valuation = (
  ledger: Ledger,
  symbol: string,
  position: Position,
): Pick<OpenPosition, 'basis' | 'value'> => {
  const size = ledger.contract_sizes[symbol] ?? '1';
  const { price, rate } = markOf(ledger, symbol, position, Number.POSITIVE_INFINITY, 'always');
  if (rate !== undefined) {
    const value = scaled(decimal(position.quantity).abs().times(price).times(size));
    return { value: toText(converted(value, rate)) };
  }
  const { cost } = position;
  // A last price up to a split has old units.
  const filledAt = unitsHeldFrom(ledger, symbol, position);
  return { basis: { cost, contract_size: size, filled_at: filledAt } };
};

/** Returns the open positions of a ledger. */
export const positionsOf = (ledger: Ledger): OpenPosition[] =>
  openPositions(ledger.head).map(([symbol, position]) => {
    const quantity = decimal(position.quantity);
    const size = ledger.contract_sizes[symbol] ?? '1';
    const mark = markOf(ledger, symbol, position);
    return {
      symbol,
      side: quantity.gt(0) ? 'long' : 'short',
      quantity: toText(quantity.abs()),
      average_price: toText(averagePrice(decimal(position.cost), quantity, size)),
      last_price: mark?.price ?? null,
      unrealized_pnl: mark === undefined ? null : toText(unrealized(position, mark.price, size, mark.rate)),
      as_of: mark === undefined ? null : isoTime(mark.at),
      accrued_swap: position.swap,
      opened_at: isoTime(position.opened_at),
      ...valuation(ledger, symbol, position),
    };
  });

/** Returns the swap by symbol: of open positions, and of the closed ones that were charged last. */
export const symbolTotals = (ledger: Ledger) =>
  Object.entries(ledger.head.symbols).map(([symbol, { position, swap, swap_at }]) => ({
    symbol,
    swap,
    accrued_swap: position?.swap ?? '0',
    realized_swap: toText(decimal(swap).minus(position?.swap ?? '0')),
    swap_at: swap_at === undefined ? null : isoTime(swap_at),
  }));

/** Returns the swap of all symbols, including those that have left the ledger. */
export const swapTotals = ({ head }: Ledger) => {
  const accrued = sumOf(openPositions(head).map(([, { swap }]) => swap));
  return {
    swap: head.swap,
    accrued_swap: toText(accrued),
    realized_swap: toText(decimal(head.swap).minus(accrued)),
  };
};

/** Totals of a deployment's ledger. */
export interface LedgerTotals {
  /** Net of fees and swap, which count when they are charged. */
  readonly realized_pnl: string;
  readonly gross: string;
  readonly fees: string;
  readonly swap: string;
  /** Null if an open position has no price; zero without open positions. */
  readonly unrealized_pnl: string | null;
  /** Time of the oldest price that `unrealized_pnl` uses. */
  readonly as_of: string | null;
  /**
   * Realised result plus the unrealised one as far as there are prices. If `unrealized_pnl` is null, this and the next
   * two figures are partial and must not be shown.
   */
  readonly total_pnl: string;
  /** Change of `total_pnl` on the day of the newest fill, charge or price, since the trading day before it. */
  readonly today_pnl: string;
  readonly equity: string;
  readonly lots: string;
  readonly traded_value: string;
  readonly fills: number;
  readonly trades_count: number;
  readonly wins: number;
  /** Trading day whose equity `today_pnl` counts from; undefined if there is none. */
  readonly closed_day?: Day | undefined;
  /** Calendars that decide the trading days. */
  readonly calendars: string[];
}

/** Returns the last trading day before `day`; undefined if there is none from the first one on. */
const tradingDayBefore = ({ isOpenOn }: TradingDays, day: Day, first: Day): Day | undefined => {
  let before = addDays(day, -1);
  while (before >= first && !isOpenOn(before)) before = addDays(before, -1);
  return before < first ? undefined : before;
};

/** Returns the equity at the beginning of a day. A day that has ended may not be closed yet. */
const equityBefore = (ledger: Ledger, day: Day): Decimal | string => {
  const end = unclosedEndBefore(ledger, ledger.head, day);
  return end === undefined
    ? ledger.head.equity.last
    : equityAt(ledger, ledger.head, pricesUntil(ledger, end));
};

/**
 * Returns totals as of a moment: without an event since a trading day ended, the result of the new day is zero. Returns
 * the same totals if their day is that of the moment.
 *
 * @param began time at which the deployment began.
 */
export const totalsAt = <T extends Pick<LedgerTotals, 'today_pnl' | 'closed_day' | 'calendars'>>(
  totals: T,
  at: number,
  began: number,
): T => {
  const days = tradingDaysOf(totals.calendars);
  const ended = tradingDayBefore(days, days.dayOf(at), days.dayOf(began));
  if (ended === undefined || (totals.closed_day ?? '') >= ended) return totals;
  return { ...totals, today_pnl: '0', closed_day: ended };
};

/** Computes the totals of a ledger. @param positions its open positions, if they are known. */
export const totalsOf = (
  ledger: Ledger,
  positions: readonly OpenPosition[] = positionsOf(ledger),
): LedgerTotals => {
  const { head } = ledger;
  const priced = sumOf(positions.map(({ unrealized_pnl }) => unrealized_pnl));
  const isPriced = positions.every(({ unrealized_pnl }) => unrealized_pnl !== null);
  const realized_pnl = netOf(head);
  const total = priced.plus(realized_pnl);
  const equity = total.plus(ledger.starting_capital);
  const times = positions.flatMap(({ as_of }) => as_of ?? []).sort();
  const days = daysOf(ledger);
  const newest = times.at(-1);
  const marked = newest === undefined ? head.day : days.dayOf(Date.parse(newest));
  const day = marked > head.day ? marked : head.day;
  return {
    realized_pnl,
    gross: head.gross,
    fees: head.fees,
    swap: head.swap,
    unrealized_pnl: isPriced ? toText(priced) : null,
    as_of: times[0] ?? null,
    total_pnl: toText(total),
    today_pnl: toText(equity.minus(equityBefore(ledger, day))),
    equity: toText(equity),
    lots: head.lots,
    traded_value: head.traded_value,
    fills: head.fills,
    trades_count: head.trades.count,
    wins: head.trades.wins,
    closed_day: tradingDayBefore(days, day, days.dayOf(ledger.started_at)),
    calendars: ledger.calendars,
  };
};

/** Returns the phase of a deployment in its cycle of entry and exit. */
export const phaseOf = (ledger: Ledger): DeploymentPhase => {
  if (openPositions(ledger.head).length > 0) return 'entered';
  return ledger.head.fills === 0 ? 'waiting' : 'exited';
};
