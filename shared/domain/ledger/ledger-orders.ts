import { add } from '../money.ts';
import {
  type EngineFacts,
  isTaken,
  mergeReport,
  type Order,
  type OrderUpdate,
} from '../orders/order-record.ts';
import type { OrderStatus } from '../orders/order-states.ts';
import { type Entry, entriesSince, type FillEntry } from './entries.ts';
import { type Ledger, LedgerError, requireRoom } from './ledger-state.ts';
import { stepsAfter } from './order-steps.ts';
import {
  type Booked,
  type Effects,
  effectiveTime,
  type Realized,
  withEntries,
  withEntry,
  withFewerSizes,
} from './replay.ts';

/** Result of applying a report on an order. */
export interface OrderOutcome extends Effects {
  readonly ledger: Ledger;
  readonly order: Order;
  /** False if nothing needs to be written. */
  readonly changed: boolean;
  /** Status of the order before; null for a new order. */
  readonly status_before: OrderStatus | null;
  /** Filled quantity of the order before. */
  readonly filled_before: string;
  /** Position in the symbol before; `position_after`: afterwards. Positive is long. */
  readonly position_before: string;
  readonly position_after: string;
  /** Results to add to other orders (`realized_pnl`, `swap`); only after a late event. */
  readonly realized_elsewhere: ReadonlyMap<string, Realized>;
}

const noEffects: Effects = { trades: [], removed_trades: [], realized: new Map() };

/** Returns the quantity held in a symbol; positive is long. */
const heldQuantity = (ledger: Ledger, symbol: string): string =>
  ledger.head.symbols[symbol]?.position?.quantity ?? '0';

/** Returns the outcome of a report that changes nothing. */
const unchanged = (ledger: Ledger, order: Order): OrderOutcome => {
  const position = heldQuantity(ledger, order.symbol);
  return {
    ...noEffects,
    ledger,
    order,
    changed: false,
    status_before: order.status,
    filled_before: order.filled_quantity,
    position_before: position,
    position_after: position,
    realized_elsewhere: new Map(),
  };
};

const isOf =
  ({ client_order_id }: Pick<Order, 'client_order_id'>) =>
  (entry: Entry): entry is FillEntry =>
    entry[0] === 'fill' && entry[3] === client_order_id;

/** Returns the entries of an order. None counts before its first report. */
const entriesOf = ({ recent }: Ledger, order: Order): FillEntry[] =>
  entriesSince(recent, order.created_at).filter(isOf(order));

const requireSame = (order: Order | undefined, update: OrderUpdate): void => {
  if (order !== undefined && (order.symbol !== update.symbol || order.side !== update.side)) {
    throw new LedgerError('order_changed', 'an order must keep its symbol and side');
  }
};

/** Keeps the first contract size of a symbol, so that values stay comparable. */
const withSize = (ledger: Ledger, symbol: string, contractSize: string): Ledger =>
  symbol in ledger.contract_sizes
    ? ledger
    : { ...ledger, contract_sizes: { ...ledger.contract_sizes, [symbol]: contractSize } };

const countStatus = (ledger: Ledger, from: OrderStatus | null, to: OrderStatus): Ledger => {
  if (from === to) return ledger;
  const orders = { ...ledger.orders, [to]: (ledger.orders[to] ?? 0) + 1 };
  if (from !== null) {
    const left = (orders[from] ?? 0) - 1;
    if (left > 0) orders[from] = left;
    else delete orders[from];
  }
  return { ...ledger, orders };
};

const SEQUENCE = 4;

/** Returns whether two steps differ at most in their sequence. */
const meansSame = (left: FillEntry, right: FillEntry | undefined): boolean =>
  left.length === right?.length && left.every((value, index) => index === SEQUENCE || value === right[index]);

/** Updates the sequences of entries after a report without news; the books stay the same. */
const renumbered = (ledger: Ledger, known: readonly FillEntry[], steps: readonly FillEntry[]): Ledger => {
  const changed = new Map<Entry, FillEntry>();
  for (const [index, step] of steps.entries()) {
    const entry = known[index];
    if (entry !== undefined && entry[SEQUENCE] !== step[SEQUENCE]) changed.set(entry, step);
  }
  if (changed.size === 0) return ledger;
  return { ...ledger, recent: ledger.recent.map((entry) => changed.get(entry) ?? entry) };
};

