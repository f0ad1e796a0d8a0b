import * as z from 'zod';
import { decimal, decimalText, toText } from '../money.ts';
import { openRecord } from '../open-enum.ts';
import { ORDER_STATUSES } from '../orders/order-states.ts';
import { addDays, dayOf, daySchema } from '../periods.ts';
import { accountSchema, copyAccount, openAccount, openPositions } from './account.ts';
import { entrySchema } from './entries.ts';
import { lotsSchema } from './lots.ts';

/** Fills and charges that the ledger remembers singly: one may be overtaken by as many later ones. */
export const MAX_RECENT = 100;
/** Fills and charges count at their own time when they come at most this many days late. */
export const SETTLE_DAYS = 10;
/** Quotes remembered, apart from the first of each symbol: of a day the last one, and the last one before the rollover. */
export const MAX_QUOTES = 2000;
/** Quotes of one symbol that are remembered. */
export const MAX_SYMBOL_QUOTES = 400;
/** Positions at rollovers that are remembered, but for the newest rollover. */
export const MAX_HELD = 1000;
/** Symbols with an open position. A ledger with this many, in their longest form, fits into an item of 400 KB. */
export const MAX_OPEN_SYMBOLS = 500;
/** Flat symbols whose swap is kept, and contract sizes kept for symbols that are not held: the latest ones. */
export const MAX_SPARE = 32;

/** Days per year that returns are counted for: weekdays, or every day where markets never close. */
const PERIODS_PER_YEAR = [252, 365] as const;

/** A quote of a symbol: time, price, and the rate to the deployment's currency where the symbol has another one. */
const quoteSchema = z.tuple([z.number(), decimalText, decimalText.optional()]);

/** A position at a rollover: symbol, quantity (positive is long), price, and the rate where there is one. */
const heldSchema = z.tuple([z.string(), decimalText, decimalText, decimalText.optional()]);

export type Held = z.output<typeof heldSchema>;

/** How far the rollovers of a paper deployment are charged for. */
const rolloversSchema = z.object({
  /** The last day whose rollover is charged for. */
  through: daySchema,
  /**
   * The positions at rollovers, oldest first: up to `through` those that were charged for, while late events can
   * still change them; after it those that the base has left behind.
   */
  held: z.array(z.tuple([daySchema, z.array(heldSchema)])),
});

/**
 * The ledger of a deployment, as it is stored. `recent` holds the latest fills and charges in the order in which
 * they count; `base` are the books before them, `head` those after them. An event that comes in order changes
 * the head alone; one that comes late is put in its place and the head is made anew from the base. So the
 * ledger is the same whatever the order of arrival, as long as no event is overtaken by more than
 * {@link MAX_RECENT} later fills and charges or comes more than {@link SETTLE_DAYS} days late. One that is or does
 * counts as if it had happened at the base.
 *
 * A symbol leaves the ledger when it is flat and nothing of it is remembered; its results stay in the sums.
 */
export const ledgerSchema = z.object({
  version: z.literal(1),
  started_at: z.number(),
  starting_capital: decimalText,
  periods_per_year: z.literal(PERIODS_PER_YEAR),
  /** The deployment's own symbols: their quotes are kept without a position. Absent in ledgers made before. */
  own: z.array(z.string()).optional(),
  contract_sizes: z.record(z.string(), decimalText),
  /**
   * By symbol, oldest first: of each day that the base has not left behind the last one and the last one before
   * the rollover, and the one before these days.
   */
  quotes: z.record(z.string(), z.array(quoteSchema)),
  /** Orders by status. */
  orders: openRecord(ORDER_STATUSES, z.int()),
  /** The last day that was declared over. */
  closed_through: daySchema.nullable(),
  /** Events that came too late to count at their own time. */
  late: z.int(),
  /** Absent where no rollover is charged by the service, and in ledgers stored before it was kept. */
  rollovers: rolloversSchema.optional(),
  /** The open lots of the base. Absent while the base has no fill, and in ledgers stored before they were kept. */
  lots: lotsSchema.optional(),
  /** Of fills by hand in `recent`, by their order: the order that they close. Absent without any. */
  by_hand: z.record(z.string(), z.string()).optional(),
  recent: z.array(entrySchema),
  base: accountSchema,
  head: accountSchema,
});

export type Ledger = z.output<typeof ledgerSchema>;

/** The ledger of a deployment that starts now. */
export const openLedger = (deployment: {
  readonly started_at: string;
  readonly starting_capital: string | number;
  readonly periods_per_year: Ledger['periods_per_year'];
  /** Whether the service charges for rollovers. */
  readonly rolls_over?: boolean;
  readonly symbols: readonly string[];
}): Ledger => {
  const started_at = Date.parse(deployment.started_at);
  const starting_capital = toText(decimal(deployment.starting_capital));
  const account = openAccount(dayOf(started_at), starting_capital);
  return {
    version: 1,
    started_at,
    starting_capital,
    periods_per_year: deployment.periods_per_year,
    own: [...deployment.symbols],
    contract_sizes: {},
    quotes: {},
    orders: {},
    closed_through: null,
    late: 0,
    ...(deployment.rolls_over && { rollovers: { through: addDays(dayOf(started_at), -1), held: [] } }),
    recent: [],
    base: account,
    head: copyAccount(account),
  };
};

/** A copy that the settling of days may change. */
export const copyLedger = (ledger: Ledger): Ledger => ({
  ...ledger,
  quotes: { ...ledger.quotes },
  recent: [...ledger.recent],
  base: copyAccount(ledger.base),
  head: copyAccount(ledger.head),
});

/** An event that the ledger cannot take, whenever it comes. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly code: 'too_many_symbols' | 'too_far_ahead' | 'order_changed';

  constructor(code: LedgerError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The symbols that the ledger cannot forget: those with a position, or with an entry that it remembers. */
export const heldSymbols = ({ base, head, recent }: Ledger): Set<string> => {
  const held = new Set(recent.map((entry) => entry[2]));
  for (const account of [base, head]) for (const [symbol] of openPositions(account)) held.add(symbol);
  return held;
};

/** Whether quotes of a symbol are kept. */
export const isQuoted = (ledger: Ledger, symbol: string): boolean =>
  (ledger.own ?? Object.keys(ledger.contract_sizes)).includes(symbol) || heldSymbols(ledger).has(symbol);

/** Refuses a change that opens more positions than an item has room for. */
export const requireRoom = (before: Ledger, after: Ledger): void => {
  if (Object.keys(after.head.symbols).length <= MAX_OPEN_SYMBOLS) return;
  const count = openPositions(after.head).length;
  if (count <= MAX_OPEN_SYMBOLS || count <= openPositions(before.head).length) return;
  throw new LedgerError(
    'too_many_symbols',
    `a deployment holds positions in at most ${MAX_OPEN_SYMBOLS} symbols at once`,
  );
};
