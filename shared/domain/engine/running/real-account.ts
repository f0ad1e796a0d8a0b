import * as z from 'zod';
import { exitReasonSchema } from '../../orders/exit-reasons.ts';
import { PROTECTIVE_LEVELS, type ProtectiveLevel } from '../../orders/protective-ids.ts';
import type { ExitReason, OpenTrade, PendingOrder } from '../account/account.ts';
import { pendingOrderSchema } from '../account/saved-account.ts';
import type { AccountSettings } from '../account/settings.ts';
import type { Direction, TradingPlan } from '../plan.ts';
import { stored, storedText } from '../stored.ts';
import { entryIdOf } from './entry-orders.ts';
import {
  type BarCursor,
  isActive,
  openPaperAccount,
  type PaperAccount,
  restorePaperAccount,
  savePaperAccount,
} from './paper-account.ts';

/** An order that was requested from a broker. Fills are cumulative; steps are those of the account. */
interface RequestedOrder {
  readonly id: string;
  readonly steps: number;
  filled: number;
  /** Sum of price times steps. */
  value: number;
  fees: number;
  /** True once the broker has reported its end. A late fill may still come. */
  isOver: boolean;
  /** True once its cancel was requested. */
  isCancelled: boolean;
  /** Time at which the order, or its cancel, was last requested. */
  askedAt: number;
  /** Trade that an entry opened, or that a close ends; undefined without an open one. */
  trade: OpenTrade | undefined;
}

/** Entry order at a broker. */
export interface RealEntry extends RequestedOrder {
  readonly order: PendingOrder;
}

/** Order at a broker that closes a trade, or a part of it. */
export interface RealClose extends RequestedOrder {
  readonly side: Direction;
  readonly reason: ExitReason;
  readonly expected: number;
  /** Index of the next bar when it ended; -1 before. */
  endedAt: number;
}

/** Order with which the adapter protects a trade at the broker, as last reported. */
export interface RealExit
  extends Pick<RequestedOrder, 'id' | 'filled' | 'value' | 'fees' | 'isOver' | 'trade'> {
  filled: number;
  value: number;
  fees: number;
  isOver: boolean;
  readonly level: ProtectiveLevel;
  /** True while it rests at the broker, which decides about its level then. */
  isResting: boolean;
}

/** Levels of a trade as the adapter knows them: they follow from the fills, or were requested. */
interface KnownLevels {
  readonly trade: OpenTrade;
  stop: number;
  target: number;
  /** Number of the last request. */
  number: number;
}

/**
 * Account of a deployment with real orders for one symbol. It decides like a paper account. Its trades follow the fills
 * that the broker reports. Changed in place.
 */
export interface RealAccount {
  readonly paper: PaperAccount;
  readonly entries: RealEntry[];
  readonly closes: RealClose[];
  readonly exits: RealExit[];
  /** Levels of open trades. */
  levels: KnownLevels[];
}

/** Decimals of steps. Brokers may fill parts of a step, whose sums and differences are not exact. */
const STEP_DECIMALS = 9;

/** Rounds steps that were added or subtracted, so that a trade that is closed leaves nothing behind. */
export const roundSteps = (steps: number): number =>
  Number.isInteger(steps) ? steps : Number(steps.toFixed(STEP_DECIMALS));

/** Ended orders that are kept for late fills. */
const MAX_ENDED = 16;

const realOf = (paper: PaperAccount): RealAccount => {
  paper.account.isReported = true;
  return { paper, entries: [], closes: [], exits: [], levels: [] };
};

/** Opens an account that trades from the next bar on. */
export const openRealAccount = (
  settings: AccountSettings,
  plan: TradingPlan,
  symbol: string,
  cursor: BarCursor,
): RealAccount => realOf(openPaperAccount(settings, plan, symbol, cursor));

const orderSchema = {
  id: z.string(),
  filled: stored,
  value: stored,
  fees: stored,
  isOver: z.boolean(),
  /** Place of the trade among the open ones; -1 without one. */
  trade: z.int(),
};

