import { CLOSE, START } from '../group.ts';
import { at } from '../memory.ts';
import { type Direction, type EntryPlan, pointsOf, priceAtDistance, type TradingPlan } from '../plan.ts';
import type { Account, CancelReason, ExitReason, OpenTrade, PendingOrder } from './account.ts';
import { endOrder } from './entries.ts';
import { movedPrice } from './moved-price.ts';
import { reachStop, reachTarget } from './within-bar.ts';

/** Moves trailing stops to their distance from the close, if that is better. They are valid from the next bar. */
const moveStops = (account: Account, plan: TradingPlan, close: number, observation: Float64Array): void => {
  for (const trade of account.trades) {
    const distance = plan.entries[trade.entry]?.trailingStop;
    if (!distance) continue;
    const { side, stop } = trade;
    const moved = priceAtDistance(distance, pointsOf(distance, observation), close, -side);
    if (Number.isNaN(stop) || (moved - stop) * side > 0) {
      trade.stop = moved;
      trade.isTrailed = true;
    }
  }
};

const expireOrders = (account: Account, plan: TradingPlan): void => {
  const { orders } = account;
  let kept = 0;
  for (const order of orders) {
    const validBars = plan.entries[order.entry]?.validBars ?? 0;
    if (account.bar - order.placedBar >= validBars && endOrder(account, plan, order, 'expired')) continue;
    orders[kept] = order;
    kept += 1;
  }
  orders.length = kept;
};

/** Rounds half to even. */
const roundEven = (value: number): number => {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest === 0.5) return floor % 2 === 0 ? floor : floor + 1;
  return rest > 0.5 ? floor + 1 : floor;
};

/** Requests that steps of a trade are closed at the next market fill, with those that were requested before. */
export const requestSteps = (account: Account, trade: OpenTrade, steps: number, reason: ExitReason): void => {
  if (steps <= trade.closing) return;
  trade.closing = Math.min(steps, trade.steps);
  trade.closingReason = reason;
  account.isClosing = true;
  account.journal?.push({ type: 'closing', trade, reason });
};

const requestClose = (account: Account, trade: OpenTrade, portion: number, reason: ExitReason): void => {
  // A broker may fill parts of a step, so the whole is not rounded.
  const steps = portion === 1 ? trade.steps : Math.max(1, roundEven(trade.steps * portion));
  requestSteps(account, trade, steps, reason);
};

/** Requests that all trades of a side, or of both, are closed at the next market fill. */
export const requestCloses = (
  account: Account,
  side: Direction | 0,
  portion: number,
  reason: ExitReason,
): void => {
  for (const trade of account.trades) {
    if (side === 0 || trade.side === side) requestClose(account, trade, portion, reason);
  }
};

/** Tells whether a level of a trade rests at a broker, which decides about it. */
export type Rests = (trade: OpenTrade, level: 'stop' | 'target') => boolean;

/** Requests closes for the stops and targets that a bar reaches for certain. Of both, the stop counts. */
export const requestStops = (account: Account, bar: Float64Array, rests: Rests): void => {
  for (const trade of account.trades) {
    const { side, stop, target } = trade;
    const place = trade.entryBar === account.bar ? trade.place : 'open';
    const isStopped = reachStop(side, place, stop, bar) === 'certain';
    if (isStopped && !rests(trade, 'stop')) {
      requestClose(account, trade, 1, trade.isTrailed ? 'trailing_stop' : 'stop_loss');
    } else if (!isStopped && !rests(trade, 'target') && reachTarget(side, place, target, bar) === 'certain') {
      requestClose(account, trade, 1, 'take_profit');
    }
  }
};

/** Returns the oldest open trade of a side. */
export const oldestTrade = ({ trades }: Account, side: Direction): OpenTrade | undefined => {
  for (let index = 0; index < trades.length; index += 1) {
    const trade = trades[index];
    if (trade?.side === side) return trade;
  }
  return undefined;
};

const countRuns = (account: Account, { runs }: TradingPlan, observation: Float64Array): void => {
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index];
    const holds =
      run?.signal(observation, oldestTrade(account, run.side), account.bar, account.runs) ?? false;
    account.runs[index] = holds ? at(account.runs, index) + 1 : 0;
  }
};

