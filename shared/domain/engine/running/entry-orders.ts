import { decimal, fromDouble, scaled, toText } from '../../money.ts';
import type { LevelTerms, ProtectionTerms } from '../../orders/protection-terms.ts';
import { protectiveOf } from '../../orders/protective-ids.ts';
import type { Account, AccountEvent, PendingOrder } from '../account/account.ts';
import { movedPrice } from '../account/moved-price.ts';
import type { AccountSettings } from '../account/settings.ts';
import { sizeOf, wholeSteps } from '../account/sizing.ts';
import { type DistancePlan, type EntryPlan, priceAtDistance, type TradingPlan } from '../plan.ts';
import { AccountFaultError } from './account-fault.ts';
import type { OrderReport } from './order-report.ts';
import type { PaperAccount } from './paper-account.ts';

/** Returns the exact quantity of steps: parts of a trade sum up to the whole. */
export const quantityText = (steps: number, { size_step }: AccountSettings): string =>
  toText(scaled(decimal(steps).times(size_step)));

/** Returns the entry that placed an order, with the size that a signal names. @throws AccountFaultError */
export const entryOf = (plan: TradingPlan, { entry: index, signal }: PendingOrder): EntryPlan => {
  const entry = plan.entries[index];
  if (!entry) throw new AccountFaultError('the order is of other rules');
  return signal ? { ...entry, size: { type: 'units', units: Number(signal.quantity) } } : entry;
};

/** Returns the id of an entry order. */
export const entryIdOf = (symbol: string, { placedAt, entry, signal }: PendingOrder): string =>
  signal?.client_order_id ?? `${symbol}:${placedAt}:e${entry}`;

const ENTRY_ID = /:e\d+$/;
const SIGNAL_ID = 'signal-';

/** Returns the id of the order that a signal places. */
export const signalIdOf = (digest: string): string => `${SIGNAL_ID}${digest}`;

/** Returns whether an order of the hub's engine may open a trade: those of signals may. */
export const isEntryId = (clientOrderId: string): boolean =>
  ENTRY_ID.test(clientOrderId) ||
  (clientOrderId.startsWith(SIGNAL_ID) && protectiveOf(clientOrderId) === undefined);

/** Returns the price or the trigger price of an order; none for a market order. */
export const pricesOf = (
  kind: EntryPlan['kind'],
  price: number,
): Pick<OrderReport, 'price' | 'trigger_price'> => {
  if (kind === 'market') return {};
  return kind === 'limit' ? { price: fromDouble(price) } : { trigger_price: fromDouble(price) };
};

/** Returns the fields of a stop and a target. */
export const protectionOf = (
  stop: number,
  target: number,
): Pick<OrderReport, 'stop_loss' | 'take_profit'> => ({
  ...(!Number.isNaN(stop) && { stop_loss: fromDouble(stop) }),
  ...(!Number.isNaN(target) && { take_profit: fromDouble(target) }),
});

/** Returns the prices at which a trade of a signal ends; NaN without one. */
export const levelsOf = (
  signal: PendingOrder['signal'],
): { readonly stop: number; readonly target: number } => ({
  stop: Number(signal?.stop ?? Number.NaN),
  target: Number(signal?.target ?? Number.NaN),
});

/**
 * Returns the size, stop and target of an order, if it fills at its own price, or at the close of the signal bar. The
 * steps are the reason for which it cannot be placed, if there is one; then `shown` is an estimate.
 */
export const entrySize = (account: Account, entry: EntryPlan, order: PendingOrder) => {
  const { settings } = account;
  const { side, kind, stopLoss, takeProfit, size } = entry;
  const price = kind === 'market' ? order.signalClose : order.price;
  const entryPrice = movedPrice(price, side, settings.spread_rate);
  const basis = settings.stop_basis === 'fill' ? entryPrice : price;
  const levels = levelsOf(order.signal);
  const stop = stopLoss ? priceAtDistance(stopLoss, order.stopPoints, basis, -side) : levels.stop;
  const target = takeProfit ? priceAtDistance(takeProfit, order.targetPoints, basis, side) : levels.target;
  const fill = { price, entryPrice, stopDistance: Math.abs(basis - stop), open: order.signalClose };
  const steps = sizeOf(account, entry, fill);
  if (typeof steps === 'number') return { steps, shown: steps, stop, target };
  const wanted = size.type === 'units' ? wholeSteps(size.units / settings.size_step) : 1;
  return { steps, shown: Math.max(1, wanted), stop, target };
};

/** Returns the terms from which the adapter computes a level at a fill, as the account does. */
const levelTerms = (
  distance: DistancePlan,
  points: number,
  sign: number,
  basis: number | undefined,
): LevelTerms =>
  basis === undefined
    ? { factor: fromDouble(sign > 0 ? distance.up : distance.down), offset: fromDouble(sign * points) }
    : { price: fromDouble(priceAtDistance(distance, points, basis, sign)) };

/** Returns the terms of the levels at which a trade of an order ends. */
export const termsOf = (
  { settings }: Account,
  entry: EntryPlan,
  { signal, signalClose, price, stopPoints, targetPoints }: PendingOrder,
): ProtectionTerms => {
  const { side, kind, stopLoss, takeProfit } = entry;
  const fixed = kind === 'market' ? signalClose : price;
  const basis = settings.stop_basis === 'fill' ? undefined : fixed;
  const { stop, target } = signal ?? {};
  return {
    ...(stop !== undefined && { stop: { price: stop } }),
    ...(target !== undefined && { target: { price: target } }),
    ...(stopLoss && { stop: levelTerms(stopLoss, stopPoints, -side, basis) }),
    ...(takeProfit && { target: levelTerms(takeProfit, targetPoints, side, basis) }),
  };
};

/** Returns the fields that all reports of an entry order share. */
export const entryFields = (paper: PaperAccount, entry: EntryPlan, order: PendingOrder) =>
  ({
    kind: 'order',
    client_order_id: entryIdOf(paper.symbol, order),
    sequence: entry.kind === 'market' ? 1 : 2 + (order.splits ?? 0),
    symbol: paper.symbol,
    side: entry.side === 1 ? 'buy' : 'sell',
    order_type: entry.kind,
    ...pricesOf(entry.kind, order.price),
    expected_price: fromDouble(entry.kind === 'market' ? order.signalClose : order.price),
  }) as const;

/** An entry that an account has placed, as it would fill at its own price or at the close of its bar. */
export interface PlacedEntry {
  readonly client_order_id: string;
  /** Start of the bar at whose close it was placed. */
  readonly at: number;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  readonly price: string;
}

/** Returns the entries among the steps of a bar that were placed. */
export const placedEntries = (
  paper: PaperAccount,
  plan: TradingPlan,
  events: readonly AccountEvent[],
): PlacedEntry[] =>
  events.flatMap((event) => {
    if (event.type !== 'placed') return [];
    const { order } = event;
    const entry = entryOf(plan, order);
    const { shown } = entrySize(paper.account, entry, order);
    return [
      {
        client_order_id: entryIdOf(paper.symbol, order),
        at: order.placedAt,
        side: entry.side === 1 ? 'buy' : 'sell',
        quantity: quantityText(shown, paper.account.settings),
        price: fromDouble(entry.kind === 'market' ? order.signalClose : order.price),
      },
    ];
  });