const requestedSchema = { ...orderSchema, steps: stored, isCancelled: z.boolean(), askedAt: stored };

const savedRealSchema = z.object({
  paper: z.string(),
  entries: z.array(z.object({ ...requestedSchema, order: pendingOrderSchema })),
  closes: z.array(
    z.object({
      ...requestedSchema,
      side: z.union([z.literal(1), z.literal(-1)]),
      reason: exitReasonSchema,
      expected: stored,
      endedAt: z.int(),
    }),
  ),
  exits: z.array(z.object({ ...orderSchema, level: z.enum(PROTECTIVE_LEVELS), isResting: z.boolean() })),
  levels: z.array(z.object({ trade: z.int(), stop: stored, target: stored, number: z.int() })),
});

/** Returns the orders without the oldest ones that have ended. */
const keptOf = <O extends Pick<RequestedOrder, 'isOver'>>(orders: readonly O[]): O[] => {
  let left = orders.filter(({ isOver }) => isOver).length - MAX_ENDED;
  return orders.filter(({ isOver }) => {
    if (!isOver || left <= 0) return true;
    left -= 1;
    return false;
  });
};

/** Returns an account as text, without its settings and the oldest orders that have ended. */
export const saveRealAccount = ({ paper, entries, closes, exits, levels }: RealAccount): string => {
  const { trades } = paper.account;
  const placeOf = <O extends { readonly trade: OpenTrade | undefined }>(order: O) => ({
    ...order,
    trade: order.trade ? trades.indexOf(order.trade) : -1,
  });
  return storedText({
    paper: savePaperAccount(paper),
    entries: keptOf(entries).map(placeOf),
    closes: keptOf(closes).map(placeOf),
    exits: keptOf(exits).map(placeOf),
    levels: levels.filter(({ trade }) => trades.includes(trade)).map(placeOf),
  });
};

/** Returns an account from its text and the settings that it was opened with. */
export const restoreRealAccount = (settings: AccountSettings, text: string): RealAccount => {
  const saved = savedRealSchema.parse(JSON.parse(text));
  const real = realOf(restorePaperAccount(settings, saved.paper));
  const { account, symbol } = real.paper;
  for (const { trade, order, ...entry } of saved.entries) {
    // The account and its requests share the order.
    const known = account.orders.find((each) => entryIdOf(symbol, each) === entry.id);
    real.entries.push({ ...entry, order: known ?? order, trade: account.trades[trade] });
  }
  for (const { trade, ...close } of saved.closes) {
    real.closes.push({ ...close, trade: account.trades[trade] });
  }
  for (const { trade, ...exit } of saved.exits) real.exits.push({ ...exit, trade: account.trades[trade] });
  for (const { trade, ...levels } of saved.levels) {
    const open = account.trades[trade];
    if (open) real.levels.push({ ...levels, trade: open });
  }
  return real;
};

/** Sets the index of the next bar. Shifts the indices that were counted with the one before. */
export const placeReal = ({ paper, closes }: RealAccount, index: number): void => {
  const shift = index - paper.index;
  for (const close of closes) {
    if (close.endedAt >= 0) close.endedAt += shift;
  }
  paper.index = index;
};

/** Returns whether an order is at the broker, or may be. */
export const hasWorkingOrders = ({ entries, closes }: RealAccount): boolean =>
  entries.some(({ isOver }) => !isOver) || closes.some(({ isOver }) => !isOver);

/** Returns whether a level of a trade rests at the broker, which decides about it then. */
export const restsAtBroker = ({ exits }: RealAccount, trade: OpenTrade, level: 'stop' | 'target'): boolean =>
  exits.some((exit) => exit.trade === trade && exit.level === level && exit.isResting);

/** Returns whether an account has to see every bar: it holds a trade or an order, or its rules count bars of the account. */
export const isRealActive = (real: RealAccount): boolean =>
  isActive(real.paper) || real.paper.account.trades.length > 0 || hasWorkingOrders(real);
