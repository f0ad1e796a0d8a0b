// The package exports all its exchanges as one module only, which has 6 MB.
import Binance from '../../../../node_modules/ccxt/js/src/binance.js';
import { boundedFetch } from '../../bounded-fetch.ts';
import type { BrokerKeys } from '../execution-broker.ts';

/** A complete answer of Binance. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; undefined if the body is none. */
  readonly body: unknown;
}

/** No complete answer: the call may have arrived all the same. */
export class NoAnswerError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NoAnswerError';
  }
}

/** A call of the spot API: the kind of endpoint in the words of ccxt, and its path below the version. */
export interface SpotCall {
  /** `public` is not signed; `sapi` are the endpoints of wallets. */
  readonly api: 'public' | 'private' | 'sapi';
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly params?: Readonly<Record<string, string | number | boolean>>;
}

interface SpotOptions {
  readonly url: string;
  readonly keys: BrokerKeys;
  /** Time of the server, in milliseconds. */
  readonly serverTime: () => number;
  readonly patienceMs: number;
}

/** Orders of thousands of lines have less. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Time after which Binance refuses a call that was under way, in milliseconds. */
const RECV_WINDOW_MS = 5_000;

/**
 * Spot API of Binance by ccxt, which knows its endpoints and signs the calls. Sends them itself: with limits for time and
 * size, without the proxies and browser headers of ccxt, and with errors that hold no signed address.
 */
export class SpotExchange extends Binance {
  readonly #serverTime: () => number;
  readonly #patienceMs: number;

  constructor({ url, keys, serverTime, patienceMs }: SpotOptions) {
    super({
      apiKey: keys.keyId,
      secret: keys.secret,
      // Limits are of addresses, not of accounts: callers wait for what the answers say.
      enableRateLimit: false,
      options: { recvWindow: RECV_WINDOW_MS },
    });
    const base = url.replace(/\/$/, '');
    this.urls.api = { public: `${base}/api/v3`, private: `${base}/api/v3`, sapi: `${base}/sapi/v1` };
    this.#serverTime = serverTime;
    this.#patienceMs = patienceMs;
  }

  /** Sends a call. @throws NoAnswerError */
  send({ api, method, path, params }: SpotCall): Promise<Answer> {
    return this.request(path, api, method, { ...params });
  }

  override nonce(): number {
    return this.#serverTime();
  }

  override async fetch(
    url: string,
    method = 'GET',
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<Answer> {
    const signal = AbortSignal.timeout(this.#patienceMs);
    const response = await boundedFetch(url, {
      method,
      headers: { accept: 'application/json', ...headers },
      body,
      signal,
      maxBytes: MAX_ANSWER_BYTES,
    }).catch(() => {
      // The cause may name the signed address.
      throw new NoAnswerError(
        signal.aborted ? `no answer within ${this.#patienceMs} ms` : 'no complete answer',
      );
    });
    return { status: response.status, headers: response.headers, body: parsed(await response.text()) };
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Proxies and firewalls answer in HTML.
    return undefined;
  }
};
