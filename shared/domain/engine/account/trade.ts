import { CLOSE, OPEN, START } from '../group.ts';
import { at } from '../memory.ts';
import { ANY_SIGNAL, EVALUATED, MISSED_SQUARE_OFF, SQUARE_OFF } from '../observation.ts';
import type { TradingPlan } from '../plan.ts';
import { type Account, expose } from './account.ts';
import { cancelOrders, decide, maintain, requestCloses, requestStops } from './decisions.ts';
import { closeAll, fillCloses, fillStops, type MarketFill } from './exits.ts';
import { fillBar, fillRequested } from './fills.ts';
import { equityAt } from './sizing.ts';

const openFill = (account: Account, bar: Float64Array): MarketFill => ({
  price: at(bar, OPEN),
  bar: account.bar,
  at: at(bar, START),
  expected: account.close,
});

const closeFill = (account: Account, bar: Float64Array): MarketFill => ({
  price: at(bar, CLOSE),
  bar: account.bar,
  at: at(bar, START),
  expected: at(bar, CLOSE),
});

const marketFill = (account: Account, bar: Float64Array): MarketFill =>
  account.settings.fill_at === 'signal_close'
    ? { price: account.close, bar: account.bar - 1, at: account.at, expected: account.close }
    : openFill(account, bar);

/** Fills what was placed before. Most bars of a trade only look at its stop and its target. */
const fillPlaced = (account: Account, plan: TradingPlan, bar: Float64Array): void => {
  if (account.isClosing || account.orders.length > 0 || account.settings.swap) {
    fillBar(account, plan, bar, marketFill(account, bar));
  } else if (plan.hasStops) fillStops(account, bar, 0);
};

const mark = (account: Account, close: number): void => {
  account.equity = account.trades.length === 0 ? account.cash : equityAt(account, close);
};

/** Ends an account whose equity is used up: everything closes at this close, and equity is zero from now on. */
const ruin = (account: Account, plan: TradingPlan, bar: Float64Array): void => {
  closeAll(account, closeFill(account, bar), 'ruin');
  cancelOrders(account, plan, 'ruin');
  account.cash = 0;
  account.equity = 0;
  account.isRuined = true;
};

/** Ends all orders and trades of a session: at the next market fill, or at the close of its last bar. */
const squareOff = (account: Account, plan: TradingPlan, bar: Float64Array, isLast: boolean): void => {
  if (account.orders.length > 0) cancelOrders(account, plan, 'square_off');
  if (account.trades.length === 0) return;
  requestCloses(account, 0, 1, 'square_off');
  if (!isLast || account.isReported) return;
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
  if (ending > 0) squareOff(account, plan, bar, ending === 2);
};

/** Passes a bar without an order: trades are charged swap and marked. */
const passBar = (plan: TradingPlan, account: Account, bar: Float64Array, observation: Float64Array): void => {
  if (account.trades.length > 0 && account.settings.swap) {
    fillRequested(account, bar, marketFill(account, bar));
  }
  mark(account, at(bar, CLOSE));
  if (account.equity <= 0) ruin(account, plan, bar);
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
 */
export const trade = (
  plan: TradingPlan,
  account: Account,
  bar: Float64Array,
  observation: Float64Array,
): void => {
  if (account.isHalted && !account.isRuined) passBar(plan, account, bar, observation);
  else if (!account.isRuined) {
    if (account.trades.length > 0 || account.orders.length > 0) {
      if (plan.squaresOff && at(observation, MISSED_SQUARE_OFF) === 1) squareOffLate(account, plan, bar);
      fillPlaced(account, plan, bar);
    }
    mark(account, at(bar, CLOSE));
    if (account.equity <= 0) ruin(account, plan, bar);
    else closeBar(plan, account, bar, observation);
  }
  goOn(account, bar);
};

/**
 * Advances an account whose fills a broker reports by a bar: requests closes for the stops and targets that the bar
 * reaches, marks, and decides at the close. Nothing fills.
 *
 * @param observation of the bar, from `observe`.
 */
export const tradeReported = (
  plan: TradingPlan,
  account: Account,
  bar: Float64Array,
  observation: Float64Array,
): void => {
  if (plan.squaresOff && at(observation, MISSED_SQUARE_OFF) === 1) {
    cancelOrders(account, plan, 'square_off');
    requestCloses(account, 0, 1, 'square_off');
  }
  if (plan.hasStops) requestStops(account, bar);
  mark(account, at(bar, CLOSE));
  if (account.equity <= 0) {
    cancelOrders(account, plan, 'ruin');
    requestCloses(account, 0, 1, 'ruin');
  } else closeBar(plan, account, bar, observation);
  goOn(account, bar);
};

const closeAtLastOpen = (plan: TradingPlan, account: Account, bar: Float64Array): void => {
  account.bar -= 1;
  account.close = account.closeBefore;
  account.at = account.atBefore;
  requestCloses(account, 0, 1, 'end_of_data');
  fillBar(account, plan, bar, marketFill(account, bar));
  mark(account, at(bar, CLOSE));
  if (account.equity <= 0) ruin(account, plan, bar);
  account.close = at(bar, CLOSE);
  account.at = at(bar, START);
  account.bar += 1;
};

/**
 * Ends an account after its last bar. If the settings ask for it, all trades close at the open of that bar. Orders
 * placed at the last close fill there as well; a trade that an entry opens stays open.
 *
 * @param bar the last bar.
 */
export const finishAccount = (plan: TradingPlan, account: Account, bar: Float64Array): void => {
  if (account.settings.close_at_end === 'last_open' && !account.isRuined) closeAtLastOpen(plan, account, bar);
  if (account.trades.length > 0) expose(account, account.bar - 1);
};
