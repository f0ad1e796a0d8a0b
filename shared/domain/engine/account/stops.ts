import { HIGH, LOW, OPEN, START } from '../group.ts';
import { at } from '../memory.ts';
import type { Account, OpenTrade } from './account.ts';
import { closeSteps, dropClosed } from './exits.ts';
import { liquidate, liquidationPrice } from './liquidation.ts';
import { movedPrice } from './moved-price.ts';
import { type EntryPlace, isWorse, judge, judgeNextBar, throughLimit } from './within-bar.ts';

/** A trade that a bar entered, and the price from which on it is judged. */
export interface Entered {
  readonly trade: OpenTrade;
  readonly place: EntryPlace;
  readonly begin: number;
}

/** Fills the stop of a trade, at the price that the bar, or the trade, began with if that had passed it. */
const fillStop = (
  account: Account,
  trade: OpenTrade,
  bar: Float64Array,
  passed: number | undefined,
): void => {
  const { side, stop: expected, steps } = trade;
  const price = movedPrice(passed ?? expected, -side, account.settings.slippage_rate);
  const reason = trade.isTrailed ? 'trailing_stop' : 'stop_loss';
  closeSteps(account, trade, steps, { price, bar: account.bar, at: at(bar, START), expected }, reason);
};

const fillTarget = (
  account: Account,
  trade: OpenTrade,
  bar: Float64Array,
  passed: number | undefined,
): void => {
  const { target: expected, steps } = trade;
  const price = passed ?? expected;
  closeSteps(account, trade, steps, { price, bar: account.bar, at: at(bar, START), expected }, 'take_profit');
};

/** Returns whether a bar is far from a stop and a target, as most are. */
const isFar = (side: OpenTrade['side'], stop: number, target: number, bar: Float64Array): boolean =>
  side === 1
    ? !(at(bar, LOW) <= stop || at(bar, HIGH) >= target)
    : !(at(bar, HIGH) >= stop || at(bar, LOW) <= target);

/** Returns the price that fills the target of a trade. */
const targetOf = ({ settings }: Account, { side, target }: OpenTrade): number =>
  throughLimit(settings, side, target);

/** Returns whether a bar is far from the stops and targets of all trades. */
export const isFarFromAll = (account: Account, bar: Float64Array): boolean => {
  const { trades } = account;
  for (let index = 0; index < trades.length; index += 1) {
    const trade = trades[index];
    if (trade && !isFar(trade.side, trade.stop, targetOf(account, trade), bar)) return false;
  }
  return true;
};

/** Returns whether the liquidation comes before the stop of a trade. */
const isNearer = ({ side, stop }: OpenTrade, liquidation: number): boolean =>
  Number.isNaN(stop) || (liquidation - stop) * side > 0;

/** Outcome of judging trades: prices without a value are NaN. */
interface Judged {
  /** Worst price at which a trade was closed. */
  readonly closedAt: number;
  /** Place of the entry of a trade that was closed. */
  readonly place: EntryPlace;
  /** Price at which the account is liquidated. */
  readonly liquidatedAt: number;
}

const NOTHING: Judged = { closedAt: Number.NaN, place: 'open', liquidatedAt: Number.NaN };

/** Returns the price that is worse for a trade. The first may be NaN. */
const worseOf = (side: OpenTrade['side'], price: number, other: number): number =>
  isWorse(side, price, other) ? price : other;

/** Fills stops and targets once. A liquidation is left to the caller: stops that come before it move it. */
const judgeAll = (
  account: Account,
  bar: Float64Array,
  entered: readonly Entered[] | undefined,
  liquidation: number,
): Judged => {
  let judged = NOTHING;
  const count = entered ? entered.length : account.trades.length;
  for (let index = 0; index < count; index += 1) {
    const trade = entered ? entered[index]?.trade : account.trades[index];
    if (!trade || trade.steps === 0) continue;
    const { side } = trade;
    const target = targetOf(account, trade);
    const isLiquidation = isNearer(trade, liquidation);
    const stop = isLiquidation ? liquidation : trade.stop;
    if (isFar(side, stop, target, bar)) continue;
    const place = entered?.[index]?.place ?? 'open';
    const begin = entered?.[index]?.begin ?? at(bar, OPEN);
    const { fills, isPassed, isOpen } = judge({ side, stop, target }, place, begin, bar);
    if (isOpen) account.isOpenBar = true;
    if (isOpen || !isPassed || place !== 'open') account.isTouchedBar = true;
    if (!fills) continue;
    const passed = isPassed ? begin : undefined;
    const price = passed ?? (fills === 'target' ? trade.target : stop);
    if (fills === 'stop' && isLiquidation) {
      judged = { ...judged, liquidatedAt: worseOf(side, judged.liquidatedAt, price) };
      continue;
    }
    if (fills === 'target') fillTarget(account, trade, bar, passed);
    else fillStop(account, trade, bar, passed);
    judged = { ...judged, closedAt: worseOf(side, judged.closedAt, price), place };
  }
  return judged;
};

/** Returns the trades that are left, to judge them from the price on at which others were closed. */
const restOf = (
  { trades }: Account,
  bar: Float64Array,
  entered: readonly Entered[] | undefined,
  { closedAt, place }: Judged,
): Entered[] =>
  trades.map((trade) => {
    const own = entered?.find((one) => one.trade === trade) ?? { trade, place, begin: at(bar, OPEN) };
    return { ...own, begin: worseOf(trade.side, closedAt, own.begin) };
  });

const fillWorst = (account: Account, bar: Float64Array, entered: readonly Entered[] | undefined): void => {
  let left = entered;
  for (;;) {
    const liquidation = liquidationPrice(account);
    const judged = judgeAll(account, bar, left, liquidation);
    if (Number.isNaN(judged.closedAt)) {
      if (!Number.isNaN(judged.liquidatedAt)) liquidate(account, bar, judged.liquidatedAt, liquidation);
      return;
    }
    dropClosed(account);
    if (account.trades.length === 0) return;
    left = restOf(account, bar, left, judged);
  }
};

/** Fills the stop or the target of a trade by the convention of backtesting.py. */
export const fillNextBar = (
  account: Account,
  trade: OpenTrade,
  place: EntryPlace,
  bar: Float64Array,
): void => {
  const open = at(bar, OPEN);
  const { fills, isPassed, isOpen } = judgeNextBar(
    { side: trade.side, stop: trade.stop, target: targetOf(account, trade) },
    place,
    open,
    bar,
  );
  if (isOpen) account.isOpenBar = true;
  const passed = isPassed ? open : undefined;
  if (fills === 'stop') fillStop(account, trade, bar, passed);
  else if (fills === 'target') fillTarget(account, trade, bar, passed);
};

/**
 * Fills stops and targets, and liquidates the account, by a bar that belongs to the trades as a whole.
 *
 * @param entered the trades that the bar entered, to judge these alone; by default all trades, from its open on.
 */
export const fillStops = (account: Account, bar: Float64Array, entered?: readonly Entered[]): void => {
  if (account.settings.entry_bar === 'worst') {
    fillWorst(account, bar, entered);
    return;
  }
  for (const trade of entered ? entered.map((one) => one.trade) : account.trades) {
    if (!isFar(trade.side, trade.stop, targetOf(account, trade), bar))
      fillNextBar(account, trade, 'open', bar);
  }
  dropClosed(account);
};
