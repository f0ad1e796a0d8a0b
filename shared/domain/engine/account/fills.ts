import { type BarColumns, barCount, readBar } from '../../candles/bars.ts';
import { COUNT, START } from '../group.ts';
import { at } from '../memory.ts';
import type { TradingPlan } from '../plan.ts';
import type { Account } from './account.ts';
import { bookEntries, fillOrders } from './entries.ts';
import { fillCloses, type MarketFill } from './exits.ts';
import { chargeRollovers } from './financing.ts';
import { fillStops } from './stops.ts';

/**
 * Fills the closes that were requested at the bar before. Swap is charged to the trades that were held at the rollover:
 * with fills at the signal's close, those are known after the closes.
 */
export const fillRequested = (account: Account, bar: Float64Array, market: MarketFill): void => {
  const start = at(bar, START);
  const isBooked = market.bar < account.bar;
  if (!isBooked) chargeRollovers(account, start);
  if (account.isClosing) fillCloses(account, market);
  if (isBooked) chargeRollovers(account, start);
};

/** Fills stops and targets, then entries, oldest first, with their stops. */
const fillPart = (account: Account, plan: TradingPlan, bar: Float64Array, market: MarketFill): void => {
  if (account.trades.length > 0) fillStops(account, bar);
  if (account.orders.length > 0) fillOrders(account, plan, bar, market);
};

/**
 * Fills what was placed before: requested closes, then stops and targets, then entries, oldest first, with their stops.
 * Market entries at the close of the bar before are booked ahead of the stops.
 *
 * @param within smaller bars that decide instead of the bar, oldest first.
 */
export const fillBar = (
  account: Account,
  plan: TradingPlan,
  bar: Float64Array,
  market: MarketFill,
  within?: BarColumns,
): void => {
  fillRequested(account, bar, market);
  const isBooked = market.bar < account.bar && account.settings.entry_bar === 'worst';
  if (isBooked && account.orders.length > 0) bookEntries(account, plan, bar, market);
  if (!within) {
    fillPart(account, plan, bar, market);
    return;
  }
  const part = new Float64Array(COUNT);
  const count = barCount(within);
  for (let position = 0; position < count; position += 1) {
    if (account.trades.length === 0 && (account.orders.length === 0 || account.cash <= 0)) return;
    readBar(within, position, part);
    fillPart(account, plan, part, market);
  }
};
