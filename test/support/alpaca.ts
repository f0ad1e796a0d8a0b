import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import { type Received, startUpstream, type Upstream } from './upstream.ts';

/** An order as the stand-in holds it, in the words of Alpaca. */
export interface HeldOrder {
  readonly id: string;
  readonly client_order_id: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly type: string;
  readonly time_in_force: string;
  readonly qty: string;
  readonly limit_price: string | null;
  readonly stop_price: string | null;
  readonly created_at: string;
  readonly submitted_at: string;
  status: string;
  filled_qty: string;
  filled_avg_price: string | null;
  updated_at: string;
}

/**
 * Trouble with a request:
 * - `lost`: it is processed, but the connection ends without an answer.
 * - `cut`: it is processed, and the answer ends in the middle.
 * - `dropped`: it is not processed, and the connection ends.
 * - `hangs`: it is processed, and never answered.
 * - `late`: it is processed only after the connection has ended.
 * - `limited`, `down`: it is refused with 429 or 503.
 */
export type Trouble = 'lost' | 'cut' | 'dropped' | 'hangs' | 'late' | 'limited' | 'down';

const KEY = { keyId: 'PKTESTKEYID', secret: 'secret-of-the-test-account' } as const;

const orderIn = z.object({
  symbol: z.string(),
  qty: z.string(),
  side: z.enum(['buy', 'sell']),
  type: z.enum(['market', 'limit', 'stop', 'stop_limit']),
  time_in_force: z.enum(['day', 'gtc', 'ioc', 'fok', 'opg', 'cls']),
  client_order_id: z.string().max(48),
  limit_price: z.string().optional(),
  stop_price: z.string().optional(),
});

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const number = (text: string): number => Number(text);

const refusal = (status: number, code: number, message: string): Reply => ({
  status,
  body: { code, message },
});

const AT_ONCE = /^(day|gtc|ioc|fok|opg|cls) (market|limit)$/;
const RESTING = /^(day|gtc) (stop|stop_limit)$/;
const CRYPTO = /^(gtc (market|limit|stop_limit)|ioc (market|limit))$/;

/** Tells whether Alpaca supports the time in force of an order, by the tables of its page "Placing Orders". */
const isTaken = ({ symbol, qty, type, time_in_force: tif }: z.output<typeof orderIn>): boolean => {
  const combination = `${tif} ${type}`;
  if (symbol.includes('/')) return CRYPTO.test(combination);
  if (!Number.isInteger(number(qty))) return tif === 'day';
  return AT_ONCE.test(combination) || RESTING.test(combination);
};

const OPEN = new Set(['accepted', 'new', 'partially_filled', 'pending_cancel', 'pending_new', 'held']);
const LATE_MS = 30;

/** A stand-in for the Trading API of Alpaca, by its reference. */
export interface FakeAlpaca extends Upstream {
  readonly keys: { keyId: string; secret: string };
  /** Settings for the functions. */
  readonly environment: Readonly<Record<string, string>>;
  /** Orders that were placed, oldest first. */
  readonly orders: HeldOrder[];
  /** Positions by symbol without a slash; a short one is negative. */
  readonly positions: Map<string, number>;
  /** Size of positions that open orders hold. */
  held: number;
  readonly account: { account_number: string; status: string; currency: string; trading_blocked: boolean };
  /** Price of market orders, which fill at once; they stay open without one. */
  price: string | undefined;
  /** Chooses the trouble with a request. */
  trouble: (request: Received) => Trouble | undefined;
  /** Open orders that the owner placed, in any form. They are listed before the others. */
  foreign: unknown[];
  /** Refuses an order with a documented answer. */
  refuse: ((order: z.output<typeof orderIn>) => Reply | undefined) | undefined;
  /** Fills an order up to a quantity. */
  readonly fill: (order: HeldOrder, quantity: string, price: string) => void;
  /** Gives an order a status. */
  readonly end: (order: HeldOrder, status: string) => void;
}

