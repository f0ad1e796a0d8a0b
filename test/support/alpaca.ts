import type { OrderRequest, PatchRequest, Refusal } from './alpaca/description.ts';
import { answerWith, type Reply, type Trouble } from './alpaca/faults.ts';
import { type Market, openQuantity, positionOf } from './alpaca/market.ts';
import { type HeldOrder, isOpen, positionSymbol } from './alpaca/orders.ts';
import { cancelOrder, closePosition, placeOrder, replaceOrder } from './alpaca/requests.ts';
import { type Served, serve } from './alpaca/routes.ts';
import { ALWAYS_OPEN } from './alpaca/sessions.ts';
import { endOrder, fillOrder, setStatus, settle } from './alpaca/trading.ts';
import { type Received, startUpstream, type Upstream } from './upstream.ts';

export type { Trouble } from './alpaca/faults.ts';
export type { HeldOrder } from './alpaca/orders.ts';
export { NEW_YORK_SESSIONS } from './alpaca/sessions.ts';

const KEY = { keyId: 'PKTESTKEYID', secret: 'secret-of-the-test-account' } as const;

/** A request that the broker got, and what it answered. */
interface Exchange {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly trouble: Trouble | undefined;
  /** Undefined until the request is processed. */
  status: number | undefined;
}

/** Acts of the owner at the broker, by hand. */
interface ByHand {
  readonly place: (asked: OrderRequest) => HeldOrder | Refusal;
  readonly replace: (order: HeldOrder, asked: PatchRequest) => HeldOrder | Refusal;
  readonly cancel: (order: HeldOrder) => Refusal | undefined;
  /** Cancels the orders of a symbol and closes its position at the market. */
  readonly close: (symbol: string) => void;
}

/** Behaviour of the market and the venue. */
type Settings = Pick<
  Market,
  | 'liquidity'
  | 'pendingMs'
  | 'rejectsReplacements'
  | 'checksAvailability'
  | 'refusesPassedStops'
  | 'cryptoFee'
  | 'sessions'
>;

/**
 * A broker on loopback with the Trading API of Alpaca, by its published description: one account, whose orders trade at
 * the prices that tests set.
 */
export interface FakeAlpaca extends Upstream, Pick<Served, 'foreign' | 'refuse' | 'account'> {
  readonly keys: { keyId: string; secret: string };
  /** Settings for the functions. */
  readonly environment: Readonly<Record<string, string>>;
  /** Orders, oldest first. */
  readonly orders: HeldOrder[];
  /** Positions by symbol without a slash; a short one is negative. */
  readonly positions: Map<string, number>;
  readonly market: Settings;
  /** Price of all symbols that have none of their own; orders stay open without one. */
  price: string | undefined;
  /** Sets the price of a symbol. Orders that it reaches trade. */
  readonly setPrice: (symbol: string, price: string) => void;
  /** Lets the market go on to the present time: sessions open and end, pending cancels are done. */
  readonly settle: () => void;
  /** Chooses the trouble with a request. */
  trouble: (request: Received) => Trouble | undefined;
  /** Requests since the last reset, oldest first. */
  readonly journal: Exchange[];
  /** Is called after each request, price and step by hand. */
  onChange: () => void;
  /** Fills an order up to a quantity. */
  readonly fill: (order: HeldOrder, quantity: string, price: string) => void;
  /** Gives an order a status. */
  readonly end: (order: HeldOrder, status: string) => void;
  /** Converts a position to new units. Open orders are cancelled, or stay in old units. */
  readonly split: (symbol: string, ratio: number, openOrders: 'cancelled' | 'kept') => void;
  readonly byHand: ByHand;
  /** Returns the position of a symbol, and the quantity that open orders would close. */
  readonly exposure: (symbol: string) => { readonly position: number; readonly closing: number };
  /** Forgets orders, positions, prices and requests, and ends all trouble. */
  readonly reset: () => void;
}

const QUIET: Settings = {
  liquidity: undefined,
  pendingMs: 0,
  rejectsReplacements: false,
  checksAvailability: true,
  refusesPassedStops: false,
  cryptoFee: 0,
  sessions: ALWAYS_OPEN,
};

