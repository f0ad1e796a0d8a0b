import { alpaca } from '../../../shared/channels/execution/alpaca.ts';
import type { OrderStatus } from '../../../shared/domain/orders/order-states.ts';
import { PUBLISHED_STATUSES } from '../alpaca/description.ts';
import { isOpen } from '../alpaca/orders.ts';
import { ALWAYS_OPEN, type Sessions } from '../alpaca/sessions.ts';
import { fakeAlpaca } from '../alpaca.ts';
import type { BrokerStand, Refused } from './stand.ts';

const STATUSES: Readonly<Record<string, OrderStatus>> = {
  new: 'open',
  partially_filled: 'partially_filled',
  filled: 'filled',
  done_for_day: 'open',
  canceled: 'cancelled',
  expired: 'expired',
  replaced: 'cancelled',
  pending_cancel: 'cancel_pending',
  pending_replace: 'open',
  accepted: 'submitted',
  pending_new: 'submitted',
  accepted_for_bidding: 'submitted',
  stopped: 'open',
  rejected: 'rejected',
  suspended: 'open',
  calculated: 'open',
  held: 'open',
};

const said = (status: number, code: number, message: string, placing: Refused['placing']): Refused => ({
  name: `${status} ${code} ${message}`,
  reply: { status, body: { code, message } },
  placing,
});

/** Refusals that Alpaca's pages name, and the statuses of its gateway. */
const REFUSALS: readonly Refused[] = [
  said(401, 40110000, 'request is not authorized', 'access'),
  said(403, 40110000, 'access key verification failed', 'access'),
  { name: '403 without a body', reply: { status: 403 }, placing: 'access' },
  said(403, 40310000, 'insufficient buying power', 'refused'),
  said(403, 40310000, 'insufficient qty available for order', 'refused'),
  said(403, 40310000, 'potential wash trade detected. use complex orders', 'refused'),
  said(403, 40310100, 'trade denied due to pattern day trading protection', 'refused'),
  said(404, 40410000, 'asset not found', 'refused'),
  said(422, 40010001, 'client_order_id must be unique', 'duplicate'),
  said(422, 40010001, 'request body format is invalid', 'refused'),
  said(422, 42210000, 'asset is not tradable', 'refused'),
  { name: '400 without a body', reply: { status: 400 }, placing: 'refused' },
  { name: '408', reply: { status: 408 }, placing: 'unknown' },
  { name: '429', reply: { status: 429 }, placing: 'later' },
  ...[500, 502, 503, 504].map(
    (status): Refused => ({ name: `${status}`, reply: { status }, placing: 'unknown' }),
  ),
];

const CLOSED: Sessions = { ...ALWAYS_OPEN, isOpen: () => false, openAfter: () => Number.POSITIVE_INFINITY };

/** Starts the loopback Alpaca with a share. */
export const alpacaStand = async (clock: () => Date): Promise<BrokerStand> => {
  const fake = await fakeAlpaca(clock);
  const orderOf = (id: string) => {
    const found = fake.orders.find(({ client_order_id }) => client_order_id === id);
    if (!found) throw new Error(`there is no order ${id}`);
    return found;
  };
  const addresses = {
    HUB_ALPACA_URL: `${fake.url}/`,
    HUB_ALPACA_PAPER_URL: fake.url,
    HUB_BINANCE_URL: 'http://127.0.0.1:1',
    HUB_BINANCE_PAPER_URL: 'http://127.0.0.1:1',
  };
  const stand: BrokerStand = {
    adapter: 'alpaca',
    code: alpaca,
    keys: fake.keys,
    currency: 'USD',
    environment: fake.environment,
    symbol: 'AAPL',
    brokerSymbol: 'AAPL',
    assetClass: 'equity',
    betweenSteps: { price: '99.507', below: '99.5', above: '99.51' },
    dust: '0.0000000001',
    statuses: Object.fromEntries(
      PUBLISHED_STATUSES.map((status) => {
        const known = STATUSES[status];
        if (!known) throw new Error(`no meaning is given for the status ${status}`);
        return [status, known];
      }),
    ),
    refusals: REFUSALS,
    foreign: [
      { id: 'x', client_order_id: 'mine', symbol: null, order_class: 'mleg', legs: [{}], submitted_at: null },
      { id: 'no id of a client' },
      null,
      'text',
    ],
    open: () => alpaca.open({ keys: fake.keys, environment: 'paper', addresses, clock, patienceMs: 3_000 }),
    received: fake.received,
    isPlacing: ({ method }) => method === 'POST',
    setTrouble: (trouble) => {
      fake.trouble = trouble;
    },
    setRefusal: (reply) => {
      fake.refuse = reply && (() => reply);
    },
    setForeign: (orders) => {
      fake.foreign = [...orders];
    },
    setFeeRate: () => undefined,
    // It signs no time.
    setAhead: () => undefined,
    // Its ids are unique for good, so that no lookup is needed for it.
    setLag: () => undefined,
    setPrice: (price) => fake.setPrice('AAPL', price),
    hold: (quantity) => {
      fake.positions.set('AAPL', Number(quantity));
    },
    position: () => String(fake.positions.get('AAPL') ?? 0),
    placed: () =>
      fake.orders.map((order) => ({
        clientOrderId: order.client_order_id,
        side: order.side,
        quantity: order.qty,
        filled: order.filled_qty,
        isOpen: isOpen(order),
        isLimit: order.type === 'limit',
        status: order.status,
      })),
    fill: (id, quantity, price) => fake.fill(orderOf(id), quantity, price),
    setStatus: (id, status) => {
      // An accepted order is opened with the session.
      fake.market.sessions = status === 'accepted' ? CLOSED : ALWAYS_OPEN;
      fake.end(orderOf(id), status);
    },
    faults: () => [],
    reset: () => {
      fake.reset();
      fake.setPrice('AAPL', '100');
    },
    close: () => fake.close(),
  };
  return stand;
};
