/** The time limits of an AWS client, in milliseconds. */
interface TimeLimits {
  /** To open a connection. */
  readonly connectMs: number;
  /** For one attempt: connection, headers and body. */
  readonly attemptMs: number;
  /** For a call with its retries: no attempt starts that could end later. */
  readonly callMs: number;
}

/** A request makes three calls of the table at most, and all three fit into the 20 seconds of its function. */
const TABLE: TimeLimits = { connectMs: 1_000, attemptMs: 3_000, callMs: 6_500 };
/** Secrets and data keys precede the calls of a request, and the authorizer waits for them. */
const KEYS: TimeLimits = { connectMs: 1_000, attemptMs: 2_000, callMs: 4_200 };
const BUS: TimeLimits = { connectMs: 1_000, attemptMs: 3_000, callMs: 6_500 };
/** Repeats only fast failures: a message whose answer is late may have been sent. The outbox retries later. */
const MESSAGE: TimeLimits = { connectMs: 1_000, attemptMs: 5_000, callMs: 6_000 };

export const AWS_LIMITS = {
  table: TABLE,
  secrets: KEYS,
  dataKeys: KEYS,
  bus: BUS,
  mail: MESSAGE,
  sms: MESSAGE,
} as const;

/** A call of an AWS service got no answer in time. */
class CallTimedOut extends Error {
  constructor(limitMs: number) {
    super(`an AWS service did not answer within ${limitMs} ms`);
    this.name = 'CallTimedOut';
  }
}

/** Whether a call failed because it got no connection, or no whole answer, in time. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'CallTimedOut' || error.name === 'TimeoutError');

interface Body {
  readonly readableEnded: boolean;
  once(event: 'end' | 'close', listener: () => void): unknown;
  destroy(error: Error): unknown;
}

const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && 'readableEnded' in value && 'destroy' in value;

/** Breaks off a body that has not been read to its end in time; the SDK treats it like any lost connection. */
const limitBody = (response: unknown, ms: number, attemptMs: number): void => {
  if (typeof response !== 'object' || response === null || !('body' in response)) return;
  const { body } = response;
  if (!isBody(body) || body.readableEnded) return;
  const late = (): unknown =>
    // The SDK retries after this name.
    body.destroy(Object.assign(new CallTimedOut(attemptMs), { name: 'TimeoutError' }));
  const timer = setTimeout(late, Math.max(0, ms));
  const clear = (): void => clearTimeout(timer);
  body.once('end', clear);
  body.once('close', clear);
};

type Next<A, R> = (args: A) => Promise<R>;
type Middleware = <A, R extends { readonly response: unknown }>(next: Next<A, R>) => Next<A, R>;

/** Bounds attempts as a whole and the time in which they start. The SDK applies a middleware once per call. */
const limited =
  ({ attemptMs, callMs }: TimeLimits): Middleware =>
  (next) => {
    const begunAt = performance.now();
    return async (args) => {
      const startedAt = performance.now();
      // Not retried: neither its name nor a cause says that it could be.
      if (startedAt - begunAt > callMs - attemptMs) throw new CallTimedOut(callMs);
      const answer = await next(args);
      limitBody(answer.response, attemptMs - (performance.now() - startedAt), attemptMs);
      return answer;
    };
  };

interface Configuration {
  readonly requestHandler: {
    readonly connectionTimeout: number;
    readonly requestTimeout: number;
    readonly throwOnRequestTimeout: boolean;
  };
}

interface Client {
  readonly middlewareStack: {
    add(middleware: Middleware, options: { step: 'deserialize'; priority: 'low'; name: string }): void;
  };
}

/**
 * Makes a client of an AWS service whose calls are limited in time. The SDK limits the wait for headers and the
 * silence of a connection, and neither by default; the time for a body and for all retries is limited here.
 *
 * @example
 * const client = awsClient(SNSClient, 'sms');
 */
export const awsClient = <C extends Client>(
  Service: new (configuration: Configuration) => C,
  service: keyof typeof AWS_LIMITS,
): C => {
  const limits = AWS_LIMITS[service];
  const client = new Service({
    requestHandler: {
      connectionTimeout: limits.connectMs,
      requestTimeout: limits.attemptMs,
      throwOnRequestTimeout: true,
    },
  });
  client.middlewareStack.add(limited(limits), { step: 'deserialize', priority: 'low', name: 'timeLimits' });
  return client;
};
