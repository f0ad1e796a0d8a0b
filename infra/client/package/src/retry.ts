/** Facts about a failed try. Without a status, there was no answer. */
export interface Failure {
  readonly method: string;
  readonly status?: number | undefined;
  /** Code of the service. The gateway's own answers have none. */
  readonly code?: string | undefined;
  readonly retryAfterS?: number | undefined;
}

const FIRST_DELAY_MS = 250;
const MAX_BACKOFF_MS = 8_000;
const FIRST_OUTAGE_MS = 1_000;
const MAX_OUTAGE_MS = 30_000;
/** Longest wait that a service may ask a follower for. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/**
 * Tells whether to send a request again. The service runs a POST with the same Idempotency-Key once, so a lost answer
 * is safe to ask for again. But it does not keep 5xx answers of its own: a POST with one may have taken effect, and
 * would run again.
 */
export const isRetryable = ({ method, status, code, retryAfterS }: Failure): boolean => {
  if (status === undefined || status === 429) return true;
  // In flight, changed meanwhile, or data of a newer version; other conflicts have no Retry-After.
  if (status === 409) return retryAfterS !== undefined;
  if (status === 503 || status === 504) return method !== 'POST' || code === undefined;
  return status >= 500 && method === 'GET';
};

/** Returns the seconds of Retry-After, which is a number or a date. */
export const retryAfterIn = (header: string | null, now: number): number | undefined => {
  if (header === null) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
};

/** Returns the milliseconds to wait after a failed try: as the service asks, or a random time that grows. */
export const delayOf = (attempt: number, { retryAfterS }: Failure, random: () => number): number => {
  const backoff = random() * Math.min(MAX_BACKOFF_MS, FIRST_DELAY_MS * 2 ** attempt);
  return retryAfterS === undefined ? backoff : retryAfterS * 1000 + random() * FIRST_DELAY_MS;
};

/** Returns the milliseconds until a follower reads again: as the service asks, or a random time that grows to 30 s. */
export const outageDelayOf = (
  failures: number,
  retryAfterS: number | undefined,
  random: () => number,
): number => {
  if (retryAfterS !== undefined)
    return Math.min(MAX_RETRY_AFTER_MS, retryAfterS * 1000) + random() * FIRST_OUTAGE_MS;
  const longest = Math.min(MAX_OUTAGE_MS, FIRST_OUTAGE_MS * 2 ** failures);
  return longest * (0.5 + random() / 2);
};

/** Waits. Rejects with the reason of the signal once it is aborted. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
