import { randomUUID } from 'node:crypto';
import { FINAL, type OrderRequest, type PublishedOrder } from './description.ts';

/** Orders that depend on each other: the exits of a position, and the entry before them if there is one. */
export interface Group {
  readonly kind: 'oco' | 'oto' | 'bracket';
  readonly entry: HeldOrder | undefined;
  exits: HeldOrder[];
}

/** Order at the loopback broker. Tests may set any status, also one that is not published. */
export interface HeldOrder {
  readonly id: string;
  readonly client_order_id: string;
  readonly symbol: string;
  readonly asset_class: 'us_equity' | 'crypto';
  readonly side: 'buy' | 'sell';
  readonly type: OrderRequest['type'];
  readonly time_in_force: OrderRequest['time_in_force'];
  readonly order_class: 'simple' | Group['kind'];
  readonly created_at: string;
  readonly submitted_at: string;
  readonly replaces: string | null;
  qty: string;
  limit_price: string | null;
  stop_price: string | null;
  status: string;
  filled_qty: string;
  filled_avg_price: string | null;
  updated_at: string;
  replaced_by: string | null;
  /** End of the session in which a day order ends, in milliseconds. */
  expiresAt: number;
  /** True once the price has reached the stop. */
  isTriggered: boolean;
  /** Time at which a pending cancel or replacement is done, in milliseconds. */
  pendingUntil: number | undefined;
  group: Group | undefined;
}

export const isOpen = ({ status }: HeldOrder): boolean => !FINAL.has(status);

/** Rounds to the nine decimals of quantities. */
export const rounded = (value: number): number => Number(value.toFixed(9));

export const leftOf = ({ qty, filled_qty: filled }: HeldOrder): number =>
  rounded(Number(qty) - Number(filled));

/** Symbol of a position: that of a crypto asset has no slash. */
export const positionSymbol = (symbol: string): string => symbol.replaceAll('/', '');

export const assetClassOf = (symbol: string): HeldOrder['asset_class'] =>
  symbol.includes('/') ? 'crypto' : 'us_equity';

type Making = Pick<HeldOrder, 'symbol' | 'side' | 'type' | 'time_in_force' | 'qty' | 'status' | 'expiresAt'> &
  Partial<HeldOrder>;

/** Makes an order of a time. */
export const makeOrder = (now: Date, { client_order_id, ...making }: Making): HeldOrder => {
  // Alpaca's times have nanoseconds.
  const at = now.toISOString().replace('Z', '000000Z');
  return {
    id: randomUUID(),
    client_order_id: client_order_id ?? randomUUID(),
    asset_class: assetClassOf(making.symbol),
    order_class: 'simple',
    limit_price: null,
    stop_price: null,
    filled_qty: '0',
    filled_avg_price: null,
    created_at: at,
    submitted_at: at,
    updated_at: at,
    replaced_by: null,
    replaces: null,
    isTriggered: false,
    pendingUntil: undefined,
    group: undefined,
    ...making,
  };
};

type Published = Omit<PublishedOrder, 'status'> & { readonly status: string };

const viewOf = (order: HeldOrder): Published => {
  const { status, updated_at: changed } = order;
  const since = (word: string): string | null => (status === word ? changed : null);
  return {
    id: order.id,
    client_order_id: order.client_order_id,
    created_at: order.created_at,
    updated_at: changed,
    submitted_at: order.submitted_at,
    filled_at: since('filled'),
    expired_at: since('expired'),
    canceled_at: since('canceled'),
    failed_at: since('rejected'),
    replaced_at: since('replaced'),
    replaced_by: order.replaced_by,
    replaces: order.replaces,
    asset_id: `asset-${positionSymbol(order.symbol)}`,
    symbol: order.symbol,
    asset_class: order.asset_class,
    notional: null,
    qty: order.qty,
    filled_qty: order.filled_qty,
    filled_avg_price: order.filled_avg_price,
    order_class: order.order_class,
    order_type: order.type,
    type: order.type,
    side: order.side,
    time_in_force: order.time_in_force,
    limit_price: order.limit_price,
    stop_price: order.stop_price,
    extended_hours: false,
    trail_percent: null,
    trail_price: null,
    hwm: null,
    status,
  };
};

/** Returns the orders that are listed below an order: its exits, or the stop below the target of two exits. */
export const legsOf = (order: HeldOrder): readonly HeldOrder[] => {
  const { group } = order;
  if (!group) return [];
  if (group.entry) return order === group.entry ? group.exits : [];
  const isTarget = order.type === 'limit' && group.exits.includes(order);
  return isTarget ? group.exits.filter((exit) => exit !== order) : [];
};

/** Returns an order in its published form, with its legs if they are asked for. */
export const published = (order: HeldOrder, { nested = false, status = order.status } = {}) => {
  const legs = legsOf(order);
  return { ...viewOf(order), status, legs: nested && legs.length > 0 ? legs.map(viewOf) : null };
};
