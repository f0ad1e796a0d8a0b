import type { ProviderDownError } from '../../../shared/channels/market-data/market-data.ts';
import type { FeedFailure, FeedState } from '../../../shared/data/candles/pulled-feeds.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Longest pause of a provider without a Retry-After. */
const MAX_PAUSE_MS = 5 * MINUTE_MS;
/** Longest Retry-After that is honoured: a ban of Binance. */
const MAX_RETRY_AFTER_MS = 72 * HOUR_MS;
/** Longest pause of a series whose requests are refused. */
const MAX_SERIES_PAUSE_MS = HOUR_MS;
/** Bounds the size of the state. Further series are requested again at the next run. */
const MAX_SERIES = 500;

const pause = (failures: number, longest: number): number =>
  Math.min(longest, 30 * SECOND_MS * 2 ** Math.min(failures, 20));

/** Returns the failure of a provider after another failed run. */
export const afterDown = (
  before: FeedState['down'],
  error: ProviderDownError,
  now: number,
): NonNullable<FeedState['down']> => {
  const failures = (before?.failures ?? 0) + 1;
  const wait = Math.max(pause(failures, MAX_PAUSE_MS), Math.min(MAX_RETRY_AFTER_MS, error.retryAfterMs ?? 0));
  return { failures, retry_at: now + wait, reason: error.message, since: before?.since ?? now };
};

/** Returns the failures of series after a run: those that failed, and earlier ones that were not requested. */
export const afterFaults = (
  before: FeedState['series_failures'],
  {
    faults,
    answered,
    now,
  }: {
    readonly faults: ReadonlyMap<string, string>;
    /** Series whose bars came. */
    readonly answered: ReadonlySet<string>;
    readonly now: number;
  },
): FeedState['series_failures'] => {
  const kept = Object.entries(before).filter(([name]) => !answered.has(name) && !faults.has(name));
  const added = [...faults].map(([name, reason]): [string, FeedFailure] => {
    const failures = (before[name]?.failures ?? 0) + 1;
    return [name, { failures, retry_at: now + pause(failures, MAX_SERIES_PAUSE_MS), reason }];
  });
  // Failures of series that are not in use any more end here.
  const recent = kept.filter(([, { retry_at: retryAt }]) => retryAt > now - HOUR_MS);
  return Object.fromEntries([...added, ...recent].slice(0, MAX_SERIES));
};
