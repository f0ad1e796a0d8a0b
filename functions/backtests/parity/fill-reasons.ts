import type { StoredOrder } from '../../../shared/data/books/orders.ts';
import type { ComparedFill, FillPart } from '../../../shared/domain/engine/parity/attribute.ts';
import { isFinalOrderStatus } from '../../../shared/domain/orders/order-states.ts';

/** Facts of the account of a symbol that tell why a fill is missing, or one too many. */
export interface ReasonFacts {
  /** Orders of the book, newest first. */
  readonly orders: readonly StoredOrder[];
  readonly expected: readonly ComparedFill[];
  readonly parts: readonly FillPart[];
  /** Start of the last bar of the backtest. */
  readonly to: number;
}

const DECIDED_AT = /:(\d+):[ex]\d+$/;

/** Returns the start of the bar at whose close an order was decided; undefined if its id does not name one. */
const decidedAt = (id: string): number | undefined => {
  const [, at] = DECIDED_AT.exec(id) ?? [];
  return at === undefined ? undefined : Number(at);
};

const endText = ({ status, status_message }: StoredOrder): string => {
  if (!isFinalOrderStatus(status)) return 'the broker has not filled the order yet';
  return `the order was ${status}${status_message === null ? '' : `: ${status_message}`}`;
};

const missingEntry = ({ client_order_id }: ComparedFill, { orders, to }: ReasonFacts): string => {
  const order = orders.find((one) => one.client_order_id === client_order_id);
  if (order?.status === 'filled') return 'the account traded less: its size follows its own equity';
  if (order) return endText(order);
  if ((decidedAt(client_order_id) ?? 0) >= to) return 'the account has not decided on the bar yet';
  return 'the account asked for no order: it was paused or halted, or had another trade or order';
};

const missingExit = ({ trade, side }: ComparedFill, { orders, parts }: ReasonFacts): string => {
  const own = parts.filter(({ found }) => found && found.trade === trade);
  const entered = own.some(({ found }) => found?.decision === 'entry');
  if (!entered) return 'the account did not have the trade';
  const other = own.find(({ expected, found }) => !expected && found && found.decision !== 'entry');
  if (other) return 'the account left the trade in another way';
  const failed = orders.find(
    (order) =>
      order.side === side && order.status !== 'filled' && decidedAt(order.client_order_id) !== undefined,
  );
  return failed ? endText(failed) : 'the account still has the trade, or had less of it';
};

const LEVELS: ReadonlySet<string> = new Set(['stop_loss', 'take_profit', 'trailing_stop']);

const extraReason = (fill: ComparedFill, { expected, to }: ReasonFacts): string => {
  const { decision, client_order_id, trade } = fill;
  if (decision === 'manual') return 'the trade was closed by hand';
  if (decision === 'broker') return 'the order is none of the rules';
  if ((decidedAt(client_order_id) ?? 0) >= to) return 'the backtest has it with the next bar';
  const isShared = expected.some((one) => one.decision === 'entry' && one.client_order_id === trade);
  if (decision === 'entry') {
    return isShared
      ? 'the account traded more: its size follows its own equity'
      : 'the backtest had no such entry: it had another trade or order';
  }
  if (!isShared) return 'it closes what the backtest did not open';
  if (decision === 'unprotected')
    return 'the trade was closed at once, as its stop could not rest at the broker';
  if (LEVELS.has(decision)) return 'the level was reached at the broker, and not by the bars of the backtest';
  return 'the backtest left the trade in another way, or had less of it';
};

/** Tells why a part of a fill is missing, or one too many; null if both have it. */
export const reasonOf = ({ expected, found }: FillPart, facts: ReasonFacts): string | null => {
  if (expected && found) return null;
  if (found) return extraReason(found, facts);
  if (!expected) return null;
  return expected.decision === 'entry' ? missingEntry(expected, facts) : missingExit(expected, facts);
};
