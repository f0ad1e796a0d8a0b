import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { decimal } from '../../shared/domain/money.ts';
import { answerWith, type Reply, type Trouble } from './alpaca/faults.ts';
import {
  accountOf,
  cancelledOf,
  detailsOf,
  exchangeInfoOf,
  listOf,
  placedListOf,
  placedOf,
  restrictionsOf,
  tradesOf,
} from './binance/answers.ts';
import {
  type Params,
  type Refusal,
  refusal,
  refusedParams,
  requireDescribed,
} from './binance/description.ts';
import { fillBy, type HeldOrder, isOpen, type Market, pairOf, shown, tradeOrder } from './binance/market.ts';
import { cancelOrder, findHeld, isRefusal, placeOco, placeOrder } from './binance/requests.ts';
import { type Received, startUpstream, type Upstream } from './upstream.ts';

const KEY = {
  keyId: 'vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A',
  secret: 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j',
} as const;

/** A broker on loopback with the spot API of Binance, by its published description: one account. */
export interface FakeBinance extends Upstream {
  readonly adapter: 'binance';
  readonly currency: 'USDT';
  readonly keys: { keyId: string; secret: string };
  /** Settings for the functions. */
  readonly environment: Readonly<Record<string, string>>;
  readonly orders: HeldOrder[];
  readonly market: Pick<Market, 'liquidity' | 'feeRate' | 'feeAsset'>;
  readonly account: { uid: number; canTrade: boolean };
  readonly key: { canWithdraw: boolean; canTrade: boolean };
  /** Time by which the clock of the server is ahead, in milliseconds. */
  aheadMs: number;
  /** Time after which a lookup finds an order, in milliseconds. */
  lagMs: number;
  /** Chooses the trouble with a request. */
  trouble: (request: Received) => Trouble | undefined;
  /** Refuses a call with a documented answer. */
  refuse: ((operation: string, params: Params) => Reply | undefined) | undefined;
  /** Orders of the owner in any form, which are listed before the others. */
  foreign: unknown[];
  /** Answers that are not of the described form. */
  readonly faults: string[];
  readonly setPrice: (symbol: string, price: string) => void;
  readonly deposit: (asset: string, amount: string) => void;
  readonly balance: (asset: string) => string;
  /** Fills an order up to a quantity. */
  readonly fill: (order: HeldOrder, quantity: string, price: string) => void;
  /** Gives an order a status. */
  readonly end: (order: HeldOrder, status: string) => void;
  readonly reset: () => void;
}

const PUBLIC = new Set(['/api/v3/time', '/api/v3/exchangeInfo', '/api/v3/avgPrice', '/api/v3/ticker/price']);
const DEFAULT_WINDOW_MS = 5_000;
const SECOND_MS = 1_000;

const send = (response: ServerResponse, { status, body, headers }: Reply): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
};

/** Returns the parameters of a request, and the text that is signed. */
const paramsOf = ({ url, body }: Received): { params: Params; signed: string } => {
  const text = [url.search.slice(1), body].filter((part) => part !== '').join('&');
  return {
    params: Object.fromEntries(new URLSearchParams(text)),
    signed: text.replace(/&?signature=[^&]*/, ''),
  };
};

const isReply = (answer: unknown): answer is Refusal =>
  typeof answer === 'object' && answer !== null && isRefusal(answer);

