import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { RawAnswer } from '../../../shared/api/operation.ts';
import {
  asLogHead,
  beforeFirst,
  type LogHead,
  lostWrite,
  readRanges,
} from '../../../shared/data/changes/change-log.ts';
import { type Listener, listeningKey } from '../../../shared/data/changes/listeners.ts';
import {
  beginListeningWrites,
  isRenewalDue,
  listensUntil,
  renewListening,
} from '../../../shared/data/changes/listening.ts';
import { type Items, itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { ConditionFailedError, TransactionRefusedError } from '../../../shared/data/table/store.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import type { ChangeEvent } from '../../../shared/domain/changes/change-event.ts';
import { textId } from '../../../shared/ids.ts';
import { cursorOf, invalidCursor, parseCursor } from './cursor.ts';
import { type Waiter, waitFor } from './waiting.ts';

/** Cursor that stands for the end of the log. */
const LATEST = 'latest';

/** Seconds that an answer as event stream waits. */
const STREAM_WAIT_S = 10;
/** Milliseconds after which a client of an event stream connects again. */
const RETRY_MS = 1000;

/** Request for the events of a reader. */
interface FeedRequest {
  readonly listener: Listener;
  readonly waiter: Waiter;
  readonly logs: readonly string[];
  readonly after: string | undefined;
  readonly limit: number;
  readonly wait: number;
  /** Checks after a wait that the reader may still read. It throws otherwise. */
  readonly reconfirm: () => Promise<unknown>;
}

/** Event with the cursor of its place. */
interface Placed {
  readonly event: ChangeEvent;
  readonly cursor: string;
}

/** Part of a feed. */
interface Feed {
  readonly placed: readonly Placed[];
  readonly next: string;
}

/** Returns the keys to read before {@link readFeed}. */
export const feedKeys = ({ listener, logs }: Pick<FeedRequest, 'listener' | 'logs'>): Key[] => [
  listeningKey(listener),
  ...logs.map(keys.changeLog),
];

const headsIn = (items: Items, logs: readonly string[]): (LogHead | undefined)[] =>
  logs.map((log) => asLogHead(itemWith(items, keys.changeLog(log))));

const expired = (): HubError =>
  new HubError(
    'cursor_expired',
    'Events after this cursor are no longer kept, or damaged. Read the present state, and go on without a cursor.',
  );

/** Returns the position in each log after which to read. @throws ValidationError, HubError cursor_expired */
const startOf = (after: string | undefined, heads: readonly (LogHead | undefined)[], now: Date): number[] => {
  if (after === LATEST) return heads.map((head) => head?.position ?? 0);
  const first = heads.map((head) => beforeFirst(head, now));
  if (after === undefined) return first;
  const positions = parseCursor(after, heads.length);
  if (positions.some((position, index) => position > (heads[index]?.position ?? 0))) throw invalidCursor();
  if (positions.some((position, index) => position < (first[index] ?? 0))) throw expired();
  return positions;
};

const hasMore = (heads: readonly (LogHead | undefined)[], start: readonly number[]): boolean =>
  heads.some((head, index) => (head?.position ?? 0) > (start[index] ?? 0));

const beginListening = (call: Call, listener: Listener): Promise<void> =>
  call.store.transact(beginListeningWrites(listener, () => textId(call.random), call.now));

/** Moves the end of listening if that is due, or begins again if it has passed. */
const keepListening = async (call: Call, listener: Listener): Promise<void> => {
  try {
    await renewListening(call.store, listener, call.now);
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    await beginListening(call, listener);
  }
};

/** Shares the places of an answer among logs, so that none waits for the others. */
const shareOut = (
  heads: readonly (LogHead | undefined)[],
  start: readonly number[],
  limit: number,
): number[] => {
  const waiting = heads.map((head, index) => Math.max(0, (head?.position ?? 0) - (start[index] ?? 0)));
  const taken = waiting.map(() => 0);
  let left = limit;
  while (left > 0 && taken.some((count, index) => count < (waiting[index] ?? 0))) {
    const open = taken.filter((count, index) => count < (waiting[index] ?? 0)).length;
    const each = Math.max(1, Math.floor(left / open));
    for (const [index, count] of taken.entries()) {
      const more = Math.min(each, left, (waiting[index] ?? 0) - count);
      taken[index] = count + more;
      left -= more;
    }
  }
  return taken;
};

/**
 * Lets all readers begin after damaged events. A reader with a cursor before them would miss them, so it has to read the
 * present state again.
 *
 * @param lost positions of the last damaged event in each log.
 * @throws HubError cursor_expired
 */
const beginAfterLost = async (
  { store }: Call,
  { logs, after }: Pick<FeedRequest, 'logs' | 'after'>,
  start: readonly number[],
  lost: readonly (number | undefined)[],
): Promise<Feed> => {
  for (const [index, position] of lost.entries()) {
    if (position === undefined) continue;
    try {
      await store.transact([lostWrite(logs[index] ?? '', position)]);
    } catch (error) {
      // Another reader has written it.
      if (!(error instanceof TransactionRefusedError)) throw error;
    }
  }
  if (after !== undefined) throw expired();
  return { placed: [], next: cursorOf(start.map((position, index) => lost[index] ?? position)) };
};

const readNext = async (
  call: Call,
  request: Pick<FeedRequest, 'logs' | 'after' | 'limit'>,
  heads: readonly (LogHead | undefined)[],
  start: readonly number[],
): Promise<Feed> => {
  const { logs, limit } = request;
  const taken = shareOut(heads, start, limit);
  const ranges = logs.map((log, index) => {
    const after = start[index] ?? 0;
    return { log, head: heads[index], after, upTo: after + (taken[index] ?? 0) };
  });
  const read = await readRanges(call.store, ranges, call.clock(), call.onDamaged);
  const lost = read.map((range) => range.lost);
  if (lost.some((position) => position !== undefined)) {
    return beginAfterLost(call, request, start, lost);
  }
  const positions = [...start];
  const placed: Placed[] = [];
  for (const [index, { events, upTo }] of read.entries()) {
    for (const { position, event } of events) {
      positions[index] = position;
      placed.push({ event, cursor: cursorOf(positions) });
    }
    positions[index] = upTo;
  }
  return { placed, next: cursorOf(positions) };
};

/**
 * Reads the next events of a reader, who listens from then on. A read that begins to listen returns no events.
 *
 * @param items the items at {@link feedKeys}, read consistently.
 * @throws ValidationError, HubError cursor_expired
 */
const readFeed = async (
  call: Call,
  { listener, waiter, logs, after, limit, wait, reconfirm }: FeedRequest,
  items: Items,
): Promise<Feed> => {
  let heads = headsIn(items, logs);
  const start = startOf(after, heads, call.now);
  const until = listensUntil(itemWith(items, listeningKey(listener)));
  const isIdle = !hasMore(heads, start);
  const isBegin = until === undefined;
  // A reader for whom events are there at each read must not lose the later ones.
  if (isBegin || isRenewalDue(until, call.now)) {
    await (isBegin ? beginListening : keepListening)(call, listener);
    if (wait === 0 && (isBegin || isIdle)) return { placed: [], next: cursorOf(start) };
  }
  if (isIdle && wait > 0) {
    await waitFor(call, waiter, wait, async () => {
      heads = headsIn(await call.store.getMany(logs.map(keys.changeLog)), logs);
      return hasMore(heads, start);
    });
    await reconfirm();
  }
  return readNext(call, { logs, after, limit }, heads, start);
};

const streamText = ({ placed, next }: Feed): string => {
  const events = placed.map(({ event, cursor }) => `id: ${cursor}\ndata: ${JSON.stringify(event)}\n\n`);
  return [
    `retry: ${RETRY_MS}\n\n`,
    ...events,
    ...(events.length === 0 ? [`id: ${next}\n: none\n\n`] : []),
  ].join('');
};

/** Tells whether a client accepts Server-Sent Events. */
const acceptsStream = ({ headers }: Call): boolean => headers.accept?.includes('text/event-stream') === true;

/** Answers with the next events of a reader: as JSON, or as Server-Sent Events. @throws as {@link readFeed} */
export const answerFeed = async (call: Call, request: FeedRequest, items: Items) => {
  if (!acceptsStream(call)) {
    const { placed, next } = await readFeed(call, request, items);
    return { items: placed.map(({ event }) => event), next };
  }
  const after = call.headers['last-event-id'] ?? request.after;
  const feed = await readFeed(call, { ...request, after, wait: STREAM_WAIT_S }, items);
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
  return new RawAnswer(200, headers, streamText(feed));
};
