import { binance } from '../../../shared/channels/execution/binance/binance.ts';
import { isOpen, textOf } from '../binance/market.ts';
import { fakeBinance } from '../binance.ts';
import type { BrokerStand, Outcome, Refused } from './stand.ts';

const said = (code: number, msg: string, placing: Outcome, status = 400): Refused => ({
  name: `${status} ${code} ${msg}`,
  reply: { status, body: { code, msg } },
  placing,
});

/** Codes of the page "Error codes" by what they mean for an order that is being placed. */
const CODES: Readonly<Record<Outcome, readonly number[]>> = {
  unknown: [-1000, -1001, -1006, -1007, -1008],
  later: [-1003, -1015, -1016, -1021, -1034],
  access: [-1002, -1022, -2014, -2015],
  duplicate: [],
  refused: [
    ...[-1013, -1014, -1020, -1033, -1035, -1100, -1101, -1102, -1103, -1104, -1105, -1106, -1108, -1111],
    ...[-1112, -1114, -1115, -1116, -1117, -1118, -1119, -1120, -1121, -1122, -1125, -1127, -1128, -1130],
    ...[-1134, -1135, -1139, -1145, -1151, -1152, -1153, -1155, -1158, -1160, -1161, -1165, -1166, -1168],
    ...[-1169, -1170, -1171, -1172, -1173, -1174, -1175, -1176, -1177, -1178, -1179, -1180, -1181, -1182],
    ...[-1183, -1184, -1185, -1186, -1187, -1188, -1189, -1190, -1191, -1194, -1196, -1197, -1198, -1199],
    ...[-1210, -1211, -1220, -1221, -1222, -1223, -1224, -1225, -2010, -2011, -2013, -2016, -2026, -2035],
    ...[-2036, -2039, -2042, -2043, -2021, -2022, -2038],
  ],
};

/** Messages of the matching engine, of the same page. */
const MESSAGES = [
  'Unknown order sent.',
  'Market is closed.',
  'Account has insufficient balance for requested action.',
  'Market orders are not supported for this symbol.',
  'Iceberg orders are not supported for this symbol.',
  'Stop loss orders are not supported for this symbol.',
  'Price * QTY is zero or less.',
  'This action is disabled on this account.',
  'This account may not place or cancel orders.',
  'Unsupported order combination',
  'Order would trigger immediately.',
  'Order would immediately match and take.',
  'The relationship of the prices for the orders is not correct.',
  'This symbol is not permitted for this account.',
  'This symbol is restricted for this account.',
  'Rest API trading is not enabled.',
];

const FILTERS = [
  'PRICE_FILTER',
  'PERCENT_PRICE',
  'PERCENT_PRICE_BY_SIDE',
  'LOT_SIZE',
  'MIN_NOTIONAL',
  'NOTIONAL',
  'MARKET_LOT_SIZE',
  'MAX_POSITION',
  'MAX_NUM_ORDERS',
  'MAX_NUM_ALGO_ORDERS',
  'MAX_NUM_ORDER_LISTS',
  'EXCHANGE_MAX_NUM_ORDERS',
  'A_NEW_FILTER',
];

const OUTCOMES = ['unknown', 'later', 'access', 'duplicate', 'refused'] as const;

const REFUSALS: readonly Refused[] = [
  ...OUTCOMES.flatMap((outcome) => CODES[outcome].map((code) => said(code, 'A message.', outcome))),
  ...MESSAGES.map((msg) => said(-2010, msg, 'refused')),
  ...FILTERS.map((filter) => said(-1013, `Filter failure: ${filter}`, 'refused')),
  said(-2010, 'Duplicate order sent.', 'duplicate'),
  said(-9999, 'A code of a later version.', 'refused'),
  said(-2015, 'Invalid API-key, IP, or permissions for action.', 'access', 401),
  said(-1003, 'Too many requests queued.', 'later', 429),
  said(-1003, 'Way too much request weight used; IP banned until 1.', 'later', 418),
  said(-1007, 'Timeout waiting for response from backend server.', 'unknown', 504),
  { name: '403 of the firewall', reply: { status: 403 }, placing: 'later' },
  { name: '408', reply: { status: 408 }, placing: 'unknown' },
  ...[500, 502, 503].map((status): Refused => ({ name: `${status}`, reply: { status }, placing: 'unknown' })),
];

const SYMBOL = 'BTCUSDT';
const SAVINGS = '1000000';

/** Starts the loopback Binance with a coin. */
export const binanceStand = async (clock: () => Date): Promise<BrokerStand> => {
  const fake = await fakeBinance(clock);
  const orderOf = (id: string) => {
    const found = fake.orders.find(({ clientOrderId }) => clientOrderId === id);
    if (!found) throw new Error(`there is no order ${id}`);
    return found;
  };
  const addresses = {
    HUB_ALPACA_URL: 'http://127.0.0.1:1',
    HUB_ALPACA_PAPER_URL: 'http://127.0.0.1:1',
    HUB_BINANCE_URL: `${fake.url}/`,
    HUB_BINANCE_PAPER_URL: fake.url,
  };
  return {
    adapter: 'binance',
    code: binance,
    keys: fake.keys,
    currency: 'USDT',
    environment: fake.environment,
    symbol: SYMBOL,
    brokerSymbol: SYMBOL,
    assetClass: 'crypto',
    betweenSteps: { price: '99.507', below: '99.5', above: '99.51' },
    dust: '0.000001',
    statuses: {
      NEW: 'open',
      PENDING_NEW: 'open',
      PARTIALLY_FILLED: 'partially_filled',
      FILLED: 'filled',
      CANCELED: 'cancelled',
      PENDING_CANCEL: 'cancel_pending',
      REJECTED: 'rejected',
      EXPIRED: 'expired',
      EXPIRED_IN_MATCH: 'expired',
    },
    refusals: REFUSALS,
    foreign: [{ symbol: SYMBOL, clientOrderId: 'mine', orderId: 'text' }, { orderId: 1 }, null, 'text'],
    open: () => binance.open({ keys: fake.keys, environment: 'paper', addresses, clock, patienceMs: 3_000 }),
    received: fake.received,
    isPlacing: ({ method }) => method === 'POST',
    setTrouble: (trouble) => {
      fake.trouble = trouble;
    },
    setRefusal: (reply) => {
      fake.refuse = reply && ((operation) => (operation.startsWith('POST') ? reply : undefined));
    },
    setForeign: (orders) => {
      fake.foreign = [...orders];
    },
    setFeeRate: (rate) => {
      fake.market.feeRate = rate;
    },
    setAhead: (ms) => {
      fake.aheadMs = ms;
    },
    setLag: (ms) => {
      fake.lagMs = ms;
    },
    setPrice: (price) => fake.setPrice(SYMBOL, price),
    hold: (quantity) => fake.deposit('BTC', quantity),
    position: () => fake.balance('BTC'),
    placed: () =>
      fake.orders.map((order) => ({
        clientOrderId: order.clientOrderId,
        side: order.side === 'BUY' ? 'buy' : 'sell',
        quantity: textOf(order.quantity),
        filled: textOf(order.executed),
        isOpen: isOpen(order),
        isLimit: order.type === 'LIMIT',
        status: order.status,
      })),
    fill: (id, quantity, price) => fake.fill(orderOf(id), quantity, price),
    setStatus: (id, status) => fake.end(orderOf(id), status),
    faults: () => fake.faults,
    reset: () => {
      fake.reset();
      fake.deposit('USDT', SAVINGS);
      fake.setPrice(SYMBOL, '100');
    },
    close: () => fake.close(),
  };
};
