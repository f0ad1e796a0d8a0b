import { fromDouble } from '../../money.ts';
import type { ProtectionTerms } from '../../orders/protection-terms.ts';
import type { CancelReason, ExitReason, OpenTrade, PendingOrder } from '../account/account.ts';
import { cancelOrder } from '../account/entries.ts';
import type { SignalEntry } from '../account/signal-order.ts';
import type { EntryPlan, TradingPlan } from '../plan.ts';
import {
  entryFields,
  entryIdOf,
  entryOf,
  entrySize,
  protectionOf,
  quantityText,
  termsOf,
} from './entry-orders.ts';
import type { OrderReport } from './order-report.ts';
import { type RealAccount, type RealClose, type RealEntry, roundSteps } from './real-account.ts';
import { cancelText, exitText } from './reason-texts.ts';

/** Fields of an order that is requested or dropped. Times are milliseconds. */
type OrderFields = Omit<
  OrderReport,
  'kind' | 'sequence' | 'status' | 'filled_quantity' | 'average_price' | 'fees' | 'closes' | 'facts'
>;

/** A request of an account to its broker. Requests are sent in their order. */
export type RealRequest =
  | (OrderFields & {
      readonly kind: 'entry';
      readonly protection: ProtectionTerms;
      /** Signal that asks for it; absent for one of the rules. */
      readonly alert?: Pick<SignalEntry, 'received_at' | 'until'> | undefined;
    })
  | (OrderFields & {
      readonly kind: 'close';
      /** Time at which the hub received the alert that asks for it. */
      readonly alerted_at?: number | undefined;
      readonly closes: string;
      readonly reason: ExitReason;
      readonly flatten: boolean;
    })
  /** An entry that was decided but not requested, with the reason. */
  | (OrderFields & { readonly kind: 'dropped'; readonly status_message: string })
  | {
      readonly kind: 'cancel';
      readonly at: number;
      readonly client_order_id: string;
      readonly symbol: string;
      readonly status_message: string;
      /** True if the order may be lost: its cancel is requested only if nothing was reported on it. */
      readonly isLost: boolean;
    }
  /** Levels of the trade of an entry that have moved. */
  | {
      readonly kind: 'protect';
      readonly at: number;
      readonly client_order_id: string;
      readonly symbol: string;
      readonly number: number;
      readonly stop?: string;
      readonly target?: string;
    };

/** Requests that are allowed now. */
export interface Allowed {
  /** True if the last bar is recent enough for orders. */
  readonly isFresh: boolean;
  /** False while the deployment takes no entries, and no exits of the rules. */
  readonly entries: boolean;
  readonly exits: boolean;
  /** True while everything is to be closed that the broker holds. */
  readonly flatten: boolean;
  /** Time of the requests, and of the oldest ones that may still be answered. */
  readonly askedAt: number;
  readonly answersFrom: number;
}

const LOST_TEXT = 'nothing was reported on the order in time';
const EXCESS_TEXT = 'less is left than the order closes';

/**
 * Requests cancels. A close, or a cancel, that nobody answers in time may be lost. Its cancel is requested then, and
 * again until the broker reports the end: only after that is a close requested again, so that nothing closes twice.
 */
