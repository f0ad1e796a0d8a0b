import { apiError, HubApiError, HubConnectionError, HubError, HubTimeoutError } from './errors.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { type RateLimit, rateLimitsIn } from './rate-limit.ts';
import { delayOf, type Failure, isRetryable, pause, retryAfterIn } from './retry.ts';

/** Returns the bearer token for a request; undefined for none. */
type TokenSource = () => string | undefined | Promise<string | undefined>;

/** Facts about an answer, for logs and metrics. They hold no part of the request. */
export interface ResponseInfo {
  readonly operation: string;
  readonly status: number;
  /** Tries before this one. */
  readonly retries: number;
  readonly durationMs: number;
  readonly rateLimits: readonly RateLimit[];
}

export interface ClientOptions {
  /** Address of the service. */
  readonly baseUrl: string;
  /** Access token of a session, a platform token, or the token of an integrator. */
  readonly token?: string | TokenSource | undefined;
  /** API key of a user, in place of a token. Its user is `user_id: 'me'`. */
  readonly apiKey?: string | undefined;
  /** Cookies of browsers: `include` for a session cookie of another origin. */
  readonly credentials?: 'omit' | 'same-origin' | 'include' | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds until a try without an answer is given up; 35,000 by default, more than the service takes. */
  readonly timeoutMs?: number | undefined;
  /** Tries after the first one; 3 by default. */
  readonly maxRetries?: number | undefined;
  /** Longest wait for a retry in milliseconds; 60,000 by default. A longer Retry-After is an error at once. */
  readonly maxDelayMs?: number | undefined;
  /**
   * Called if a request needs a step-up of the session, with the ways of the account. Resolve with true once /step_up
   * succeeded: the request is sent again. Otherwise its refusal is thrown.
   */
  readonly onStepUp?: ((ways: readonly string[]) => Promise<boolean>) | undefined;
  readonly onResponse?: ((info: ResponseInfo) => void) | undefined;
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly token?: string | undefined;
  /** Key of a POST, for repeating it after a restart of the program. Each call has its own by default. */
  readonly idempotencyKey?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
}

/** Description of an operation. */
export interface OperationSpec {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: 'json' | 'form';
  /** Set if the parameters are sent as a form, so that secrets are in no address. */
  readonly parameters?: 'body';
}

type Input = object;

const TIMEOUT_MS = 35_000;
const MAX_RETRIES = 3;
const MAX_DELAY_MS = 60_000;

const encode = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

const pairsOf = (values: object): [string, string][] =>
  Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
    value === undefined || value === null ? [] : [[name, encode(value)]],
  );

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Trusts the service to answer as its OpenAPI document says. The error of a text that is no JSON has no part of it. */
const trusted = <T>(operation: string, text: string): T => {
  try {
    return JSON.parse(text);
  } catch {
    throw new HubError(`${operation}: the answer is not JSON`);
  }
};

/** Result of one try: an answer with status 200, or a failure with its error. */
type Outcome = { readonly text: string } | { readonly failure: Failure; readonly error: Error };

/** Sends requests: builds them, limits their time, repeats them, and turns refusals into errors. */
export class Transport {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  #address({ path }: OperationSpec, parameters: object): string {
    const query = new URLSearchParams();
    let filled = path;
    for (const [name, value] of pairsOf(parameters)) {
      const place = `{${name}}`;
      if (filled.includes(place)) filled = filled.replace(place, encodeURIComponent(value));
      else query.append(name, value);
    }
    const base = this.#options.baseUrl.replace(/\/+$/, '');
    return query.size > 0 ? `${base}${filled}?${query}` : `${base}${filled}`;
  }

  async #headers(spec: OperationSpec, options: CallOptions, key: string): Promise<Record<string, string>> {
    const { token, apiKey } = this.#options;
    const bearer = options.token ?? (typeof token === 'function' ? await token() : (token ?? apiKey));
    const types = { json: 'application/json', form: 'application/x-www-form-urlencoded' };
    return {
      accept: 'application/json',
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(spec.body && { 'content-type': types[spec.body] }),
      ...(spec.method === 'POST' && { 'idempotency-key': key }),
    };
  }

  async #attempt(
    spec: OperationSpec,
    url: string,
    init: RequestInit,
    { signal, timeoutMs }: CallOptions,
    retries: number,
  ): Promise<Outcome> {
    const started = Date.now();
    const limit = AbortSignal.timeout(timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS);
    const send = this.#options.fetch ?? globalThis.fetch;
    const { method, name: operation } = spec;
    try {
      const response = await send(url, {
        ...init,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      const text = await response.text();
      const { status, headers } = response;
      const rateLimits = rateLimitsIn(headers.get('ratelimit'));
      this.#options.onResponse?.({
        operation,
        status,
        retries,
        durationMs: Date.now() - started,
        rateLimits,
      });
      if (response.ok) return { text };
      const retryAfterS = retryAfterIn(headers.get('retry-after'), Date.now());
      const requestId = headers.get('apigw-requestid') ?? undefined;
      const error = apiError({ operation, status, requestId, retryAfterS, rateLimits }, jsonIn(text));
      return { failure: { method, status, code: error.code, retryAfterS }, error };
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      const error = limit.aborted
        ? new HubTimeoutError(`${operation}: the service did not answer in time`, { cause })
        : new HubConnectionError(`${operation}: the service could not be reached`, { cause });
      return { failure: { method }, error };
    }
  }

  /** Lets the program step the session up if a request needs it. Returns whether to send the request again. */
  async #stepUp(error: Error): Promise<boolean> {
    const { onStepUp } = this.#options;
    if (!onStepUp || !(error instanceof HubApiError) || error.code !== 'step_up_required') return false;
    return error.ways.length > 0 && onStepUp(error.ways);
  }

  /** Performs an operation. Parameters are fields of the input; `body` is the body. */
  async send<T>(spec: OperationSpec, input: Input, options: CallOptions = {}): Promise<T> {
    if (spec.parameters) {
      const { parameters: _, ...rest } = spec;
      return this.send({ ...rest, body: 'form' }, { body: input }, options);
    }
    const { body, ...parameters }: { readonly body?: object } = input;
    const url = this.#address(spec, parameters);
    const text =
      spec.body === 'form' ? new URLSearchParams(pairsOf(body ?? {})).toString() : JSON.stringify(body ?? {});
    // One key for all tries, so that the service runs the request once.
    const key = options.idempotencyKey ?? newIdempotencyKey();
    const maxRetries = options.maxRetries ?? this.#options.maxRetries ?? MAX_RETRIES;
    let isSteppedUp = false;
    for (let retries = 0; ; retries++) {
      const init: RequestInit = {
        method: spec.method,
        headers: await this.#headers(spec, options, key),
        redirect: 'error',
        ...(spec.body && { body: text }),
        ...(this.#options.credentials && { credentials: this.#options.credentials }),
      };
      const outcome = await this.#attempt(spec, url, init, options, retries);
      if ('text' in outcome) return trusted(spec.name, outcome.text);
      if (!isSteppedUp && (await this.#stepUp(outcome.error))) {
        isSteppedUp = true;
        continue;
      }
      const delayMs = delayOf(retries, outcome.failure, Math.random);
      const isTooLong = delayMs > (this.#options.maxDelayMs ?? MAX_DELAY_MS);
      if (retries >= maxRetries || isTooLong || !isRetryable(outcome.failure)) throw outcome.error;
      await pause(delayMs, options.signal);
    }
  }
}
