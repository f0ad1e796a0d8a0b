import type { Received } from '../upstream.ts';
import {
  isRefusal,
  type OrderRequest,
  orderRequest,
  type PublishedAccount,
  type PublishedClock,
  type PublishedPosition,
  patchRequest,
  refusal,
} from './description.ts';
import type { Reply } from './faults.ts';
import { availableOf, type Market, priceOf } from './market.ts';
import { type HeldOrder, isOpen, legsOf, positionSymbol, published } from './orders.ts';
import { cancelOrder, closePosition, placeOrder, replaceOrder } from './requests.ts';
import { settle } from './trading.ts';

/** Account as tests set it. */
interface Account {
  account_number: string;
  status: string;
  currency: string;
  trading_blocked: boolean;
}

/** Dependencies of the routes. */
export interface Served {
  readonly market: Market;
  readonly account: Account;
  /** Open orders that the owner placed, in any form. They are listed before the others. */
  foreign: unknown[];
  /** Refuses an order with a documented answer. */
  refuse: ((order: OrderRequest) => Reply | undefined) | undefined;
}

const notFound = (message: string): Reply => refusal(404, 40410000, message);
const malformed: Reply = refusal(422, 40010001, 'request body format is invalid');

const positionView = (market: Market, symbol: string, held: number): PublishedPosition => {
  const price = String(priceOf(market, symbol) ?? 0);
  const value = String(held * Number(price));
  const isCrypto = market.orders.some(
    (order) => order.asset_class === 'crypto' && positionSymbol(order.symbol) === symbol,
  );
  const available = market.checksAvailability ? availableOf(market, symbol) : Math.abs(held);
  return {
    asset_id: `asset-${symbol}`,
    symbol,
    exchange: isCrypto ? 'CRYPTO' : 'NASDAQ',
    asset_class: isCrypto ? 'crypto' : 'us_equity',
    asset_marginable: !isCrypto,
    qty: String(held),
    qty_available: String(held < 0 ? -available : available),
    avg_entry_price: price,
    side: held > 0 ? 'long' : 'short',
    market_value: value,
    cost_basis: value,
    unrealized_pl: '0',
    unrealized_plpc: '0',
    unrealized_intraday_pl: '0',
    unrealized_intraday_plpc: '0',
    current_price: price,
    lastday_price: price,
    change_today: '0',
  };
};

const accountView = ({ status, ...account }: Account): Omit<PublishedAccount, 'status'> & Account => ({
  ...account,
  status,
  id: 'e6fe16f3-64a4-4921-8928-cadf02f92f98',
  account_blocked: false,
  trade_suspended_by_user: false,
});

const clockView = ({ clock, sessions }: Market): PublishedClock => {
  const now = clock().getTime();
  const iso = (at: number): string => new Date(Math.min(at, 8.64e15)).toISOString();
  return {
    timestamp: iso(now),
    is_open: sessions.isOpen(now),
    next_open: iso(sessions.openAfter(now)),
    next_close: iso(sessions.closeAfter(now)),
  };
};

const orderReply = (order: HeldOrder | { readonly status: number; readonly body: unknown }): Reply => {
  if (isRefusal(order)) return order;
  if (!('id' in order)) return order;
  // A new order is answered before the venue has it.
  const status = order.status === 'accepted' ? 'accepted' : 'pending_new';
  return { status: 200, body: published(order, { nested: true, status }) };
};

const place = ({ market, refuse }: Served, body: string): Reply => {
  const { data: asked, success } = orderRequest.safeParse(JSON.parse(body));
  if (!success) return malformed;
  return refuse?.(asked) ?? orderReply(placeOrder(market, asked));
};

const replace = ({ market }: Served, id: string, body: string): Reply => {
  const { data: asked, success } = patchRequest.safeParse(JSON.parse(body));
  return success ? orderReply(replaceOrder(market, id, asked)) : malformed;
};

/** Lists orders. A stop that is held below its target is listed with it only, if `nested` asks for legs. */
const list = ({ market, foreign }: Served, { searchParams: query }: URL): Reply => {
  const after = query.get('after') ?? '';
  const symbols = query.get('symbols')?.split(',').map(positionSymbol);
  const status = query.get('status') ?? 'open';
  const nested = query.get('nested') === 'true';
  const legs = new Set(nested ? market.orders.flatMap((order) => legsOf(order)) : []);
  const found = market.orders.filter((order) => {
    if (order.submitted_at <= after || legs.has(order)) return false;
    if (symbols && !symbols.includes(positionSymbol(order.symbol))) return false;
    if (status === 'all') return true;
    return status === 'closed' ? !isOpen(order) : isOpen(order) && order.status !== 'held';
  });
  const sorted = query.get('direction') === 'asc' ? found : found.toReversed();
  const bodies = sorted.map((order) => published(order, { nested }));
  const all = after === '' ? [...foreign, ...bodies] : bodies;
  return { status: 200, body: all.slice(0, Number(query.get('limit') ?? '50')) };
};

const find = (order: HeldOrder | undefined, nested = false): Reply =>
  order ? { status: 200, body: published(order, { nested }) } : notFound('order not found');

const orders = (served: Served, { method, url, body }: Received, id: string): Reply => {
  const { market } = served;
  if (id === '') {
    if (method === 'POST') return place(served, body);
    settle(market);
    return list(served, url);
  }
  if (method === 'DELETE') return cancelOrder(market, id) ?? { status: 204 };
  if (method === 'PATCH') return replace(served, id, body);
  settle(market);
  return find(
    market.orders.find((order) => order.id === id),
    url.searchParams.get('nested') === 'true',
  );
};

const positions = ({ market }: Served, method: string, symbol: string): Reply => {
  settle(market);
  if (symbol === '') {
    const held = [...market.positions].filter(([, quantity]) => quantity !== 0);
    return { status: 200, body: held.map(([name, quantity]) => positionView(market, name, quantity)) };
  }
  const held = market.positions.get(positionSymbol(symbol)) ?? 0;
  if (held === 0) return notFound('position does not exist');
  if (method === 'DELETE') return orderReply(closePosition(market, symbol, held));
  return { status: 200, body: positionView(market, positionSymbol(symbol), held) };
};

/** Processes a request of an account whose keys were checked. */
export const serve = (served: Served, request: Received): Reply => {
  const { market } = served;
  const { pathname: path, searchParams } = request.url;
  if (path === '/v2/account') return { status: 200, body: accountView(served.account) };
  if (path === '/v2/clock') return { status: 200, body: clockView(market) };
  if (path === '/v2/orders:by_client_order_id') {
    settle(market);
    return find(market.orders.find((order) => order.client_order_id === searchParams.get('client_order_id')));
  }
  const [, , kind, id = ''] = path.split('/');
  if (kind === 'orders') return orders(served, request, decodeURIComponent(id));
  if (kind === 'positions') return positions(served, request.method, decodeURIComponent(id));
  return notFound('endpoint not found');
};
