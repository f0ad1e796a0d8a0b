import type { Units } from './units.ts';

/**
 * Measured like those of requests: trading by engines outside, orders of the hub through the adapter of a broker, the
 * console, and rounds of jobs for each of their items. A `backtest` is over four years of daily bars. Equity days and
 * swaps are measured by `npm run bench:cost`, a preflight never reaches a function.
 */
export const TRADING_UNITS = {
  'order of an engine, open': { calls: 2, read: 2, write: 15 },
  'fill of an order': { calls: 2, read: 2, write: 11 },
  'lists after an order': { calls: 3.5, read: 3, write: 9 },
  'quote of an engine': { calls: 2, read: 1, write: 6 },
  'order through the adapter': { calls: 8, read: 8.5, write: 9 },
  'order that the adapter follows': { calls: 3.4, read: 0.4, write: 7 },
  'comparison of an account': { calls: 2, read: 0.5, write: 3 },
  'change events of an order': { calls: 1.6, read: 2.2, write: 17.2 },
  /** The two writes of the list of those that wait take one unit each if few do, up to four if all slots are taken. */
  'wait for events': { calls: 7, read: 10, write: 2 },
  'page of own deployments': { calls: 3, read: 2.5, write: 0 },
  'overview of own accounts': { calls: 3, read: 2.5, write: 0 },
  'number of unread notifications': { calls: 2, read: 3, write: 0 },
  'state of the kill switch': { calls: 1, read: 3, write: 0 },
  backtest: { calls: 4, read: 13, write: 30 },
  'reconciling a user': { calls: 54, read: 63, write: 0.7 },
  'reconciling a trading deployment': { calls: 58.2, read: 62, write: 1.2 },
  'equity day of a deployment': { calls: 3.67, read: 5.54, write: 3.7 },
  'swaps of a deployment': { calls: 3.1, read: 3.36, write: 6.8 },
  // A megabyte read eventually consistent, and the place of the next page in a transaction.
  'page of the walk for deletions': { calls: 2, read: 128, write: 2 },
  preflight: { calls: 0, read: 0, write: 0 },
} as const satisfies Record<string, Units>;

export type TradingKind = keyof typeof TRADING_UNITS;
