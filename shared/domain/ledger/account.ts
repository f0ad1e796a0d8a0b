import * as z from 'zod';
import { dayRecordSchema } from '../metrics/equity-history.ts';
import { equityStatsSchema, noEquity } from '../metrics/equity-stats.ts';
import { addTrade, noTrades, tradeStatsSchema } from '../metrics/trade-stats.ts';
import { add, converted, decimal, decimalText, toText } from '../money.ts';
import { type Day, daySchema } from '../periods.ts';
import type { Entry, FillEntry, SplitEntry, SwapEntry } from './entries.ts';
import {
  applyFill,
  applySplit,
  averagePrice,
  type ClosedPosition,
  type Position,
  positionSchema,
} from './position.ts';

const symbolAccountSchema = z.object({
  position: positionSchema.nullable(),
  /** Realised and charged since the symbol was last flat. The account has the totals of all time. */
  gross: decimalText,
  fees: decimalText,
  /** Total swap; the part of the open position is also in the position. */
  swap: decimalText,
  /** Time of the last swap charge; absent before the first. */
  swap_at: z.number().optional(),
});

/** Books of one deployment at one point of its history. */
export const accountSchema = z.object({
  /** Current day; `at`: time of the last entry. */
  day: daySchema,
  at: z.number(),
  symbols: z.record(z.string(), symbolAccountSchema),
  gross: decimalText,
  fees: decimalText,
  swap: decimalText,
  fills: z.int(),
  /** Filled quantity of both sides; `traded_value`: its value. */
  lots: decimalText,
  traded_value: decimalText,
  trades: tradeStatsSchema,
  equity: equityStatsSchema,
  /** Start of the current time with open positions; `exposed_ms`: total of earlier such times. */
  exposed_since: z.number().nullable(),
  exposed_ms: z.number(),
  day_net: decimalText,
  day_trades: z.int(),
  /** Days that ended and are not yet in the equity history, oldest first. */
  days: z.array(dayRecordSchema),
});

export type Account = z.output<typeof accountSchema>;

/** A round trip, recorded when a position returns to zero or flips. Numbered within the deployment from 1. */
export interface Trade {
  readonly number: number;
  readonly symbol: string;
  readonly side: 'long' | 'short';
  readonly quantity: string;
  readonly entry_average: string;
  readonly exit_average: string;
  /** Value of the entries in the deployment's currency, at the rate of the closing fill. */
  readonly entry_value: string;
  readonly gross: string;
  readonly fees: string;
  readonly swap: string;
  readonly net: string;
  readonly opened_at: string;
  readonly closed_at: string;
  readonly duration_s: number;
  /** The order whose fill closed the trade. */
  readonly client_order_id: string;
}

/** Result of an entry, apart from the change of the account. */
export interface Outcome {
  readonly gross: string | null;
  readonly trade: Trade | null;
}

const NOTHING: Outcome = { gross: null, trade: null };

/** Returns the account of a deployment that starts on `day`. */
export const openAccount = (day: Day, startingCapital: string): Account => ({
  day,
  at: 0,
  symbols: {},
  gross: '0',
  fees: '0',
  swap: '0',
  fills: 0,
  lots: '0',
  traded_value: '0',
  trades: noTrades(startingCapital),
  equity: noEquity(startingCapital),
  exposed_since: null,
  exposed_ms: 0,
  day_net: '0',
  day_trades: 0,
  days: [],
});

/** Copies the parts that {@link applyEntry} and closing days modify; shares the parts that they only replace. */
export const copyAccount = (account: Account): Account => ({
  ...account,
  symbols: Object.fromEntries(
    Object.entries(account.symbols).map(([symbol, books]) => [
      symbol,
      { ...books, position: books.position && { ...books.position } },
    ]),
  ),
  days: [...account.days],
});

/** Returns the realised result net of fees and swap, which count when they are charged. */
export const netOf = (account: { gross: string; fees: string; swap: string }): string =>
  toText(decimal(account.gross).minus(account.fees).plus(account.swap));

/** Returns the open positions by symbol. */
export const openPositions = (account: Account): [symbol: string, position: Position][] =>
  Object.entries(account.symbols).flatMap(([symbol, { position }]) =>
    position === null ? [] : [[symbol, position]],
  );