const cancelsOf = (real: RealAccount, { isFresh, askedAt: now, answersFrom }: Allowed): RealRequest[] => {
  const { symbol, account } = real.paper;
  const isOverdue = ({ askedAt }: RealEntry | RealClose) => isFresh && askedAt < answersFrom;
  const cancel = (
    order: RealEntry | RealClose,
    status_message: string,
    { isLost = false } = {},
  ): RealRequest[] => {
    order.isCancelled ||= !isLost;
    order.askedAt = now;
    return [{ kind: 'cancel', at: account.at, client_order_id: order.id, symbol, status_message, isLost }];
  };
  return [
    ...real.entries.flatMap((entry) => {
      const { cancelling } = entry.order;
      if (cancelling === undefined || entry.isOver) return [];
      if (!entry.isCancelled) return cancel(entry, cancelText(cancelling));
      return isOverdue(entry) ? cancel(entry, cancelText(cancelling), { isLost: true }) : [];
    }),
    ...real.closes.flatMap((close) => {
      const { isOver, isCancelled, steps, filled, trade } = close;
      if (isOver) return [];
      // The owner closed the trade by hand, or an earlier close was filled late. An adapter that keeps exits of the trade
      // closes no more than they have left.
      const isKept =
        trade !== undefined && trade.steps > 0 && real.exits.some((exit) => exit.trade === trade);
      const isExcess = !isKept && roundSteps(steps - filled) > (trade?.steps ?? 0);
      if (isExcess && !isCancelled) return cancel(close, EXCESS_TEXT);
      return isOverdue(close) ? cancel(close, LOST_TEXT, { isLost: true }) : [];
    }),
  ];
};

/** Returns the steps of a trade that orders close already, or failed to close since the last bar. */
const closingSteps = (real: RealAccount, trade: OpenTrade): number => {
  const isCounted = ({ isOver, endedAt }: RealClose) => !isOver || endedAt === real.paper.index;
  return real.closes
    .filter((close) => close.trade === trade && isCounted(close))
    .reduce((sum, { steps, filled }) => sum + steps - filled, 0);
};

const closesOf = (real: RealAccount, { isFresh, exits, flatten, askedAt }: Allowed): RealRequest[] => {
  const { paper } = real;
  const { account, symbol, entryIds } = paper;
  if (!flatten && !exits) return [];
  return account.trades.flatMap((trade): RealRequest[] => {
    const { alertedAt } = trade;
    // The decision of an alert is as old as the alert, whatever its bars are.
    if (!flatten && !isFresh && alertedAt === undefined) return [];
    const steps = roundSteps(trade.closing - closingSteps(real, trade));
    const closes = entryIds.get(trade);
    if (!(steps > 0) || closes === undefined) return [];
    paper.exits += 1;
    const id = `${symbol}:${account.at}:x${paper.exits}`;
    const reason = trade.closingReason;
    trade.alertedAt = undefined;
    real.closes.push({
      id,
      steps,
      filled: 0,
      value: 0,
      fees: 0,
      isOver: false,
      isCancelled: false,
      askedAt,
      trade,
      side: trade.side,
      reason,
      expected: account.close,
      endedAt: -1,
    });
    return [
      {
        kind: 'close',
        at: account.at,
        client_order_id: id,
        symbol,
        side: trade.side === 1 ? 'sell' : 'buy',
        order_type: 'market',
        quantity: quantityText(steps, account.settings),
        expected_price: fromDouble(account.close),
        status_message: exitText(reason),
        closes,
        reason,
        flatten,
        ...(alertedAt !== undefined && { alerted_at: alertedAt }),
      },
    ];
  });
};

/** Takes an order that was not requested out of the account. */
const dropOrder = (
  { paper }: RealAccount,
  plan: TradingPlan,
  order: PendingOrder,
  reason: CancelReason,
): RealRequest => {
  const { account, symbol } = paper;
  account.orders.splice(account.orders.indexOf(order), 1);
  cancelOrder(account, plan, order, reason);
  const { sequence: _, kind: _kind, ...fields } = entryFields(paper, entryOf(plan, order), order);
  const { shown } = entrySize(account, entryOf(plan, order), order);
  return {
    kind: 'dropped',
    at: account.at,
    ...fields,
    client_order_id: entryIdOf(symbol, order),
    quantity: quantityText(shown, account.settings),
    status_message: cancelText(reason),
  };
};

