import { type BarColumns, readBar } from '../../candles/bars.ts';
import { CLOSE, COUNT, OPEN, START } from '../group.ts';
import { at } from '../memory.ts';
import { ANY_SIGNAL, EVALUATED, MISSED_SQUARE_OFF, SQUARE_OFF } from '../observation.ts';
import type { TradingPlan } from '../plan.ts';
import { type Account, expose, type OpenTrade, timeAtClose } from './account.ts';
import { cancelOrders, decide, maintain, type Rests, requestCloses, requestStops } from './decisions.ts';
import { bookEntries, fillOrders } from './entries.ts';
import { widenRanges } from './excursions.ts';
import { closeAll, fillCloses, type MarketFill } from './exits.ts';
import { fillBar, fillRequested } from './fills.ts';
import { liquidateOnly, reachesLiquidation } from './liquidation.ts';
import { equityAt } from './sizing.ts';
import { fillStops, isFarFromAll } from './stops.ts';

const openFill = (account: Account, bar: Float64Array): MarketFill => ({
  price: at(bar, OPEN),
  bar: account.bar,
  at: at(bar, START),
  expected: account.close,
});

const closeFill = (account: Account, bar: Float64Array): MarketFill => ({
  price: at(bar, CLOSE),
  bar: account.bar,
  at: Math.max(at(bar, START), account.filledAt),
  expected: at(bar, CLOSE),
});

const marketFill = (account: Account, bar: Float64Array): MarketFill =>
  account.settings.fill_at === 'signal_close'
    ? { price: account.close, bar: account.bar - 1, at: timeAtClose(account), expected: account.close }
    : openFill(account, bar);

/** Fills what was placed before. Most bars of a trade only look at its stop and its target. */
const fillPlaced = (account: Account, plan: TradingPlan, bar: Float64Array, within?: BarColumns): void => {
  if (within) {
    const first = new Float64Array(COUNT);
    readBar(within, 0, first);
    fillBar(account, plan, bar, marketFill(account, first), within);
  } else if (account.isClosing || account.orders.length > 0 || account.settings.swap) {
    fillBar(account, plan, bar, marketFill(account, bar));
  } else if (reachesLiquidation(account, bar) || (plan.hasStops && !isFarFromAll(account, bar))) {
    fillStops(account, bar);
  }
};

/** Returns an account whose fills leave the given one as it is. */
const copyOf = (account: Account): Account => ({
  ...account,
  trades: account.trades.map((trade) => ({ ...trade })),
  orders: [...account.orders],
  closed: [],
  cancelled: [],
  isOpenBar: false,
  isTouchedBar: false,
  journal: undefined,
});

/** Returns an account after the fills of a bar as a whole; undefined if none depends on smaller bars. */
const tryBar = (plan: TradingPlan, account: Account, bar: Float64Array): Account | undefined => {
  if (account.isHalted || account.isRuined || account.settings.entry_bar === 'next_bar') return undefined;
  if (account.trades.length === 0 && account.orders.length === 0) return undefined;
  const copy = copyOf(account);
  fillPlaced(copy, plan, bar);
  return copy;
};

/**
 * Returns whether a bar reaches a level after its open, so that smaller bars decide about its fills. Leaves the account as
 * it is.
 */
export const needsSmaller = (plan: TradingPlan, account: Account, bar: Float64Array): boolean => {
  const isHeld = account.orders.length === 0 && !account.isClosing;
  if (isHeld && isFarFromAll(account, bar) && !reachesLiquidation(account, bar)) return false;
  return tryBar(plan, account, bar)?.isTouchedBar === true;
};

/** Counts a bar that left a fill open: against the trader, or decided by smaller bars. */
const countOpen = (account: Account): void => {
  if (account.isOpenBar) account.ambiguousBars += 1;
  else account.resolvedBars += 1;
  account.isOpenBar = false;
};

const mark = (account: Account, bar: Float64Array): void => {
  if (account.trades.length === 0) {
    account.equity = account.cash;
    return;
  }
  widenRanges(account, bar);
  account.equity = equityAt(account, at(bar, CLOSE));
};

/**
 * Ends an account whose equity is used up. By the convention of backtesting.py, everything closes at this close, and
 * equity is zero from now on; else the trades were liquidated, and equity is what that has left.
 */
const ruin = (account: Account, plan: TradingPlan, bar: Float64Array): void => {
  closeAll(account, closeFill(account, bar), 'ruin');
  cancelOrders(account, plan, 'ruin');
  if (account.settings.entry_bar === 'next_bar') account.cash = 0;
  account.equity = account.cash;
  account.isRuined = true;
};

/** Marks an account at the close of a bar, and ends it if nothing is left. Returns whether it goes on. */
const goesOn = (account: Account, plan: TradingPlan, bar: Float64Array): boolean => {
  mark(account, bar);
  if (account.equity > 0) return true;
  ruin(account, plan, bar);
  return false;
};

/** Ends all orders and trades of a session at the next market fill. */
const squareOff = (account: Account, plan: TradingPlan): void => {
  if (account.orders.length > 0) cancelOrders(account, plan, 'square_off');
  if (account.trades.length > 0) requestCloses(account, 0, 1, 'square_off');
};

/** Ends all orders and trades of a session at the close of its last bar. */
const squareOffAtClose = (account: Account, plan: TradingPlan, bar: Float64Array): void => {
  squareOff(account, plan);
  if (account.trades.length === 0 || account.isReported) return;
  fillCloses(account, closeFill(account, bar));
  account.equity = account.cash;
};

