import * as z from 'zod';
import { decimalText } from '../../money.ts';
import { type Account, type OpenTrade, openAccount } from '../account/account.ts';
import { restoreAccount, saveAccount, savedAccountSchema } from '../account/saved-account.ts';
import type { AccountSettings } from '../account/settings.ts';
import { type SignalOrder, signalOrderSchema } from '../account/signal-order.ts';
import type { TradingPlan } from '../plan.ts';
import { stored, storedText } from '../stored.ts';

/** Account of a paper deployment for one symbol. Changed in place. */
export interface PaperAccount {
  readonly account: Account;
  readonly symbol: string;
  /** Start of the last bar that the account was advanced through. */
  at: number;
  /** Index of the next bar, counted from the program's first bar. */
  index: number;
  /** Exits so far; part of their order ids. */
  exits: number;
  /** Fills and charges so far: the place of the last one. */
  booked: number;
  /** Number of the last input that was applied; 0 without one. */
  inputs: number;
  /** Number of the last command to the deployment that was applied; 0 without one. */
  holds: number;
  /** True while a command stops entries. */
  isPaused: boolean;
  /** True while a command stops all orders. */
  isHalted: boolean;
  /** Ids of the orders that opened the open trades. */
  readonly entryIds: Map<OpenTrade, string>;
  /** Quantities of the limit and stop orders that wait, by order id. */
  readonly waiting: Map<string, string>;
  /** Orders of signals that wait for a price, oldest first. */
  signals: readonly SignalOrder[];
}

/** Place of an account in the bars of its program. */
export interface BarCursor {
  readonly at: number;
  readonly index: number;
}

/** Returns an account that has booked nothing yet, after the last bar of a program. */
export const newPaper = (account: Account, symbol: string, { at, index }: BarCursor): PaperAccount => ({
  account,
  symbol,
  at,
  index,
  exits: 0,
  booked: 0,
  inputs: 0,
  holds: 0,
  isPaused: false,
  isHalted: false,
  entryIds: new Map(),
  waiting: new Map(),
  signals: [],
});

/**
 * Opens an account that trades from the next bar on.
 *
 * @param cursor start of the last bar of the program, and index of its next one.
 */
export const openPaperAccount = (
  settings: AccountSettings,
  plan: TradingPlan,
  symbol: string,
  cursor: BarCursor,
): PaperAccount => newPaper(openAccount(settings, plan.runs.length), symbol, cursor);

const savedPaperSchema = z.object({
  symbol: z.string(),
  at: stored,
  index: z.int(),
  exits: z.int(),
  booked: z.int(),
  inputs: z.int(),
  holds: z.int(),
  isPaused: z.boolean(),
  isHalted: z.boolean(),
  account: savedAccountSchema,
  /** Ids of the entry orders, in the order of the account's trades. */
  entry_ids: z.array(z.string()),
  waiting: z.array(z.tuple([z.string(), decimalText])),
  signals: z.array(signalOrderSchema).optional(),
});

/** Returns an account between two bars as text, without its settings. */
export const savePaperAccount = (paper: PaperAccount): string => {
  const { account, symbol, at, index, exits, booked, inputs, holds, isPaused, isHalted } = paper;
  const { entryIds, waiting, signals } = paper;
  return storedText({
    symbol,
    at,
    index,
    exits,
    booked,
    inputs,
    holds,
    isPaused,
    isHalted,
    account: saveAccount(account),
    entry_ids: account.trades.map((trade) => entryIds.get(trade)),
    waiting: [...waiting],
    ...(signals.length > 0 && { signals }),
  });
};

/** Returns an account from its text and the settings that it was opened with. */
export const restorePaperAccount = (settings: AccountSettings, text: string): PaperAccount => {
  const saved = savedPaperSchema.parse(JSON.parse(text));
  const paper = newPaper(restoreAccount(settings, saved.account), saved.symbol, saved);
  paper.exits = saved.exits;
  paper.booked = saved.booked;
  paper.inputs = saved.inputs;
  paper.holds = saved.holds;
  paper.isPaused = saved.isPaused;
  paper.isHalted = saved.isHalted;
  for (const [index, trade] of paper.account.trades.entries()) {
    const id = saved.entry_ids[index];
    if (id !== undefined) paper.entryIds.set(trade, id);
  }
  for (const [id, quantity] of saved.waiting) paper.waiting.set(id, quantity);
  paper.signals = saved.signals ?? [];
  return paper;
};

/**
 * Returns whether an account has to see every bar: it holds a trade or an order, or its rules count bars of the account.
 * Others skip the bars without an entry's signal.
 */
export const isActive = ({ account, signals }: PaperAccount): boolean => {
  if (account.isRuined) return false;
  const { trades, orders, runs } = account;
  return trades.length > 0 || orders.length > 0 || runs.length > 0 || signals.length > 0;
};
