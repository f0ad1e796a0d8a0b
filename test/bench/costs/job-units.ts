import type { Units } from './units.ts';

/** Work of a job. */
interface JobUnits {
  /** A run that finds nothing to do. */
  readonly idle: Units;
  /** Items of a full page. */
  readonly page: number;
  /** Units of each item, by `npm run bench:cost`. */
  readonly read: number;
  readonly write: number;
}

const idle = (calls: number, read: number): Units => ({ calls, read, write: 0 });

/** Lanes of the outbox, with one partition for each of their shards. */
const LANE = idle(9, 4.5);

const FOLLOWING: JobUnits = { idle: idle(4, 2), page: 200, read: 2.25, write: 18 };
const COMPARISON: JobUnits = { idle: idle(1, 0.5), page: 50, read: 0.5, write: 3 };

export const JOB_UNITS: Readonly<Record<string, JobUnits>> = {
  'expire-deployments': { idle: idle(1, 0.5), page: 200, read: 5.1, write: 14 },
  'reconcile-lists': { idle: idle(1, 1), page: 400, read: 1.29, write: 0.06 },
  'rank-strategies': { idle: idle(1, 1), page: 10_000, read: 0.13, write: 0.024 },
  'sweep-events': { idle: LANE, page: 200, read: 11, write: 13 },
  'sweep-backtests': { idle: idle(4, 2), page: 200, read: 2.14, write: 9.67 },
  'sweep-records': { idle: idle(1, 0.5), page: 500, read: 1.5, write: 14 },
  'sweep-series': { idle: idle(1, 0.5), page: 2000, read: 0.54, write: 1 },
  'delete-accounts': { idle: idle(2, 1), page: 20, read: 12.1, write: 704 },
  'close-equity-days': { idle: idle(1, 1), page: 100, read: 5.54, write: 5.2 },
  'roll-swaps': { idle: idle(1, 1), page: 100, read: 3.36, write: 8.1 },
  'halt-deployments': { idle: idle(2, 1.5), page: 20, read: 6.67, write: 17 },
  'sweep-deliveries': { idle: LANE, page: 500, read: 1.17, write: 5.42 },
  'sweep-bulk': { idle: LANE, page: 500, read: 2.17, write: 5.42 },
  'sweep-orders': { idle: LANE, page: 500, read: 4.45, write: 5 },
  'sweep-changes': { idle: LANE, page: 500, read: 1.35, write: 10.2 },
  'sweep-pushes': { idle: LANE, page: 500, read: 1.45, write: 5 },
  'sweep-webhooks': { idle: LANE, page: 500, read: 2.94, write: 7.88 },
  'attend-webhooks': { idle: idle(1, 0.5), page: 250, read: 19.1, write: 33.4 },
  'refresh-partner-tokens': { idle: idle(1, 0.5), page: 50, read: 0.13, write: 9 },
  'follow-orders': FOLLOWING,
  'compare-accounts': COMPARISON,
  'follow-binance-orders': FOLLOWING,
  'compare-binance-accounts': COMPARISON,
  'pull-candles': { idle: idle(3, 2), page: 500, read: 1.75, write: 0 },
};
