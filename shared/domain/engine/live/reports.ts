import { decimal, fromDouble, scaled, toText } from '../../money.ts';
import type { Account, AccountEvent, CancelReason, ExitReason, PendingOrder } from '../account/account.ts';
import type { AccountSettings } from '../account/settings.ts';
import { sizeOf } from '../account/sizing.ts';
import { type EntryPlan, priceAtDistance, type TradingPlan } from '../plan.ts';
import { AccountFaultError } from './account-fault.ts';
import type { PaperAccount } from './paper-account.ts';

/** Report on an order of a paper account. Cumulative. Amounts are decimal text, times milliseconds of market time. */
export interface OrderReport {
  readonly kind: 'order';
  readonly at: number;
  /** Derived from the symbol, the bar and a counter, so that a repeat has the same. */
  readonly client_order_id: string;
  /** 1 for the first report of the order; 0 for a manual close, which the ledger booked before. */
  readonly sequence: number;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly order_type: 'market' | 'limit' | 'stop';
  /** An estimate until the order is filled: a size is computed at the fill. */
  readonly quantity: string;
  /** Price of a limit order, and trigger of a stop order. */
  readonly price?: string;
  readonly trigger_price?: string;
  readonly stop_loss?: string;
  readonly take_profit?: string;
  readonly expected_price: string;
  readonly status: 'open' | 'filled' | 'cancelled' | 'expired';
  readonly status_message?: string;
  readonly filled_quantity: string;
  readonly average_price?: string;
  readonly fees: string;
  /** Entry order of the trade that an exit closes. */
  readonly closes?: string;
}

/** Swap that a bar charged; negative is a charge. */
interface SwapReport {
  readonly kind: 'swap';
  readonly at: number;
  readonly charge_id: string;
  readonly symbol: string;
  readonly amount: string;
}

export type AccountReport = OrderReport | SwapReport;

type Placed = Extract<AccountEvent, { type: 'placed' }>;
type Entered = Extract<AccountEvent, { type: 'entered' }>;
type Exited = Extract<AccountEvent, { type: 'exited' }>;

const CANCEL_TEXTS: Readonly<Record<CancelReason, string>> = {
  expired: 'the order was not filled within its bars',
  too_small: 'the size is below the smallest quantity',
  insufficient_funds: 'the account cannot pay for the order',
  square_off: 'the session ends',
  opposite_trade: 'a trade of the other side is open',
  paused: 'the deployment is paused',
  halted: 'the deployment is halted',
  risk_limit: 'a risk limit refuses it',
  flatten: 'all positions are closed',
  ended: 'the deployment has ended',
  late: 'the bar is too old for an order',
  broker: 'the broker ended the order',
  ruin: 'the account has no equity left',
};

const EXIT_TEXTS: Readonly<Record<ExitReason, string>> = {
  exit: 'exit of the rules',
  reverse: 'reversed',
  stop_loss: 'stop loss',
  take_profit: 'take profit',
  trailing_stop: 'trailing stop',
  square_off: 'end of the session',
  end_of_data: 'end of the data',
  manual: 'closed manually',
  flatten: 'all positions are closed',
  ruin: 'no equity left',
};

/** Writes why an order ended without a fill. */
export const cancelText = (reason: CancelReason): string => CANCEL_TEXTS[reason];
/** Writes why a trade ended. */
export const exitText = (reason: ExitReason): string => EXIT_TEXTS[reason];

/** Returns the exact quantity of steps: parts of a trade sum up to the whole. */
export const quantityText = (steps: number, { size_step }: AccountSettings): string =>
  toText(scaled(decimal(steps).times(size_step)));

/** Returns the entry of the rules that placed an order. @throws AccountFaultError */
export const entryOf = (plan: TradingPlan, order: PendingOrder): EntryPlan => {
  const entry = plan.entries[order.entry];
  if (!entry) throw new AccountFaultError('the order is of other rules');
  return entry;
};

/** Returns the id of an entry order. */
export const entryIdOf = (symbol: string, { placedAt, entry }: PendingOrder): string =>
  `${symbol}:${placedAt}:e${entry}`;

const ENTRY_ID = /:e\d+$/;

/** Returns whether an order of the hub's engine opens a trade. */
export const isEntryId = (clientOrderId: string): boolean => ENTRY_ID.test(clientOrderId);

