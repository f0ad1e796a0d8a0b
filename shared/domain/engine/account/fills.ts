import { START } from '../group.ts';
import { at } from '../memory.ts';
import type { TradingPlan } from '../plan.ts';
import type { Account } from './account.ts';
import { fillOrders } from './entries.ts';
import { fillCloses, fillStops, type MarketFill } from './exits.ts';
import { chargeRollovers } from './financing.ts';

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

/**
 * Fills what was placed before: requested closes, then stops and targets, then entries, oldest first, with the stops
 * of market entries.
 */
export const fillBar = (account: Account, plan: TradingPlan, bar: Float64Array, market: MarketFill): void => {
  fillRequested(account, bar, market);
  if (account.trades.length > 0) fillStops(account, bar, 0);
  if (account.orders.length > 0) fillOrders(account, plan, bar, market);
};
