import { atDigits } from '../../digits.ts';
import { entryIdOf, quantityText } from '../running/entry-orders.ts';
import type { SignalReport } from '../running/order-report.ts';
import type { PaperAccount } from '../running/paper-account.ts';
import type { RoundTrip } from './round-trips.ts';

/** Something that is not as the backtest has it. */
export interface Difference {
  readonly kind: 'order' | 'trade' | 'waiting_order' | 'cash';
  readonly symbol: string;
  readonly at: number;
  /** Null if the backtest does not have it. */
  readonly expected: string | null;
  /** Null if it is missing. */
  readonly found: string | null;
}

/** Order of the order book, as far as a backtest tells it. */
export interface BookOrder
  extends Pick<SignalReport, 'client_order_id' | 'symbol' | 'side' | 'filled_quantity' | 'fees'> {
  readonly order_type: string;
  readonly status: string;
  /** Time of the last report. */
  readonly at: number;
  readonly average_price?: string | null | undefined;
}

const iso = (at: number): string => new Date(at).toISOString();

/** False if the time is the owner's, which the text leaves out. */
interface Timed {
  readonly isTimed: boolean;
}

/** Writes an order. The same orders have the same text. */
const orderText = (order: BookOrder, { isTimed }: Timed): string => {
  const { side, order_type, status, filled_quantity, average_price, fees, at } = order;
  const named = `${side} by ${order_type} order ${order.client_order_id}: ${status}`;
  if (Number(filled_quantity) === 0) return named;
  const price = average_price == null ? 'no price' : atDigits(Number(average_price));
  const [quantity, paid] = [filled_quantity, fees].map((amount) => atDigits(Number(amount)));
  const filled = `${named}, ${quantity} at ${price}, fees ${paid}`;
  return isTimed ? `${filled}, ${iso(at)}` : filled;
};

/** Orders of a backtest and of an order book, of one symbol. */
interface Orders {
  /** Orders by the last bar that the engine has worked on, and by the newest bar, which it may work on now. */
  readonly expected: ReadonlyMap<string, SignalReport>;
  readonly ahead: ReadonlyMap<string, SignalReport>;
  readonly found: readonly BookOrder[];
  /** Start of the last bar that the engine has worked on. */
  readonly to: number;
  /** Orders whose time is the owner's: manual closes. */
  readonly manual: ReadonlySet<string>;
}

const differenceOf = (order: BookOrder, expected: string | null, found: string | null): Difference => ({
  kind: 'order',
  symbol: order.symbol,
  at: order.at,
  expected,
  found,
});

/** Compares the orders of a backtest with those of an order book. */
export const compareOrders = ({ expected, ahead, found, to, manual }: Orders): Difference[] => {
  const differences: Difference[] = [];
  const textOf = (order: BookOrder) => orderText(order, { isTimed: !manual.has(order.client_order_id) });
  const byId = new Map(found.map((order) => [order.client_order_id, order]));
  for (const order of expected.values()) {
    if (!byId.has(order.client_order_id)) differences.push(differenceOf(order, textOf(order), null));
  }
  for (const order of found) {
    const { client_order_id: id } = order;
    const wanted = expected.get(id);
    const later = ahead.get(id);
    const text = textOf(order);
    if ([wanted, later].some((one) => one && textOf(one) === text)) continue;
    // The engine, or the owner, was faster than the comparison.
    if (!wanted && (manual.has(id) || order.at > to)) continue;
    differences.push(differenceOf(order, wanted ? textOf(wanted) : null, text));
  }
  return differences;
};

/** Round trips of a backtest and of the books, of one symbol, in their order. */
interface RoundTrips {
  readonly symbol: string;
  /** Those of the backtest by the newest bar. */
  readonly expected: readonly RoundTrip[];
  /** Number of them by the last bar that the engine has worked on. */
  readonly worked: number;
  readonly found: readonly RoundTrip[];
  readonly to: number;
  readonly manual: ReadonlySet<string>;
}

/** Digits of prices and quantities that are compared. A booked double has 15, and sums of several differ in the last. */
const DIGITS = 12;
/** Decimals of money that are compared. */
const DECIMALS = 6;