/** Ends all orders and trades of a session whose last bars are missing, at the open of the next session. */
const squareOffLate = (account: Account, plan: TradingPlan, bar: Float64Array): void => {
  cancelOrders(account, plan, 'square_off');
  fillRequested(account, bar, marketFill(account, bar));
  requestCloses(account, 0, 1, 'square_off');
  fillCloses(account, openFill(account, bar));
};

/** Decides at the close of a bar. */
const closeBar = (
  plan: TradingPlan,
  account: Account,
  bar: Float64Array,
  observation: Float64Array,
): void => {
  maintain(account, plan, bar, observation);
  const ending = plan.squaresOff ? at(observation, SQUARE_OFF) : 0;
  if (at(observation, EVALUATED) === 1) {
    if (account.evaluatedFrom < 0) {
      account.evaluatedFrom = account.bar;
      account.evaluatedAt = at(bar, START);
    }
    if (plan.dependsOnTrade || at(observation, ANY_SIGNAL) === 1) decide(account, plan, bar, observation);
  }
  if (ending === 2) squareOffAtClose(account, plan, bar);
  else if (ending > 0) squareOff(account, plan);
};

/** Passes a bar without an order: trades are charged swap and marked. */
const passBar = (plan: TradingPlan, account: Account, bar: Float64Array, observation: Float64Array): void => {
  if (account.trades.length > 0 && account.settings.swap) {
    fillRequested(account, bar, marketFill(account, bar));
  }
  liquidateOnly(account, bar);
  goesOn(account, plan, bar);
  if (account.evaluatedFrom >= 0 || at(observation, EVALUATED) !== 1) return;
  account.evaluatedFrom = account.bar;
  account.evaluatedAt = at(bar, START);
};

const goOn = (account: Account, bar: Float64Array): void => {
  account.closeBefore = account.close;
  account.atBefore = account.at;
  account.close = at(bar, CLOSE);
  account.at = at(bar, START);
  account.bar += 1;
};

/**
 * Advances an account by a bar: fills what was placed before, marks, and decides at the close.
 *
 * @param observation of the bar, from `observe`.
 * @param within smaller bars that make up the bar, oldest first: they decide about the fills instead of it.
 */
export const trade = (
  plan: TradingPlan,
  account: Account,
  bar: Float64Array,
  observation: Float64Array,
  within?: BarColumns,
): void => {
  if (account.isHalted && !account.isRuined) passBar(plan, account, bar, observation);
  else if (!account.isRuined) {
    if (account.trades.length > 0 || account.orders.length > 0) {
      if (plan.squaresOff && at(observation, MISSED_SQUARE_OFF) === 1) squareOffLate(account, plan, bar);
      const wasOpen = within !== undefined && tryBar(plan, account, bar)?.isOpenBar === true;
      fillPlaced(account, plan, bar, within);
      if (wasOpen || account.isOpenBar) countOpen(account);
    }
    if (goesOn(account, plan, bar)) closeBar(plan, account, bar, observation);
  }
  goOn(account, bar);
};

/**
 * Advances an account whose fills a broker reports by a bar: requests closes for the stops and targets that the bar
 * reaches and that do not rest at the broker, marks, and decides at the close. Nothing fills.
 *
 * @param observation of the bar, from `observe`.
 */
export const tradeReported = (
  plan: TradingPlan,
  account: Account,
  bar: Float64Array,
  observation: Float64Array,
  rests: Rests,
): void => {
  if (plan.squaresOff && at(observation, MISSED_SQUARE_OFF) === 1) {
    cancelOrders(account, plan, 'square_off');
    requestCloses(account, 0, 1, 'square_off');
  }
  // Signals name levels that the rules do not have.
  requestStops(account, bar, rests);
  mark(account, bar);
  if (account.equity <= 0) {
    cancelOrders(account, plan, 'ruin');
    requestCloses(account, 0, 1, 'ruin');
  } else closeBar(plan, account, bar, observation);
  goOn(account, bar);
};

/**
 * Closes at the market what was entered by then, and fills the market orders of the last close; by the convention of
 * backtesting.py, limit and stop orders too.
 */
const closeAtLastOpen = (plan: TradingPlan, account: Account, bar: Float64Array): void => {
  account.bar -= 1;
  account.close = account.closeBefore;
  account.at = account.atBefore;
  const market = marketFill(account, bar);
  // A trade that was entered later would end before it began.
  const isLater = ({ entryBar, place }: OpenTrade) =>
    entryBar > market.bar ||
    (entryBar === market.bar && place !== 'open' && account.settings.entry_bar === 'worst');
  const kept = account.trades.filter(isLater);
  account.trades.splice(0, account.trades.length, ...account.trades.filter((trade) => !isLater(trade)));
  requestCloses(account, 0, 1, 'end_of_data');
  fillRequested(account, bar, market);
  account.trades.push(...kept);
  if (account.orders.length > 0) {
    // The rest of the bar precedes these orders.
    const fill = account.settings.entry_bar === 'worst' ? bookEntries : fillOrders;
    fill(account, plan, bar, market);
  }
  if (account.isOpenBar) countOpen(account);
  goesOn(account, plan, bar);
  account.close = at(bar, CLOSE);
  account.at = at(bar, START);
  account.bar += 1;
};

/**
 * Ends an account after its last bar. If the settings ask for it, all trades close at the open of that bar. Market
 * orders placed at the last close fill there as well; a trade that an entry opens stays open.
 *
 * @param bar the last bar.
 */
export const finishAccount = (plan: TradingPlan, account: Account, bar: Float64Array): void => {
  if (account.settings.close_at_end === 'last_open' && !account.isRuined) closeAtLastOpen(plan, account, bar);
  if (account.trades.length > 0) expose(account, account.bar - 1);
};
