import * as z from 'zod';
import { exitReasonSchema } from '../../orders/exit-reasons.ts';
import { stored } from '../stored.ts';
import { type Account, openAccount } from './account.ts';
import type { AccountSettings } from './settings.ts';
import { signalEntrySchema } from './signal-order.ts';

const CANCEL_REASONS = [
  'expired',
  'too_small',
  'insufficient_funds',
  'square_off',
  'opposite_trade',
  'protected',
  'signal',
  'paused',
  'halted',
  'risk_limit',
  'flatten',
  'ended',
  'late',
  'broker',
  'direction',
  'no_position',
  'split',
  'unpriced',
  'ruin',
] as const;

const openTradeSchema = z.object({
  side: z.union([z.literal(1), z.literal(-1)]),
  steps: stored,
  entryPrice: stored,
  low: stored,
  high: stored,
  entryBar: z.int(),
  entryAt: stored,
  entryFee: stored,
  swap: stored,
  stop: stored,
  target: stored,
  isTrailed: z.boolean(),
  place: z.enum(['open', 'limit', 'stop']),
  entry: z.int(),
  closing: stored,
  closingReason: exitReasonSchema,
  alertedAt: stored.optional(),
});

/** Schema of a stored entry order. */
export const pendingOrderSchema = z.object({
  entry: z.int(),
  placedBar: z.int(),
  placedAt: stored,
  signalClose: stored,
  price: stored,
  stopPoints: stored,
  targetPoints: stored,
  cancelling: z.enum(CANCEL_REASONS).optional(),
  splits: z.int().optional(),
  signal: signalEntrySchema.optional(),
});

/** Schema of a stored account, without its settings and without what has ended. */
export const savedAccountSchema = z.object({
  cash: stored,
  equity: stored,
  bar: z.int(),
  close: stored,
  at: stored,
  closeBefore: stored,
  atBefore: stored,
  trades: z.array(openTradeSchema),
  orders: z.array(pendingOrderSchema),
  isClosing: z.boolean(),
  isRuined: z.boolean(),
  exitBar: stored,
  filledAt: stored,
  evaluatedFrom: z.int(),
  evaluatedAt: stored,
  exposedBars: z.int(),
  exposedTo: z.int(),
  ambiguousBars: z.int(),
  resolvedBars: z.int(),
  rollover: stored,
  runs: z.array(z.number()),
});

type SavedAccount = z.output<typeof savedAccountSchema>;

/** Returns the part of an account that is stored. Trades, orders and steps must be taken out before. */
export const saveAccount = ({
  settings: _,
  closed: _closed,
  cancelled: _cancelled,
  liquidatedBelow: _liquidatedBelow,
  liquidatedAbove: _liquidatedAbove,
  isOpenBar: _isOpenBar,
  isTouchedBar: _isTouchedBar,
  isPaused: _isPaused,
  isHalted: _isHalted,
  isReported: _isReported,
  journal: _journal,
  runs,
  ...account
}: Account) => ({
  ...account,
  runs: [...runs],
});

/** Returns an account from its stored part. */
export const restoreAccount = (settings: AccountSettings, saved: SavedAccount): Account => {
  const { trades, orders, runs, ...fields } = saved;
  const account = openAccount(settings, runs.length);
  Object.assign(account, fields);
  account.trades.push(...trades);
  account.orders.push(...orders);
  account.runs.set(runs);
  return account;
};