const requestEntry = (
  real: RealAccount,
  plan: TradingPlan,
  entry: EntryPlan,
  order: PendingOrder,
  askedAt: number,
): RealRequest => {
  const { paper } = real;
  const { account } = paper;
  const { steps, stop, target } = entrySize(account, entry, order);
  if (typeof steps === 'string') return dropOrder(real, plan, order, steps);
  const { sequence: _, kind: _kind, ...fields } = entryFields(paper, entry, order);
  const quantity = quantityText(steps, account.settings);
  paper.waiting.set(fields.client_order_id, quantity);
  real.entries.push({
    id: fields.client_order_id,
    steps,
    filled: 0,
    value: 0,
    fees: 0,
    isOver: false,
    isCancelled: false,
    askedAt,
    trade: undefined,
    order,
  });
  return {
    kind: 'entry',
    at: account.at,
    ...fields,
    quantity,
    ...protectionOf(stop, target),
    protection: termsOf(account, entry, order),
    ...(order.signal && { alert: { received_at: order.signal.received_at, until: order.signal.until } }),
  };
};

/** Returns whether exits of a trade that goes on may rest at the broker. */
const isProtected = ({ stop, target, closing }: OpenTrade): boolean =>
  closing === 0 && !(Number.isNaN(stop) && Number.isNaN(target));

/**
 * Requests entries. They wait for closes: a broker refuses orders against each other, and the size depends on what the
 * closes bring. An entry whose bar has passed meanwhile is dropped.
 */
const entriesOf = (
  real: RealAccount,
  plan: TradingPlan,
  { isFresh, entries, askedAt }: Allowed,
): RealRequest[] => {
  const { account, symbol } = real.paper;
  const isRequested = (order: PendingOrder) => real.entries.some(({ id }) => id === entryIdOf(symbol, order));
  return account.orders
    .filter((order) => !isRequested(order))
    .flatMap((order): RealRequest[] => {
      const entry = entryOf(plan, order);
      const { cancelling, placedBar } = order;
      if (cancelling !== undefined) return [dropOrder(real, plan, order, cancelling)];
      if (!entries) return [dropOrder(real, plan, order, 'paused')];
      const isBlocked = account.trades.some(({ side, closing }) => side !== entry.side || closing > 0);
      const { signal } = order;
      if (signal && account.trades.some(isProtected)) return [dropOrder(real, plan, order, 'protected')];
      const isCurrent = signal ? askedAt <= signal.until : placedBar === account.bar - 1;
      if (isBlocked) return isCurrent ? [] : [dropOrder(real, plan, order, 'opposite_trade')];
      if (!(isFresh || signal) || !isCurrent) return [dropOrder(real, plan, order, 'late')];
      return [requestEntry(real, plan, entry, order, askedAt)];
    });
};

/** Requests that exits at the broker move to the levels of their trades: trailing stops do at closes of bars. */
const levelsMoved = (real: RealAccount, { exits }: Allowed): RealRequest[] => {
  const { account, symbol, entryIds } = real.paper;
  real.levels = real.levels.filter(({ trade }) => account.trades.includes(trade));
  if (!exits) return [];
  return real.levels.flatMap((known): RealRequest[] => {
    const { stop, target } = known.trade;
    const entry = entryIds.get(known.trade);
    const isStop = !Number.isNaN(stop) && stop !== known.stop;
    const isTarget = !Number.isNaN(target) && target !== known.target;
    if (entry === undefined || !(isStop || isTarget)) return [];
    known.stop = stop;
    known.target = target;
    known.number += 1;
    return [
      {
        kind: 'protect',
        at: account.at,
        client_order_id: entry,
        symbol,
        number: known.number,
        ...(isStop && { stop: fromDouble(stop) }),
        ...(isTarget && { target: fromDouble(target) }),
      },
    ];
  });
};

/** Returns what an account has to ask of its broker, and notes it as asked: cancels, closes, levels, then entries. */
export const takeRequests = (real: RealAccount, plan: TradingPlan, allowed: Allowed): RealRequest[] => [
  ...cancelsOf(real, allowed),
  ...closesOf(real, allowed),
  ...levelsMoved(real, allowed),
  ...entriesOf(real, plan, allowed),
];
