import { isDeepStrictEqual } from 'node:util';
import { decimal } from '../money.ts';
import type { Limits } from './limit-records.ts';

/** Limits with a number, of which the greater one allows more. */
const NUMBERS = [
  'daily_loss',
  'daily_loss_pct',
  'drawdown_pct',
  'position_value',
  'order_value',
  'open_positions',
  'orders_per_day',
  'orders_per_minute',
] as const satisfies readonly (keyof Limits)[];

const isRaised = (before: string | number | undefined, after: string | number | undefined): boolean =>
  before !== undefined && (after === undefined || decimal(after).gt(before));

const isWidened = (before: readonly string[] | undefined, after: readonly string[] | undefined): boolean =>
  before !== undefined && !(after?.every((symbol) => before.includes(symbol)) ?? false);

/** Tells whether limits allow anything that those before them did not. Other hours count as more. */
export const areLooser = (before: Limits, after: Limits): boolean =>
  NUMBERS.some((name) => isRaised(before[name], after[name])) ||
  isWidened(before.symbols, after.symbols) ||
  (before.paper_days ?? 0) > (after.paper_days ?? 0) ||
  (before.action === 'flatten' && after.action !== 'flatten') ||
  (before.hours !== undefined && !isDeepStrictEqual(before.hours, after.hours));