const applyExits = (account: Account, { exits }: TradingPlan, observation: Float64Array): void => {
  for (let index = 0; index < exits.length; index += 1) {
    const exit = exits[index];
    if (!exit) continue;
    const held = oldestTrade(account, exit.side);
    if (!held || !exit.signal(observation, held, account.bar, account.runs)) continue;
    requestCloses(account, exit.side, exit.portion, 'exit');
    return;
  }
};

/** Cause for which an entry is not placed though its signal holds. */
export type EntryBlock =
  | 'direction'
  | 'cooldown'
  | 'opposite_trade'
  | 'open_trade'
  | 'waiting_order'
  | 'max_trades';

/**
 * Returns why an entry may not be placed, next to the open trades and the orders that wait; undefined if it may.
 *
 * @param bar index of the bar at whose close it would be placed.
 */
export const entryBlock = (
  account: Account,
  plan: TradingPlan,
  { side }: EntryPlan,
  bar: number,
): EntryBlock | undefined => {
  const { trades, orders, settings } = account;
  if (settings.direction !== 'both' && settings.direction !== (side === 1 ? 'long' : 'short'))
    return 'direction';
  if (bar - account.exitBar < plan.cooldownBars) return 'cooldown';
  if (trades.length === 0 && orders.length === 0) return undefined;
  if (!plan.reverse && trades.some((trade) => trade.side !== side)) return 'opposite_trade';
  if (!plan.pyramid) {
    if (orders.length > 0) return 'waiting_order';
    return trades.some((trade) => trade.side === side) ? 'open_trade' : undefined;
  }
  const own =
    trades.filter((trade) => trade.side === side).length +
    orders.filter((order) => plan.entries[order.entry]?.side === side).length;
  return own < plan.maxTrades ? undefined : 'max_trades';
};

const applyEntries = (
  account: Account,
  plan: TradingPlan,
  bar: Float64Array,
  observation: Float64Array,
): void => {
  const { entries } = plan;
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index];
    if (!entry?.signal(observation, oldestTrade(account, entry.side), account.bar, account.runs)) continue;
    if (entryBlock(account, plan, entry, account.bar)) continue;
    if (plan.reverse) requestCloses(account, entry.side === 1 ? -1 : 1, 1, 'reverse');
    if (account.isPaused) return;
    const close = at(bar, CLOSE);
    const order: PendingOrder = {
      entry: index,
      placedBar: account.bar,
      placedAt: at(bar, START),
      signalClose: close,
      price: entry.kind === 'market' ? Number.NaN : movedPrice(close, entry.side, entry.offset),
      stopPoints: entry.stopLoss ? pointsOf(entry.stopLoss, observation) : 0,
      targetPoints: entry.takeProfit ? pointsOf(entry.takeProfit, observation) : 0,
    };
    account.orders.push(order);
    account.journal?.push({ type: 'placed', order });
    return;
  }
};

/** Cancels all orders that wait. */
export const cancelOrders = (account: Account, plan: TradingPlan, reason: CancelReason): void => {
  const { orders } = account;
  let kept = 0;
  for (const order of orders) {
    if (endOrder(account, plan, order, reason)) continue;
    orders[kept] = order;
    kept += 1;
  }
  orders.length = kept;
};

/** Moves trailing stops and ends expired orders at the close of a bar. */
export const maintain = (
  account: Account,
  plan: TradingPlan,
  bar: Float64Array,
  observation: Float64Array,
): void => {
  if (plan.trails && account.trades.length > 0) moveStops(account, plan, at(bar, CLOSE), observation);
  if (account.orders.length > 0) expireOrders(account, plan);
};

/** Applies the first exit and the first entry whose signals hold at the close of a bar. */
export const decide = (
  account: Account,
  plan: TradingPlan,
  bar: Float64Array,
  observation: Float64Array,
): void => {
  if (plan.runs.length > 0) countRuns(account, plan, observation);
  if (account.trades.length > 0) applyExits(account, plan, observation);
  applyEntries(account, plan, bar, observation);
};