const measure = (text: string): number => Number(Number(text).toPrecision(DIGITS));
const money = (text: string): number => Number(Number(text).toFixed(DECIMALS));

const tripText = (trip: RoundTrip, { isTimed }: Timed): string => {
  const { side, opened_at, closed_at, client_order_id } = trip;
  const [quantity, entry, exit] = [trip.quantity, trip.entry_average, trip.exit_average].map(measure);
  const [fees, swap, net] = [trip.fees, trip.swap, trip.net].map(money);
  const results = `fees ${fees}, swap ${swap}, net ${net}`;
  const text = `closed ${side} ${quantity} from ${entry} to ${exit} by ${client_order_id}: ${results}, ${opened_at}`;
  return isTimed ? `${text} to ${closed_at}` : text;
};

/** Compares the round trips of a backtest, from flat to flat, with the trades in the books. */
export const compareRoundTrips = (trips: RoundTrips): Difference[] => {
  const { symbol, expected, worked, found, to, manual } = trips;
  const length = Math.max(worked, found.length);
  return Array.from({ length }, (_, index): Difference[] => {
    const [wanted, held] = [expected[index], found[index]];
    const isManual = [wanted, held].some((trip) => trip && manual.has(trip.client_order_id));
    const textOf = (trip: RoundTrip | undefined) => (trip ? tripText(trip, { isTimed: !isManual }) : null);
    const [wantedText, heldText] = [wanted, held].map(textOf);
    if (wantedText === heldText) return [];
    const at = Date.parse(held?.closed_at ?? wanted?.closed_at ?? '');
    // The engine, or the owner, was faster than the comparison.
    if (index >= worked && (isManual || at > to)) return [];
    return [{ kind: 'trade', symbol, at, expected: wantedText ?? null, found: heldText ?? null }];
  }).flat();
};

const sideText = (side: 1 | -1): string => (side === 1 ? 'long' : 'short');
const priceText = (name: string, price: number): string =>
  Number.isNaN(price) ? '' : `, ${name} ${atDigits(price)}`;

const tradeTexts = ({ account, entryIds }: PaperAccount): Map<string, { at: number; text: string }> =>
  new Map(
    account.trades.map((trade, index) => {
      const quantity = quantityText(trade.steps, account.settings);
      const closing = trade.closing > 0 ? `, closing ${quantityText(trade.closing, account.settings)}` : '';
      const text =
        `${sideText(trade.side)} ${quantity} at ${atDigits(trade.entryPrice)}` +
        priceText('stop', trade.stop) +
        priceText('target', trade.target) +
        closing;
      return [entryIds.get(trade) ?? String(index), { at: trade.entryAt, text }];
    }),
  );

const waitingTexts = ({ account, symbol }: PaperAccount): Map<string, { at: number; text: string }> =>
  new Map(
    account.orders.map((order) => {
      const id = entryIdOf(symbol, order);
      return [id, { at: order.placedAt, text: `${id}${priceText('price', order.price)}` }];
    }),
  );

const compareTexts = (
  kind: Difference['kind'],
  symbol: string,
  expected: ReturnType<typeof tradeTexts>,
  found: ReturnType<typeof tradeTexts>,
): Difference[] =>
  [...new Set([...expected.keys(), ...found.keys()])].flatMap((id): Difference[] => {
    const [wanted, held] = [expected.get(id), found.get(id)];
    if (wanted?.text === held?.text) return [];
    const at = wanted?.at ?? held?.at ?? 0;
    return [{ kind, symbol, at, expected: wanted?.text ?? null, found: held?.text ?? null }];
  });

/** Compares the account of a backtest with that of the engine after the same bar. */
export const compareAccounts = (expected: PaperAccount, found: PaperAccount): Difference[] => {
  const { symbol, at } = found;
  const [cash, held] = [expected.account.cash, found.account.cash];
  return [
    ...compareTexts('trade', symbol, tradeTexts(expected), tradeTexts(found)),
    ...compareTexts('waiting_order', symbol, waitingTexts(expected), waitingTexts(found)),
    ...(cash === held
      ? []
      : [{ kind: 'cash' as const, symbol, at, expected: String(cash), found: String(held) }]),
  ];
};