/** Reads a body for the journal. */
const parsed = (body: string): unknown => (body === '' ? undefined : JSON.parse(body));

/** Starts the broker. */
export const fakeAlpaca = async (clock: () => Date = () => new Date()): Promise<FakeAlpaca> => {
  const market: Market = {
    ...QUIET,
    clock,
    orders: [],
    positions: new Map(),
    prices: new Map(),
    traded: new Map(),
    anyPrice: undefined,
  };

  const process = (request: Received, entry: Exchange): Reply => {
    const { 'apca-api-key-id': keyId, 'apca-api-secret-key': secret } = request.headers;
    const isKnown = keyId === fake.keys.keyId && secret === fake.keys.secret;
    const reply: Reply = isKnown
      ? serve({ market, account: fake.account, foreign: fake.foreign, refuse: fake.refuse }, request)
      : { status: 401, body: { code: 40110000, message: 'request is not authorized' } };
    entry.status = reply.status;
    return changed(reply);
  };

  const upstream = await startUpstream((request, response) => {
    const { method, url, body } = request;
    const trouble = fake.trouble(request);
    const entry: Exchange = {
      at: clock().getTime(),
      method,
      path: `${url.pathname}${url.search}`,
      body: parsed(body),
      trouble,
      status: undefined,
    };
    fake.journal.push(entry);
    answerWith(trouble, () => process(request, entry), response, clock());
  });

  const changed = <T>(value: T): T => {
    fake.onChange();
    return value;
  };

  /** Lets orders trade at a new price. */
  const trade = (): void => {
    market.traded.clear();
    settle(market);
    fake.onChange();
  };

  const fake: FakeAlpaca = {
    ...upstream,
    market,
    keys: { ...KEY },
    journal: [],
    environment: { HUB_ALPACA_URL: `${upstream.url}/`, HUB_ALPACA_PAPER_URL: upstream.url },
    orders: market.orders,
    positions: market.positions,
    account: { account_number: 'PA3TEST', status: 'ACTIVE', currency: 'USD', trading_blocked: false },
    get price() {
      return market.anyPrice === undefined ? undefined : String(market.anyPrice);
    },
    set price(price) {
      market.anyPrice = price === undefined ? undefined : Number(price);
      trade();
    },
    setPrice: (symbol, price) => {
      market.prices.set(positionSymbol(symbol), Number(price));
      trade();
    },
    settle: () => changed(settle(market)),
    trouble: () => undefined,
    onChange: () => undefined,
    foreign: [],
    refuse: undefined,
    fill: (order, quantity, price) => changed(fillOrder(market, order, Number(quantity), Number(price))),
    end: (order, status) => changed(setStatus(market, order, status)),
    split: (symbol, ratio, openOrders) => {
      market.positions.set(positionSymbol(symbol), positionOf(market, symbol) * ratio);
      const open = market.orders.filter((order) => order.symbol === symbol && isOpen(order));
      if (openOrders === 'cancelled') for (const order of open) endOrder(market, order, 'canceled');
      fake.onChange();
    },
    byHand: {
      place: (asked) => changed(placeOrder(market, asked)),
      replace: ({ id }, asked) => changed(replaceOrder(market, id, asked)),
      cancel: ({ id }) => changed(cancelOrder(market, id)),
      close: (symbol) => {
        for (const order of market.orders) {
          if (positionSymbol(order.symbol) === positionSymbol(symbol)) cancelOrder(market, order.id);
        }
        const held = positionOf(market, symbol);
        if (held !== 0) closePosition(market, symbol, held);
        fake.onChange();
      },
    },
    exposure: (symbol) => {
      const position = positionOf(market, symbol);
      return { position, closing: openQuantity(market, symbol, position < 0 ? 'buy' : 'sell') };
    },
    reset: () => {
      for (const list of [market.orders, fake.journal, upstream.received]) list.length = 0;
      for (const map of [market.positions, market.prices, market.traded]) map.clear();
      Object.assign(market, QUIET, { anyPrice: undefined });
      Object.assign(fake.keys, KEY);
      fake.foreign = [];
      fake.refuse = undefined;
      fake.trouble = () => undefined;
      fake.onChange = () => undefined;
    },
  };
  return fake;
};
