import * as z from 'zod';
import { type TradingDays, tradingDaysOf } from '../candles/trading-days.ts';
import { decimal, decimalText, toText } from '../money.ts';
import { openRecord } from '../open-enum.ts';
import { ORDER_STATUSES } from '../orders/order-states.ts';
import { addDays, daySchema, dayOf as utcDayOf } from '../periods.ts';
import { accountSchema, copyAccount, openAccount, openPositions } from './account.ts';
import { entrySchema } from './entries.ts';
import { lotsSchema } from './lots.ts';

/** Most fills and charges remembered as single entries, and so the most that may overtake one. */
export const MAX_RECENT = 100;
/** Most days that a fill or charge may be late and still count at its own time. */
export const SETTLE_DAYS = 10;
/** Most quotes remembered, without the first of each symbol: per day the last, and the last before the rollover. */
export const MAX_QUOTES = 2000;
/** Most quotes remembered per symbol. */
export const MAX_SYMBOL_QUOTES = 400;
/** Most positions at rollovers remembered, except for the newest rollover. */
export const MAX_HELD = 1000;
/** Most symbols with an open position. The largest possible ledger then fits the 400 KB of an item. */
export const MAX_OPEN_SYMBOLS = 500;
/** Most splits of a symbol that a ledger knows. */
export const MAX_SPLITS = 20;
/** Most flat symbols whose swap is kept, and most contract sizes of symbols not held; the latest are kept. */
export const MAX_SPARE = 32;

/** A quote: time, price, and the rate to the deployment's currency if the symbol is quoted in another one. */
const quoteSchema = z.tuple([z.number(), decimalText, decimalText.optional()]);

/** A position at a rollover: symbol, quantity (positive is long), price, and the rate if there is one. */
const heldSchema = z.tuple([z.string(), decimalText, decimalText, decimalText.optional()]);

export type Held = z.output<typeof heldSchema>;

/** A split: time, new units, old units. Prices and quantities up to that time are in old units. */
const splitSchema = z.tuple([z.number(), z.int(), z.int()]);

/** State of the rollover charges of a paper deployment. */
const rolloversSchema = z.object({
  /** Last day whose rollover is charged. */
  through: daySchema,
  /**
   * Positions at rollovers, oldest first. Up to `through`: those charged, while late events can still change them. After
   * `through`: those that the base has passed.
   */
  held: z.array(z.tuple([daySchema, z.array(heldSchema)])),
});

/**
 * Schema of a deployment's ledger as stored. `recent` holds the latest fills and charges in the order in which they
 * count, `base` the books before them, `head` the books after them. An event in order changes only the head. A late
 * event is inserted into `recent` and the head is rebuilt from the base. So the ledger is the same for any order of
 * arrival, as long as no event is overtaken by more than {@link MAX_RECENT} later fills and charges or is more than
 * {@link SETTLE_DAYS} days late. Otherwise it counts as if it had happened at the base.
 *
 * A symbol leaves the ledger when it is flat and no entry of it is remembered; its results stay in the totals.
 */
export const ledgerSchema = z.object({
  version: z.literal(1),
  started_at: z.number(),
  starting_capital: decimalText,
  /** Calendars of the deployment's symbols, which decide its trading days. */
  calendars: z.array(z.string()),
  /** The deployment's own symbols, whose quotes are kept without a position. */
  own: z.array(z.string()),
  contract_sizes: z.record(z.string(), decimalText),
  /**
   * Quotes by symbol, oldest first: per day that the base has not passed, the last one and the last one before the
   * rollover; and the last one before these days.
   */
  quotes: z.record(z.string(), z.array(quoteSchema)),
  /** Number of orders by status. */
  orders: openRecord(ORDER_STATUSES, z.int()),
  /** Last day that was closed. */
  closed_through: daySchema.nullable(),
  /** Number of events that came too late to count at their own time. */
  late: z.int(),
  /** Set if the books live in the time of bars. A series may lack years. */
  market_time: z.literal(true).optional(),
  /** Absent if the service charges no rollovers. */
  rollovers: rolloversSchema.optional(),
  /** Open lots of the base. */
  lots: lotsSchema,
  /**
   * For fills in `recent` that close an order of their own choice, by hand or of the hub's engine: that order, by the
   * fill's order. Absent without any.
   */
  by_hand: z.record(z.string(), z.string()).optional(),
  /** Splits by symbol, oldest first: time, new units, old units. Absent without any. */
  splits: z.record(z.string(), z.array(splitSchema)).optional(),
  recent: z.array(entrySchema),
  base: accountSchema,
  head: accountSchema,
});

export type Ledger = z.output<typeof ledgerSchema>;

/** Returns the ledger of a deployment that starts now. */
export const openLedger = (deployment: {
  readonly started_at: string;
  readonly starting_capital: string | number;
  /** Calendars of the symbols. */
  readonly calendars: readonly string[];
  /** True if the service charges rollovers. */
  readonly rolls_over?: boolean;
  /** True if the books live in the time of bars. */
  readonly market_time?: boolean;
  readonly symbols: readonly string[];
}): Ledger => {
  const started_at = Date.parse(deployment.started_at);
  const starting_capital = toText(decimal(deployment.starting_capital));
  const days = tradingDaysOf(deployment.calendars);
  const account = openAccount(days.dayOf(started_at), starting_capital);
  return {
    version: 1,
    started_at,
    starting_capital,
    calendars: [...days.calendars],
    own: [...deployment.symbols],
    contract_sizes: {},
    quotes: {},
    orders: {},
    closed_through: null,
    late: 0,
    ...(deployment.market_time && { market_time: true }),
    ...(deployment.rolls_over && { rollovers: { through: addDays(utcDayOf(started_at), -1), held: [] } }),
    lots: {},
    recent: [],
    base: account,
    head: copyAccount(account),
  };
};

/** Returns the trading days of a ledger. */
export const daysOf = ({ calendars }: Pick<Ledger, 'calendars'>): TradingDays => tradingDaysOf(calendars);

/** Copies the parts that settling days modifies. */
export const copyLedger = (ledger: Ledger): Ledger => ({
  ...ledger,
  quotes: { ...ledger.quotes },
  recent: [...ledger.recent],
  base: copyAccount(ledger.base),
  head: copyAccount(ledger.head),
});

/** Refusal of an event that the ledger cannot apply at any time. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly code: 'too_many_symbols' | 'too_far_ahead' | 'order_changed' | 'too_late' | 'too_many_splits';

  constructor(code: LedgerError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the symbols that the ledger must keep: those with a position or a remembered entry. */
export const heldSymbols = ({ base, head, recent }: Ledger): Set<string> => {
  const held = new Set<string>();
  for (const entry of recent) held.add(entry[2]);
  for (const account of [base, head]) for (const [symbol] of openPositions(account)) held.add(symbol);
  return held;
};

/** Returns whether the ledger keeps quotes of a symbol. */
export const isQuoted = (ledger: Ledger, symbol: string): boolean =>
  ledger.own.includes(symbol) || heldSymbols(ledger).has(symbol);

/**
 * Refuses a change that opens more positions than an item has room for.
 *
 * @throws LedgerError too_many_symbols
 */
export const requireRoom = (before: Ledger, after: Ledger): void => {
  if (Object.keys(after.head.symbols).length <= MAX_OPEN_SYMBOLS) return;
  const count = openPositions(after.head).length;
  if (count <= MAX_OPEN_SYMBOLS || count <= openPositions(before.head).length) return;
  throw new LedgerError(
    'too_many_symbols',
    `a deployment can hold positions in at most ${MAX_OPEN_SYMBOLS} symbols at once`,
  );
};