const pricesOf = (kind: EntryPlan['kind'], price: number): Pick<OrderReport, 'price' | 'trigger_price'> => {
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

/**
 * Returns the size, stop and target of an order, if it fills at its own price, or at the close of the signal bar. The
 * steps are the reason for which it cannot be placed, if there is one; then `shown` is an estimate.
 */
export const entrySize = (account: Account, entry: EntryPlan, order: PendingOrder) => {
  const { settings } = account;
  const { side, kind, stopLoss, takeProfit, size } = entry;
  const price = kind === 'market' ? order.signalClose : order.price;
  const entryPrice = price * (1 + side * settings.spread_rate);
  const basis = settings.stop_basis === 'fill' ? entryPrice : price;
  const stop = stopLoss ? priceAtDistance(stopLoss, order.stopPoints, basis, -side) : Number.NaN;
  const target = takeProfit ? priceAtDistance(takeProfit, order.targetPoints, basis, side) : Number.NaN;
  const fill = { price, entryPrice, stopDistance: Math.abs(basis - stop), open: order.signalClose };
  const steps = sizeOf(account, entry, fill);
  if (typeof steps === 'number') return { steps, shown: steps, stop, target };
  const wanted = size.type === 'units' ? Math.floor(size.units / settings.size_step) : 1;
  return { steps, shown: Math.max(1, wanted), stop, target };
};

/** Returns the fields that all reports of an entry order share. */
export const entryFields = (paper: PaperAccount, entry: EntryPlan, order: PendingOrder) =>
  ({
    kind: 'order',
    client_order_id: entryIdOf(paper.symbol, order),
    sequence: entry.kind === 'market' ? 1 : 2,
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

const NOTHING_FILLED = { filled_quantity: '0', fees: '0' } as const;

/** Reports a limit or stop order that is placed. A market order is reported when it fills. */
const placedReport = (paper: PaperAccount, entry: EntryPlan, { order }: Placed): OrderReport => {
  const { shown, stop, target } = entrySize(paper.account, entry, order);
  const quantity = quantityText(shown, paper.account.settings);
  const fields = entryFields(paper, entry, order);
  paper.waiting.set(fields.client_order_id, quantity);
  return {
    ...fields,
    sequence: 1,
    at: order.placedAt,
    quantity,
    ...protectionOf(stop, target),
    status: 'open',
    ...NOTHING_FILLED,
  };
};

const cancelledReport = (
  paper: PaperAccount,
  entry: EntryPlan,
  order: PendingOrder,
  reason: CancelReason,
  at: number,
): OrderReport => {
  const fields = entryFields(paper, entry, order);
  const known = paper.waiting.get(fields.client_order_id);
  paper.waiting.delete(fields.client_order_id);
  return {
    ...fields,
    at,
    quantity: known ?? quantityText(entrySize(paper.account, entry, order).shown, paper.account.settings),
    status: reason === 'expired' ? 'expired' : 'cancelled',
    status_message: cancelText(reason),
    ...NOTHING_FILLED,
  };
};

const enteredReport = (paper: PaperAccount, entry: EntryPlan, event: Entered): OrderReport => {
  const { order, trade, steps, fee } = event;
  const fields = entryFields(paper, entry, order);
  const quantity = quantityText(steps, paper.account.settings);
  paper.waiting.delete(fields.client_order_id);
  paper.entryIds.set(trade, fields.client_order_id);
  return {
    ...fields,
    at: trade.entryAt,
    quantity,
    ...protectionOf(event.stop, trade.target),
    status: 'filled',
    filled_quantity: quantity,
    average_price: fromDouble(trade.entryPrice),
    fees: fromDouble(fee),
  };
};

const exitType = (reason: ExitReason): OrderReport['order_type'] => {
  if (reason === 'take_profit') return 'limit';
  return reason === 'stop_loss' || reason === 'trailing_stop' ? 'stop' : 'market';
};

const exitedReport = (paper: PaperAccount, event: Exited, manualId: string | undefined): OrderReport => {
  const { trade, steps, fee, expected, closed } = event;
  const { symbol, account, entryIds } = paper;
  const type = exitType(closed.exit_reason);
  const quantity = quantityText(steps, account.settings);
  const closes = entryIds.get(trade);
  if (manualId === undefined) paper.exits += 1;
  return {
    kind: 'order',
    at: closed.exit_at,
    client_order_id: manualId ?? `${symbol}:${closed.exit_at}:x${paper.exits}`,
    sequence: manualId === undefined ? 1 : 0,
    symbol,
    side: trade.side === 1 ? 'sell' : 'buy',
    order_type: type,
    quantity,
    ...pricesOf(type, expected),
    expected_price: fromDouble(expected),
    status: 'filled',
    status_message: exitText(closed.exit_reason),
    filled_quantity: quantity,
    average_price: fromDouble(closed.exit_price),
    fees: fromDouble(fee),
    ...(closes !== undefined && { closes }),
  };
};

/** Returns the sum of the charges from an index on that follow one another, and their number. */
const sumSwap = (events: readonly AccountEvent[], from: number): { amount: number; count: number } => {
  let amount = 0;
  let count = 0;
  for (const event of events.slice(from)) {
    if (event.type !== 'swap') break;
    amount += event.amount;
    count += 1;
  }
  return { amount, count };
};

/**
 * Reports the steps of a bar, in their order.
 *
 * @param at start of the bar.
 * @param manualId order id of a manual close.
 */
export const reportsOf = (
  paper: PaperAccount,
  plan: TradingPlan,
  events: readonly AccountEvent[],
  at: number,
  manualId?: string,
): AccountReport[] => {
  const reports: AccountReport[] = [];
  const { symbol } = paper;
  for (let index = 0; index < events.length; index += 1) {
    const event = events[index];
    if (event?.type === 'placed') {
      const entry = entryOf(plan, event.order);
      if (entry.kind !== 'market') reports.push(placedReport(paper, entry, event));
    } else if (event?.type === 'cancelled') {
      const { order, reason } = event;
      reports.push(cancelledReport(paper, entryOf(plan, order), order, reason, at));
    } else if (event?.type === 'entered') {
      reports.push(enteredReport(paper, entryOf(plan, event.order), event));
    } else if (event?.type === 'exited') {
      reports.push(exitedReport(paper, event, manualId));
    } else if (event?.type === 'swap') {
      const { amount, count } = sumSwap(events, index);
      index += count - 1;
      reports.push({ kind: 'swap', at, charge_id: `${symbol}:${at}`, symbol, amount: fromDouble(amount) });
    }
  }
  for (const trade of paper.entryIds.keys()) if (trade.steps === 0) paper.entryIds.delete(trade);
  return reports;
};