/** Starts the stand-in. */
export const fakeAlpaca = async (clock: () => Date = () => new Date()): Promise<FakeAlpaca> => {
  const now = (): string => clock().toISOString().replace('Z', '000000Z');

  const fill: FakeAlpaca['fill'] = (order, quantity, price) => {
    const more = number(quantity) - number(order.filled_qty);
    const value = number(order.filled_qty) * number(order.filled_avg_price ?? '0') + more * number(price);
    order.filled_qty = quantity;
    order.filled_avg_price = String(Number((value / number(quantity)).toFixed(6)));
    order.status = quantity === order.qty ? 'filled' : 'partially_filled';
    order.updated_at = now();
    const symbol = order.symbol.replace('/', '');
    const held = fake.positions.get(symbol) ?? 0;
    fake.positions.set(symbol, held + (order.side === 'buy' ? more : -more));
  };

  const place = (body: string): Reply => {
    const { data: asked, success } = orderIn.safeParse(JSON.parse(body));
    if (!success) return refusal(422, 40010001, 'request body format is invalid');
    const refused = fake.refuse?.(asked);
    if (refused) return refused;
    if (fake.orders.some((order) => order.client_order_id === asked.client_order_id)) {
      return refusal(422, 40010001, 'client_order_id must be unique');
    }
    if (!isTaken(asked)) return refusal(422, 42210000, 'the combination is not supported');
    const order: HeldOrder = {
      ...asked,
      id: randomUUID(),
      limit_price: asked.limit_price ?? null,
      stop_price: asked.stop_price ?? null,
      status: 'new',
      filled_qty: '0',
      filled_avg_price: null,
      created_at: now(),
      submitted_at: now(),
      updated_at: now(),
    };
    fake.orders.push(order);
    const answer = { ...order, status: 'pending_new' };
    if (fake.price !== undefined && order.type === 'market') fill(order, order.qty, fake.price);
    return { status: 200, body: answer };
  };

  const cancel = (id: string): Reply => {
    const order = fake.orders.find((one) => one.id === id);
    if (!order) return refusal(404, 40410000, 'order not found');
    if (!OPEN.has(order.status)) return refusal(422, 42210000, 'order is not cancelable');
    fake.end(order, 'canceled');
    return { status: 204 };
  };

  const list = (url: URL): Reply => {
    const after = url.searchParams.get('after') ?? '';
    const open = fake.orders.filter((order) => OPEN.has(order.status) && order.submitted_at > after);
    const all = after === '' ? [...fake.foreign, ...open] : open;
    return { status: 200, body: all.slice(0, number(url.searchParams.get('limit') ?? '50')) };
  };

  const process = ({ method, url, body, headers }: Received): Reply => {
    if (
      headers['apca-api-key-id'] !== fake.keys.keyId ||
      headers['apca-api-secret-key'] !== fake.keys.secret
    ) {
      return refusal(401, 40110000, 'request is not authorized');
    }
    const { pathname: path, searchParams } = url;
    if (path === '/v2/account') return { status: 200, body: { id: randomUUID(), ...fake.account } };
    if (path === '/v2/orders' && method === 'POST') return place(body);
    if (path === '/v2/orders') return list(url);
    if (path === '/v2/orders:by_client_order_id') {
      const order = fake.orders.find((one) => one.client_order_id === searchParams.get('client_order_id'));
      return order ? { status: 200, body: order } : refusal(404, 40410000, 'order not found');
    }
    const [, , kind, id = ''] = path.split('/');
    if (kind === 'orders' && method === 'DELETE') return cancel(id);
    if (kind === 'positions') {
      const held = fake.positions.get(id) ?? 0;
      if (held === 0) return refusal(404, 40410000, 'position does not exist');
      const side = held > 0 ? 'long' : 'short';
      return {
        status: 200,
        body: { symbol: id, side, qty: String(held), qty_available: String(held - fake.held) },
      };
    }
    return refusal(404, 40410000, 'endpoint not found');
  };

  const send = (response: ServerResponse, { status, body, headers }: Reply): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };

  const cut = (response: ServerResponse, { status }: Reply): void => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"id":');
    setTimeout(() => response.destroy(), 1);
  };

  const answer = (request: Received, response: ServerResponse): void => {
    switch (fake.trouble(request)) {
      case undefined:
        send(response, process(request));
        break;
      case 'limited':
        send(response, { ...refusal(429, 42910000, 'too many requests.'), headers: { 'retry-after': '1' } });
        break;
      case 'down':
        send(response, { status: 503 });
        break;
      case 'late':
        setTimeout(() => process(request), LATE_MS);
        response.destroy();
        break;
      case 'dropped':
        response.destroy();
        break;
      case 'hangs':
        process(request);
        break;
      case 'cut':
        cut(response, process(request));
        break;
      case 'lost':
        process(request);
        response.destroy();
        break;
    }
  };

  const upstream = await startUpstream(answer);
  const fake: FakeAlpaca = {
    ...upstream,
    keys: { ...KEY },
    environment: { HUB_ALPACA_URL: `${upstream.url}/`, HUB_ALPACA_PAPER_URL: upstream.url },
    orders: [],
    positions: new Map(),
    held: 0,
    account: { account_number: 'PA3TEST', status: 'ACTIVE', currency: 'USD', trading_blocked: false },
    price: undefined,
    trouble: () => undefined,
    refuse: undefined,
    foreign: [],
    fill,
    end: (order, status) => {
      order.status = status;
      order.updated_at = now();
    },
  };
  return fake;
};