/** Starts the broker. */
export const fakeBinance = async (clock: () => Date = () => new Date()): Promise<FakeBinance> => {
  const market: Market = {
    clock,
    orders: [],
    trades: [],
    totals: new Map(),
    prices: new Map(),
    liquidity: undefined,
    feeRate: '0',
    feeAsset: undefined,
  };
  const serverTime = (): number => clock().getTime() + fake.aheadMs;

  const refusedAccess = ({ headers }: Received, params: Params, signed: string): Refusal | undefined => {
    const { 'x-mbx-apikey': keyId } = headers;
    if (typeof keyId !== 'string' || !/^\w{64}$/.test(keyId)) {
      return refusal(-2014, 'API-key format invalid.', 401);
    }
    if (keyId !== fake.keys.keyId) {
      return refusal(-2015, 'Invalid API-key, IP, or permissions for action.', 401);
    }
    const window = Number(params.recvWindow ?? DEFAULT_WINDOW_MS);
    const age = serverTime() - Number(params.timestamp);
    if (age < -SECOND_MS) {
      return refusal(-1021, "Timestamp for this request was 1000ms ahead of the server's time.");
    }
    if (age > window) return refusal(-1021, 'Timestamp for this request is outside of the recvWindow.');
    const signature = createHmac('sha256', fake.keys.secret).update(signed).digest('hex');
    return signature === params.signature
      ? undefined
      : refusal(-1022, 'Signature for this request is not valid.');
  };

  const priceOf = (symbol: string): string | undefined => {
    const price = market.prices.get(symbol);
    return price && shown(price);
  };

  const found = (params: Params): HeldOrder | Refusal => {
    const order = findHeld(market, params);
    const isLate = !isRefusal(order) && clock().getTime() < order.time + fake.lagMs;
    return isLate ? refusal(-2013, 'Order does not exist.') : order;
  };

  const read = (operation: string, params: Params): unknown => {
    const { symbol = '', orderId = '', orderListId } = params;
    switch (operation) {
      case 'GET /api/v3/time':
        return { serverTime: serverTime() };
      case 'GET /api/v3/exchangeInfo':
        return pairOf(symbol) ? exchangeInfoOf(symbol, serverTime()) : refusal(-1121, 'Invalid symbol.');
      case 'GET /api/v3/avgPrice': {
        const price = priceOf(symbol);
        return price === undefined
          ? refusal(-1121, 'Invalid symbol.')
          : { mins: 5, price, closeTime: serverTime() };
      }
      case 'GET /api/v3/ticker/price': {
        const price = priceOf(symbol);
        return price === undefined ? refusal(-1121, 'Invalid symbol.') : { symbol, price };
      }
      case 'GET /api/v3/order': {
        const order = found(params);
        return isRefusal(order) ? order : detailsOf(order);
      }
      case 'GET /api/v3/openOrders':
        return [...fake.foreign, ...market.orders.filter(isOpen).map(detailsOf)];
      case 'GET /api/v3/orderList': {
        const list = market.orders.filter((order) => String(order.orderListId) === orderListId);
        return list.length > 0 ? listOf(list) : refusal(-2013, 'Order list does not exist.');
      }
      case 'GET /api/v3/account':
        return accountOf(market, fake.account);
      case 'GET /api/v3/myTrades':
        return tradesOf(market, symbol, Number(orderId));
      case 'GET /sapi/v1/account/apiRestrictions':
        return restrictionsOf(fake.key, serverTime());
      default:
        throw new Error(`there is no ${operation}`);
    }
  };

  const act = (operation: string, params: Params): unknown => {
    if (operation === 'POST /api/v3/order') {
      const order = placeOrder(market, params);
      return isRefusal(order) ? order : placedOf(market, order);
    }
    if (operation === 'DELETE /api/v3/order') {
      const order = cancelOrder(market, params);
      return isRefusal(order) ? order : cancelledOf(order);
    }
    const orders = placeOco(market, params);
    return isRefusal(orders) ? orders : placedListOf(orders);
  };

  const process = (request: Received): Reply => {
    const { method, url } = request;
    const operation = `${method} ${url.pathname}`;
    const { params, signed } = paramsOf(request);
    const refused =
      (PUBLIC.has(url.pathname) ? undefined : refusedAccess(request, params, signed)) ??
      refusedParams(operation, params) ??
      fake.refuse?.(operation, params);
    const answer = refused ? undefined : method === 'GET' ? read(operation, params) : act(operation, params);
    const reply: Reply = refused ?? (isReply(answer) ? answer : { status: 200, body: answer });
    try {
      // Orders of the owner, and answers of tests, may have any form.
      if (fake.foreign.length === 0 && !fake.refuse) requireDescribed(operation, reply.status, reply.body);
    } catch (error) {
      fake.faults.push(String(error));
    }
    return reply;
  };

  const upstream = await startUpstream((request, response) => {
    const trouble = fake.trouble(request);
    if (trouble === 'limited') {
      const body = { code: -1003, msg: 'Too many requests queued.' };
      send(response, { status: 429, body, headers: { 'retry-after': '1' } });
    } else if (trouble === 'throttled') {
      const body = { code: -1003, msg: 'Way too much request weight used; IP banned until 1.' };
      send(response, { status: 418, body, headers: { 'retry-after': '2' } });
    } else answerWith(trouble, () => process(request), response, clock());
  });

  const fake: FakeBinance = {
    ...upstream,
    adapter: 'binance',
    currency: 'USDT',
    keys: { ...KEY },
    environment: { HUB_BINANCE_URL: `${upstream.url}/`, HUB_BINANCE_PAPER_URL: upstream.url },
    orders: market.orders,
    market,
    account: { uid: 354_937_868, canTrade: true },
    key: { canWithdraw: false, canTrade: true },
    aheadMs: 0,
    lagMs: 0,
    trouble: () => undefined,
    refuse: undefined,
    foreign: [],
    faults: [],
    setPrice: (symbol, price) => {
      market.prices.set(symbol, decimal(price));
      for (const order of market.orders) if (order.symbol === symbol) tradeOrder(market, order);
    },
    deposit: (asset, amount) => {
      market.totals.set(asset, decimal(amount));
    },
    balance: (asset) => (market.totals.get(asset) ?? decimal('0')).toFixed(),
    fill: (order, quantity, price) =>
      fillBy(market, order, decimal(quantity).minus(order.executed), decimal(price)),
    end: (order, status) => {
      order.status = status;
      order.updateTime = clock().getTime();
    },
    reset: () => {
      for (const list of [market.orders, market.trades, upstream.received, fake.faults]) list.length = 0;
      for (const map of [market.totals, market.prices]) map.clear();
      Object.assign(market, { liquidity: undefined, feeRate: '0', feeAsset: undefined });
      Object.assign(fake.keys, KEY);
      Object.assign(fake.account, { canTrade: true });
      Object.assign(fake.key, { canWithdraw: false, canTrade: true });
      Object.assign(fake, { aheadMs: 0, lagMs: 0, refuse: undefined, foreign: [], trouble: () => undefined });
    },
  };
  return fake;
};