const addSteps = (
  ledger: Ledger,
  order: Order | undefined,
  merged: Order,
  update: OrderUpdate,
  contractSize: string,
): Booked => {
  const known = entriesOf(ledger, merged);
  const occurredAt = Date.parse(update.occurred_at);
  const at = effectiveTime(ledger, occurredAt);
  const steps = stepsAfter(ledger, { order, merged, known }, { update, contractSize, at });
  const isKnown = known.every((step, index) => meansSame(step, steps[index]));
  if (isKnown && steps.length === known.length) {
    return { ledger: renumbered(ledger, known, steps), effects: noEffects };
  }
  const isLate = at > occurredAt && steps.length > known.length;
  const counted = isLate ? { ...ledger, late: ledger.late + 1 } : ledger;
  const added = steps.at(-1);
  if (isKnown && added !== undefined && steps.length === known.length + 1) return withEntry(counted, added);
  const isOfOrder = isOf(merged);
  const others = ledger.recent.filter((entry) => !isOfOrder(entry));
  return withEntries(counted, [...others, ...steps]);
};

/** Applies the place of a fill that the books had before the engine, as that of a close by hand. */
const placed = (ledger: Ledger, order: Order, place: number): OrderOutcome => {
  const before = unchanged(ledger, order);
  const isOfOrder = isOf(order);
  const recent = ledger.recent.map((entry): Entry => {
    if (!isOfOrder(entry)) return entry;
    const [kind, at, symbol, id, sequence, quantity, value, fees, rate, created] = entry;
    return [kind, at, symbol, id, sequence, quantity, value, fees, rate, created, place];
  });
  const { ledger: changed, effects } = withEntries(ledger, recent);
  const elsewhere = new Map(effects.realized);
  const own = elsewhere.get(order.client_order_id);
  elsewhere.delete(order.client_order_id);
  const known = { ...order, place };
  return {
    ...before,
    ...effects,
    ledger: changed,
    order: own === undefined ? known : addRealized(known, own),
    changed: true,
    position_after: heldQuantity(changed, order.symbol),
    realized_elsewhere: elsewhere,
  };
};

/**
 * Applies an engine's report on an order. Reports are cumulative: the difference to the known state is new. Only the
 * first report of a sequence counts, so a repeat changes nothing. An older report that arrives late changes neither the
 * filled quantity nor, unless it is final, the status.
 *
 * @param order the stored order; undefined for a new one.
 * @param contractSize units per lot, used if neither the ledger nor the order knows them.
 * @param facts of the hub's own engine.
 * @throws LedgerError for a report that cannot be applied.
 */
export const applyOrderUpdate = (
  ledger: Ledger,
  order: Order | undefined,
  update: OrderUpdate,
  contractSize: string,
  facts: EngineFacts = {},
): OrderOutcome => {
  requireSame(order, update);
  if (order !== undefined && isTaken(order, update.sequence)) {
    const { place } = facts;
    return place === undefined || place === order.place
      ? unchanged(ledger, order)
      : placed(ledger, order, place);
  }
  // The ledger forgets the sizes of symbols that are not held, so the order keeps its own.
  const size = order?.contract_size ?? ledger.contract_sizes[update.symbol] ?? contractSize;
  const sized = withSize(ledger, update.symbol, size);
  const merged = { ...mergeReport(order, update, size), ...facts };
  const { ledger: entered, effects } = addSteps(sized, order, merged, update, size);
  requireRoom(ledger, entered);
  const bounded = sized === ledger ? entered : withFewerSizes(entered);
  const counted = countStatus(bounded, order?.status ?? null, merged.status);
  const elsewhere = new Map(effects.realized);
  const own = elsewhere.get(merged.client_order_id);
  elsewhere.delete(merged.client_order_id);
  const realized = own === undefined ? merged : addRealized(merged, own);
  return {
    ...effects,
    ledger: counted,
    order: realized,
    changed: counted !== ledger || JSON.stringify(order) !== JSON.stringify(realized),
    status_before: order?.status ?? null,
    filled_before: order?.filled_quantity ?? '0',
    position_before: heldQuantity(ledger, update.symbol),
    position_after: heldQuantity(counted, update.symbol),
    realized_elsewhere: elsewhere,
  };
};

/** Adds a realised result to an order. */
export const addRealized = (order: Order, realized: Realized): Order => {
  const closing_fills = order.closing_fills + realized.closings;
  return {
    ...order,
    closing_fills,
    realized_pnl: closing_fills === 0 ? null : add(order.realized_pnl ?? '0', realized.gross),
    swap: add(order.swap, realized.swap),
  };
};
