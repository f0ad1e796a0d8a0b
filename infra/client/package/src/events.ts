import { pause } from './retry.ts';

/** Page of a change feed. */
export interface EventPage<E> {
  readonly items: readonly E[];
  /** Cursor of the next page. */
  readonly next: string | null;
}

/** Event with the cursor behind it. Store the cursor once the event is handled, and go on there after a restart. */
export type Followed<E> = E & { readonly cursor: string | undefined };

/** Cursor for the end of the log. */
const LATEST = 'latest';
/** Seconds that the service waits for events. */
const WAIT_S = 10;
/** Pause after an empty answer that came at once, as all places for waiting requests were taken. */
const PAUSE_MS = 1_000;

/**
 * Reads a change feed without an end, in order. Only the last event of a page has a cursor of its own; before it, the
 * cursor is that of the page before, so no event is lost after a restart, and some come again.
 */
export async function* followEvents<E extends object>(
  read: (choice: { after?: string; wait: number }) => Promise<EventPage<E>>,
  after: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Followed<E>, void, undefined> {
  let cursor = after;
  for (;;) {
    const started = Date.now();
    // The end of the log has no events, but a cursor of its own to wait from.
    const isEnd = cursor === LATEST;
    const position = cursor === undefined ? {} : { after: cursor };
    const { items, next } = await read({ ...position, wait: isEnd ? 0 : WAIT_S });
    const reached = next ?? cursor;
    for (const [index, item] of items.entries()) {
      yield { ...item, cursor: index === items.length - 1 ? reached : cursor };
    }
    cursor = reached;
    if (items.length === 0 && !isEnd && Date.now() - started < PAUSE_MS) await pause(PAUSE_MS, signal);
  }
}
