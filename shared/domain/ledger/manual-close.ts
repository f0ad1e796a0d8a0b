import { type Decimal, decimal, toText, zero } from '../money.ts';
import type { Order, OrderUpdate } from '../orders/order-record.ts';
import { splitQuantity } from '../splits/ratio.ts';
import { own } from '../unknown-fields.ts';
import type { Ledger } from './ledger-state.ts';
import { lotsAfter, lotsIn, sizeOfLots, splitLots, unattributedPart } from './lots.ts';
import { inNewestUnits } from './splits.ts';

/** Returns the lots and the quantity of a symbol after all fills. */
const lotsOf = (ledger: Ledger, symbol: string) => {
  let lots = lotsIn(ledger.lots, symbol);
  let held = decimal(ledger.base.symbols[symbol]?.position?.quantity ?? '0');
  for (const entry of ledger.recent) {
    if (entry[0] === 'swap' || entry[2] !== symbol) continue;
    if (entry[0] === 'split') {
      const ratio = { units: entry[4], of: entry[5] };
      lots = splitLots(lots, ratio);
      held = splitQuantity(held, ratio);
      continue;
    }
    lots = lotsAfter(lots, held, entry, own(ledger.by_hand ?? {}, entry[3]));
    held = held.plus(entry[5]);
  }
  return { lots, held };
};

/**
 * Returns the quantity of an order that is still open. Opposite fills close the oldest fills first. An order that may
 * be in the unattributed part of the position counts up to the size of that part.
 *
 * @param options.isClosedByHand whether the owner has closed the order by hand before.
 */
export const openQuantity = (ledger: Ledger, order: Order, { isClosedByHand = false } = {}): Decimal => {
  const { lots, held } = lotsOf(ledger, order.symbol);
  if (held.eq(0) || held.gt(0) !== (order.side === 'buy')) return zero();
  const known = sizeOfLots(lots.filter(([id]) => id === order.client_order_id));
  const unattributed = unattributedPart(lots, held);
  const { opened_at = 0 } = ledger.head.symbols[order.symbol]?.position ?? {};
  const isOlder = Math.max(order.updated_at, ledger.started_at) < opened_at;
  if (unattributed.eq(0) || isOlder || isClosedByHand) return known;
  const filled = inNewestUnits(ledger, order.symbol, decimal(order.filled_quantity), order.updated_at);
  const rest = filled.minus(known);
  return known.plus(rest.lt(unattributed) ? rest : unattributed);
};

/** Returns the order that opened the oldest open part of a position; undefined if none is open, or it is unknown. */
export const oldestOpenOrder = (ledger: Ledger, symbol: string): string | undefined =>
  lotsOf(ledger, symbol).lots[0]?.[0];

/** Returns the ledger that records which order a fill closes first. Apply the report of the fill to it. */
export const withClosing = (ledger: Ledger, clientOrderId: string, closes: string): Ledger => ({
  ...ledger,
  by_hand: { ...ledger.by_hand, [clientOrderId]: closes },
});

const MANUAL_ID = 'manual-';

/**
 * Returns the id of an order that closes another one by hand.
 *
 * @param again revision of the order, if it was closed by hand before.
 */
export const manualIdOf = (orderId: number, again: number | undefined): string =>
  `${MANUAL_ID}${orderId}${again === undefined ? '' : `-${again}`}`;

/** Returns whether an order closes another one by hand. */
export const isManualId = (clientOrderId: string): boolean => clientOrderId.startsWith(MANUAL_ID);

/** Result of closing an order by hand. */
export interface ManualClose {
  /** Report of an opposite market order, filled. */
  readonly update: OrderUpdate;
  /** Ledger to apply the report to: it records which order the fill closes. */
  readonly ledger: Ledger;
}

/**
 * Closes the open quantity of an order by hand with an opposite market order, filled at `price`.
 *
 * @returns undefined if nothing is open.
 */
export const manualClose = (
  ledger: Ledger,
  order: Order & { readonly close_value: string | null },
  close: { readonly client_order_id: string; readonly price: string; readonly occurred_at: string },
): ManualClose | undefined => {
  const open = openQuantity(ledger, order, { isClosedByHand: order.close_value !== null });
  if (open.eq(0)) return undefined;
  const quantity = toText(open);
  return {
    ledger: withClosing(ledger, close.client_order_id, order.client_order_id),
    update: {
      client_order_id: close.client_order_id,
      sequence: 0,
      occurred_at: close.occurred_at,
      symbol: order.symbol,
      side: order.side === 'buy' ? 'sell' : 'buy',
      order_type: 'market',
      quantity,
      status: 'filled',
      filled_quantity: quantity,
      average_price: close.price,
      fees: '0',
      status_message: 'closed by hand',
    },
  };
};
