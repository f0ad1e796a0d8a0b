import { fromDouble } from '../../money.ts';
import type { AccountEvent, CancelReason, ExitReason, PendingOrder } from '../account/account.ts';
import type { EntryPlan, TradingPlan } from '../plan.ts';
import {
  entryFields,
  entryIdOf,
  entryOf,
  entrySize,
  pricesOf,
  protectionOf,
  quantityText,
} from './entry-orders.ts';
import type { AccountReport, OrderReport, SignalReport } from './order-report.ts';
import type { PaperAccount } from './paper-account.ts';
import { cancelText, exitText } from './reason-texts.ts';

type Placed = Extract<AccountEvent, { type: 'placed' }>;
type Entered = Extract<AccountEvent, { type: 'entered' }>;
type Exited = Extract<AccountEvent, { type: 'exited' }>;
type Signalled = Extract<AccountEvent, { type: 'signalled' }>;

const NOTHING_FILLED = { filled_quantity: '0', fees: '0' } as const;

/** Returns the report of an order that waits. It comes before those of its end. */
const waitingReport = (
  paper: PaperAccount,
  entry: EntryPlan,
  order: PendingOrder,
  { at, quantity: given }: { readonly at: number; readonly quantity?: string | undefined },
): OrderReport => {
  const { shown, stop, target } = entrySize(paper.account, entry, order);
  const quantity = given ?? quantityText(shown, paper.account.settings);
  const fields = entryFields(paper, entry, order);
  paper.waiting.set(fields.client_order_id, quantity);
  return {
    ...fields,
    sequence: fields.sequence - 1,
    at,
    quantity,
    ...protectionOf(stop, target),
    status: 'open',
    ...NOTHING_FILLED,
  };
};

/** Reports a limit or stop order that is placed. A market order is reported when it fills. */
const placedReport = (paper: PaperAccount, entry: EntryPlan, { order }: Placed): OrderReport =>
  waitingReport(paper, entry, order, { at: order.placedAt });

/** Reports the limit and stop orders that wait, after they were restated. */
export const restatedReports = (paper: PaperAccount, plan: TradingPlan): OrderReport[] =>
  paper.account.orders.flatMap((order) => {
    const entry = entryOf(plan, order);
    if (entry.kind === 'market') return [];
    const quantity = paper.waiting.get(entryIdOf(paper.symbol, order));
    return [waitingReport(paper, entry, order, { at: paper.at, quantity })];
  });

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
  paper.booked += 1;
  return {
    ...fields,
    at: trade.entryAt,
    quantity,
    ...protectionOf(event.stop, trade.target),
    status: 'filled',
    filled_quantity: quantity,
    average_price: fromDouble(trade.entryPrice),
    fees: fromDouble(fee),
    facts: { place: paper.booked },
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
  paper.booked += 1;
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
    facts: { place: paper.booked, exit_reason: closed.exit_reason },
  };
};

/** Reports the end of an order of a signal. It was reported open when the signal arrived. */
const signalledReport = (paper: PaperAccount, event: Signalled): SignalReport => {
  const { order, at, closed, opened, price, fee, reason } = event;
  const { symbol, account } = paper;
  const filled = quantityText(closed + opened, account.settings);
  const isFilled = closed + opened > 0;
  if (isFilled) paper.booked += 1;
  return {
    kind: 'order',
    at,
    client_order_id: order.client_order_id,
    sequence: 2,
    symbol,
    side: order.side === 1 ? 'buy' : 'sell',
    order_type: 'market',
    quantity: order.closes && isFilled ? filled : order.quantity,
    ...(order.expected !== undefined && { expected_price: order.expected }),
    status: reason === undefined ? 'filled' : reason === 'unpriced' ? 'expired' : 'cancelled',
    ...(reason !== undefined && { status_message: cancelText(reason) }),
    ...(isFilled
      ? {
          filled_quantity: filled,
          average_price: fromDouble(price),
          fees: fromDouble(fee),
          facts: { place: paper.booked, ...(opened === 0 && { exit_reason: 'exit' }) },
        }
      : NOTHING_FILLED),
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

/** Returns the time of a fill: one at the close of the bar before is earlier than the bar. */
const fillTime = (event: AccountEvent): number | undefined => {
  if (event.type === 'entered') return event.trade.entryAt;
  if (event.type === 'signalled') return event.at;
  return event.type === 'exited' ? event.closed.exit_at : undefined;
};

/**
 * Returns the steps in the order of their times. The account fills an entry at the close of the bar before after the
 * stops of the bar. Steps without a time stay behind the latest fill before them.
 */
const inTime = (events: readonly AccountEvent[]): AccountEvent[] => {
  let latest = Number.NEGATIVE_INFINITY;
  const timed = events.map((event) => {
    const time = fillTime(event);
    latest = Math.max(latest, time ?? latest);
    return { event, time: time ?? latest };
  });
  // The difference of two infinite times is no number.
  return timed
    .toSorted((left, right) => (left.time === right.time ? 0 : left.time - right.time))
    .map(({ event }) => event);
};

/**
 * Reports the steps of a bar in the order of their times, and of one time in their order.
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
  const steps = inTime(events);
  for (let index = 0; index < steps.length; index += 1) {
    const event = steps[index];
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
    } else if (event?.type === 'signalled') {
      reports.push(signalledReport(paper, event));
    } else if (event?.type === 'swap') {
      const { amount, count } = sumSwap(steps, index);
      index += count - 1;
      paper.booked += 1;
      reports.push({
        kind: 'swap',
        at,
        charge_id: `${symbol}:${at}`,
        symbol,
        amount: fromDouble(amount),
        facts: { place: paper.booked },
      });
    }
  }
  for (const trade of paper.entryIds.keys()) if (trade.steps === 0) paper.entryIds.delete(trade);
  return reports;
};
