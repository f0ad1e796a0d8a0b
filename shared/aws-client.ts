/** Time limits of an AWS client, in milliseconds. */
interface TimeLimits {
  /** For opening a connection. */
  readonly connectMs: number;
  /** For one attempt: connection, headers and body. */
  readonly attemptMs: number;
  /** For a call with its retries. No attempt starts that could end later. */
  readonly callMs: number;
}

/** A request makes at most three calls to the table. All three fit into the function's time limit of 20 s. */
const TABLE: TimeLimits = { connectMs: 1_000, attemptMs: 3_000, callMs: 6_500 };
/** Shorter, as secrets and data keys are read before other calls, and the authorizer waits for them. */
const KEYS: TimeLimits = { connectMs: 1_000, attemptMs: 2_000, callMs: 4_200 };
const BUS: TimeLimits = { connectMs: 1_000, attemptMs: 3_000, callMs: 6_500 };
/** Short, as records of the stream wait for the call. A lane that cannot be reached must not hold up the others. */
const QUEUE: TimeLimits = { connectMs: 500, attemptMs: 1_000, callMs: 2_500 };
/** Leaves no time for a second attempt after a timeout, as the message may have been sent. The outbox retries later. */
const MESSAGE: TimeLimits = { connectMs: 1_000, attemptMs: 5_000, callMs: 6_000 };

export const AWS_LIMITS = {
  table: TABLE,
  secrets: KEYS,
  dataKeys: KEYS,
  bus: BUS,
  queue: QUEUE,
  mail: MESSAGE,
  sms: MESSAGE,
} as const;

/** An AWS service did not answer in time. */
class CallTimedOutError extends Error {
  constructor(limitMs: number) {
    super(`an AWS service did not answer within ${limitMs} ms`);
    // Stored as the reason of a delivery: never rename.
    this.name = 'CallTimedOut';
  }
}

/** Tells whether a call of an AWS service timed out while connecting or while waiting for the answer. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'CallTimedOut' || error.name === 'TimeoutError');

interface Body {
  readonly readableEnded: boolean;
  once(event: 'end' | 'close', listener: () => void): unknown;
  destroy(error: Error): unknown;
}

const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && 'readableEnded' in value && 'destroy' in value;

/** Aborts a body that is not read completely in time. The SDK handles this like a lost connection. */
const limitBody = (response: unknown, ms: number, attemptMs: number): void => {
  if (typeof response !== 'object' || response === null || !('body' in response)) return;
  const { body } = response;
  if (!isBody(body) || body.readableEnded) return;
  const late = (): unknown =>
    // The SDK retries errors with this name.
    body.destroy(Object.assign(new CallTimedOutError(attemptMs), { name: 'TimeoutError' }));
  const timer = setTimeout(late, Math.max(0, ms));
  const clear = (): void => clearTimeout(timer);
  body.once('end', clear);
  body.once('close', clear);
};

type Next<A, R> = (args: A) => Promise<R>;
type Middleware = <A, R extends { readonly response: unknown }>(next: Next<A, R>) => Next<A, R>;

/** Limits the time of each attempt and of a call with retries. The SDK applies a middleware once per call. */
const limited =
  ({ attemptMs, callMs }: TimeLimits): Middleware =>
  (next) => {
    const begunAt = performance.now();
    return async (args) => {
      const startedAt = performance.now();
      // The SDK does not retry this error, as it does not know its name.
      if (startedAt - begunAt > callMs - attemptMs) throw new CallTimedOutError(callMs);
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
 * Creates an AWS client with time limits. The SDK can limit the wait for headers and the idle time of a connection, but
 * does neither by default. This client also limits the time for the body and for all retries.
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
