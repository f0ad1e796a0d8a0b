import { boundedFetch } from '../bounded-fetch.ts';
import { retryAfterMs } from '../retry-after.ts';
import { ProviderDownError, RequestRefusedError } from './market-data.ts';

/** Time limit of a request. The requests of a run end within the reserve of its job. */
export const MARKET_DATA_PATIENCE_MS = 5_000;
/** A page of 5,000 bars of Alpaca has about 600 KB. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** Statuses of a provider that limits requests or bans the caller for a time. */
const LIMITED: ReadonlySet<number> = new Set([418, 429]);
/** Statuses that concern the key, the subscription or the region, not the request. */
const DENIED: ReadonlySet<number> = new Set([401, 402, 403, 407, 451]);

interface Call {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly now: Date;
  readonly patienceMs: number;
  /** Returns the time to wait by headers of the provider that are not standard. */
  readonly waitMs?: (headers: Headers) => number | undefined;
}

/** A parsed answer with its headers. */
interface Answer {
  readonly body: unknown;
  readonly headers: Headers;
}

/**
 * Fetches JSON of a provider of market data. Errors hold the status only, as addresses and bodies may hold keys.
 *
 * @throws ProviderDownError, RequestRefusedError
 */
export const getJson = async ({ url, headers = {}, now, patienceMs, waitMs }: Call): Promise<Answer> => {
  const signal = AbortSignal.timeout(patienceMs);
  const response = await boundedFetch(url, {
    headers: { accept: 'application/json', ...headers },
    signal,
    maxBytes: MAX_ANSWER_BYTES,
  }).catch(() => {
    const reason = signal.aborted ? `no answer within ${patienceMs} ms` : 'no complete answer';
    throw new ProviderDownError(reason, { isFinal: false });
  });
  const { status } = response;
  const reason = `status ${status}`;
  if (LIMITED.has(status)) {
    const wait = retryAfterMs(response.headers.get('retry-after'), now) ?? waitMs?.(response.headers);
    throw new ProviderDownError(reason, { isFinal: true, retryAfterMs: wait });
  }
  if (DENIED.has(status)) throw new ProviderDownError(reason, { isFinal: true });
  if (status >= 500 || status === 408) {
    const wait = retryAfterMs(response.headers.get('retry-after'), now);
    throw new ProviderDownError(reason, { isFinal: wait !== undefined, retryAfterMs: wait });
  }
  if (status !== 200) throw new RequestRefusedError(reason);
  try {
    return { body: await response.json(), headers: response.headers };
  } catch {
    throw new RequestRefusedError('the answer is not JSON');
  }
};
