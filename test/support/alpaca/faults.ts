import type { ServerResponse } from 'node:http';

/**
 * Trouble with a request:
 * - `lost`: it is processed, but the connection ends without an answer.
 * - `cut`: it is processed, and the answer ends in the middle.
 * - `dropped`: it is not processed, and the connection ends.
 * - `hangs`: it is processed, and never answered.
 * - `late`: it is processed only after the connection has ended.
 * - `slow`: it is processed at once, and answered a little later.
 * - `limited`: it is refused with 429 and `Retry-After`.
 * - `throttled`: it is refused with 429 and `X-RateLimit-Reset`.
 * - `down`: it is refused with 503.
 * - `failed`: it is processed, and answered with 500.
 */
export type Trouble =
  | 'lost'
  | 'cut'
  | 'dropped'
  | 'hangs'
  | 'late'
  | 'slow'
  | 'limited'
  | 'throttled'
  | 'down'
  | 'failed';

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Time after which a late request is processed, and a slow one is answered. */
const LATE_MS = 30;
const LIMIT_MS = 2_000;

const send = (response: ServerResponse, { status, body, headers }: Reply): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
};

const tooMany = (headers: Readonly<Record<string, string>>): Reply => ({
  status: 429,
  body: { code: 42910000, message: 'too many requests.' },
  headers: { 'x-ratelimit-limit': '200', 'x-ratelimit-remaining': '0', ...headers },
});

const cut = (response: ServerResponse, { status }: Reply): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"id":');
  setTimeout(() => response.destroy(), 1);
};

/** Answers a request with trouble. */
export const answerWith = (
  trouble: Trouble | undefined,
  process: () => Reply,
  response: ServerResponse,
  now: Date,
): void => {
  switch (trouble) {
    case undefined:
      send(response, process());
      return;
    case 'limited':
      send(response, tooMany({ 'retry-after': '1' }));
      return;
    case 'throttled': {
      const reset = String(Math.ceil((now.getTime() + LIMIT_MS) / 1000));
      send(response, tooMany({ 'x-ratelimit-reset': reset }));
      return;
    }
    case 'down':
      send(response, { status: 503 });
      return;
    case 'failed':
      process();
      send(response, { status: 500 });
      return;
    case 'late':
      setTimeout(process, LATE_MS);
      response.destroy();
      return;
    case 'slow': {
      const reply = process();
      setTimeout(() => send(response, reply), LATE_MS);
      return;
    }
    case 'dropped':
      response.destroy();
      return;
    case 'hangs':
      process();
      return;
    case 'cut':
      cut(response, process());
      return;
    case 'lost':
      process();
      response.destroy();
  }
};
