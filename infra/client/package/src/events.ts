import { HubApiError, HubAuthenticationError, HubConnectionError, HubTimeoutError } from './errors.ts';
import { outageDelayOf, pause } from './retry.ts';
import type { CallOptions } from './transport.ts';

/** Page of a change feed. */
export interface EventPage<E> {
  readonly items: readonly E[];
  /** Cursor of the next page. */
  readonly next: string | null;
}

/** Event with the cursor behind it. Store the cursor once the event is handled, and go on there after a restart. */
export type Followed<E> = E & { readonly cursor: string | undefined };

/** Options of a feed that is followed. */
export interface FollowOptions extends CallOptions {
  /** Gets the error of a read that failed after its retries, and the milliseconds until the next read. */
  readonly onOutage?: ((error: Error, delayMs: number) => void) | undefined;
}

/** Cursor for the end of the log. */
const LATEST = 'latest';
/** Seconds that the service waits for events. */
const WAIT_S = 10;
/** Pause after an empty answer that came at once, as all places for waiting requests were taken. */
const PAUSE_MS = 1_000;

/** Tells whether a read may succeed later without a change by the caller. */
const isOutage = (error: unknown): error is Error =>
  error instanceof HubConnectionError ||
  error instanceof HubTimeoutError ||
  (error instanceof HubApiError &&
    (error.status >= 500 ||
      error.status === 429 ||
      (error.status === 409 && error.retryAfterS !== undefined)));

/**
 * Reads a change feed without an end, in order and through outages. Only the last event of a page has a cursor of its
 * own; before it, the cursor is that of the page before, so no event is lost after a restart, and some come again.
 */
export async function* followEvents<E extends object>(
  read: (choice: { after?: string; wait: number }) => Promise<EventPage<E>>,
  after: string | undefined,
  { signal, onOutage }: FollowOptions = {},
): AsyncGenerator<Followed<E>, void, undefined> {
  let failures = 0;
  let isRefused = false;
  const readOn = async (position: string | undefined): Promise<EventPage<E>> => {
    for (;;) {
      try {
        // The end of the log has no events, but a cursor of its own to wait from.
        const wait = position === LATEST ? 0 : WAIT_S;
        const page = await read(position === undefined ? { wait } : { after: position, wait });
        [failures, isRefused] = [0, false];
        return page;
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (error instanceof HubAuthenticationError && !isRefused) {
          // A token may end while the service waits. The next read asks for a new one.
          isRefused = true;
          continue;
        }
        if (!isOutage(error)) throw error;
        const retryAfterS = error instanceof HubApiError ? error.retryAfterS : undefined;
        const delayMs = outageDelayOf(failures++, retryAfterS, Math.random);
        onOutage?.(error, delayMs);
        await pause(delayMs, signal);
      }
    }
  };

  for (let cursor = after; ; ) {
    const started = Date.now();
    const { items, next } = await readOn(cursor);
    const isEnd = cursor === LATEST;
    const reached = next ?? cursor;
    for (const [index, item] of items.entries()) {
      yield { ...item, cursor: index === items.length - 1 ? reached : cursor };
    }
    cursor = reached;
    if (items.length === 0 && !isEnd && Date.now() - started < PAUSE_MS) await pause(PAUSE_MS, signal);
  }
}