const symbolAccount = (account: Account, symbol: string): Account['symbols'][string] => {
  account.symbols[symbol] ??= { position: null, gross: '0', fees: '0', swap: '0' };
  return account.symbols[symbol];
};

/** Drops the data of a flat symbol except its swap. */
const dropFlat = (account: Account, symbol: string): void => {
  const books = account.symbols[symbol];
  if (books === undefined || books.position !== null) return;
  if (books.swap_at === undefined) delete account.symbols[symbol];
  else account.symbols[symbol] = { ...books, gross: '0', fees: '0' };
};

const closeTrade = (
  account: Account,
  closed: ClosedPosition,
  entry: FillEntry,
  contractSize: string,
): Trade => {
  const net = closed.gross.minus(closed.fees).plus(closed.swap);
  account.trades = addTrade(account.trades, { ...closed, net });
  account.day_trades += 1;
  const [, , symbol, client_order_id, , , , , rate] = entry;
  return {
    number: account.trades.count,
    symbol,
    side: closed.side,
    quantity: toText(closed.entered.abs()),
    entry_average: toText(averagePrice(closed.entry_value, closed.entered, contractSize)),
    exit_average: toText(averagePrice(closed.exit_value, closed.entered.neg(), contractSize)),
    entry_value: toText(converted(closed.entry_value.abs(), rate ?? undefined)),
    gross: toText(closed.gross),
    fees: toText(closed.fees),
    swap: toText(closed.swap),
    net: toText(net),
    opened_at: new Date(closed.opened_at).toISOString(),
    closed_at: new Date(closed.closed_at).toISOString(),
    duration_s: (closed.closed_at - closed.opened_at) / 1000,
    client_order_id,
  };
};

const trackExposure = (account: Account, at: number): void => {
  const exposed = openPositions(account).length > 0;
  if (exposed) account.exposed_since ??= at;
  else if (account.exposed_since !== null) {
    account.exposed_ms += at - account.exposed_since;
    account.exposed_since = null;
  }
};

const applyFillEntry = (account: Account, entry: FillEntry, contractSize: string): Outcome => {
  const [, at, symbol, , , quantity, value, fees, rate] = entry;
  const books = symbolAccount(account, symbol);
  const fill = {
    at,
    quantity: decimal(quantity),
    value: decimal(value),
    fees: decimal(fees),
    size: contractSize,
    rate: rate ?? undefined,
  };
  const { position, gross, closed } = applyFill(books.position, fill);
  books.position = position;
  for (const each of [books, account]) {
    if (gross !== null) each.gross = add(each.gross, gross);
    each.fees = add(each.fees, fees);
  }
  account.day_net = toText(
    decimal(account.day_net)
      .minus(fees)
      .plus(gross ?? 0),
  );
  if (!fill.quantity.eq(0)) account.fills += 1;
  account.lots = add(account.lots, fill.quantity.abs());
  account.traded_value = add(account.traded_value, converted(fill.value.abs(), fill.rate));
  const trade = closed === null ? null : closeTrade(account, closed, entry, contractSize);
  dropFlat(account, symbol);
  trackExposure(account, at);
  return { gross: gross === null ? null : toText(gross), trade };
};

const applySwapEntry = (account: Account, [, at, symbol, , amount]: SwapEntry): Outcome => {
  const books = symbolAccount(account, symbol);
  books.swap = add(books.swap, amount);
  books.swap_at = at;
  account.swap = add(account.swap, amount);
  account.day_net = add(account.day_net, amount);
  if (books.position !== null) books.position.swap = add(books.position.swap, amount);
  return NOTHING;
};

const applySplitEntry = (account: Account, [, , symbol, , units, of]: SplitEntry): Outcome => {
  const books = account.symbols[symbol];
  if (books?.position) books.position = applySplit(books.position, { units, of });
  return NOTHING;
};

/** Applies an entry. Modifies `account`; pass a copy. */
export const applyEntry = (account: Account, entry: Entry, contractSize: string): Outcome => {
  account.at = entry[1];
  if (entry[0] === 'fill') return applyFillEntry(account, entry, contractSize);
  return entry[0] === 'swap' ? applySwapEntry(account, entry) : applySplitEntry(account, entry);
};
