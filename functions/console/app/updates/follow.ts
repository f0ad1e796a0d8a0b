import { type GetEventsOutput, HubApiError } from '../../../../infra/client/package/src/index.ts';

/** Change event of the user. */
type Event = GetEventsOutput['items'][number];

/** Access of a follower to the service and to time. */
export interface FollowerPorts {
  readonly read: (
    choice: { readonly after: string; readonly wait: number },
    signal: AbortSignal,
  ) => Promise<GetEventsOutput>;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  readonly random: () => number;
}

export interface FollowerListener {
  /** The service has answered with events, or with none, and the place after them. */
  readonly heard: (events: readonly Event[], place: string) => void;
  /** The place is lost: everything is to be read again. */
  readonly lost: () => void;
  /** The service could not be reached, or refused. */
  readonly failed: () => void;
}

/** Cursor for the end of the log. */
const LATEST = 'latest';
/** Seconds that the service waits for events. */
const WAIT_S = 10;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;
/** An empty answer that came sooner did not wait: all places of waiting requests were taken. */
const AT_ONCE_MS = 900;
/** Longest pause between looks while no place for a waiting request is free. */
const MAX_LOOK_MS = 15_000;

const grown = (first: number, times: number, longest: number): number =>
  Math.min(longest, first * 2 ** Math.min(times, 20));

/** Returns the milliseconds until the next try after failures in a row: growing, spread, and as the service asks. */
export const delayAfterFailures = (failures: number, random: () => number, retryAfterS = 0): number => {
  const delay = grown(FIRST_DELAY_MS, failures - 1, MAX_DELAY_MS);
  return Math.max(retryAfterS * 1000, delay / 2 + random() * (delay / 2));
};

/** Returns the milliseconds until the next look after empty answers in a row that did not wait. */
export const delayAfterLooks = (looks: number): number => grown(FIRST_DELAY_MS, looks - 1, MAX_LOOK_MS);

/** Tells how to go on after an error: without the cursor, not at all, or later. */
export const answerTo = (error: unknown): 'resync' | 'end' | 'retry' => {
  if (!(error instanceof HubApiError)) return 'retry';
  // The cursor is too old, or of another user.
  if (error.status === 410 || error.status === 422) return 'resync';
  return error.status === 401 || error.status === 403 || error.status === 404 ? 'end' : 'retry';
};

/**
 * Follows the change events of the user until the signal is aborted or the session is over.
 *
 * @param cursor place to go on from; the end of the log without one.
 * @returns `ended` if the service refuses the user, `aborted` otherwise.
 */
export const follow = async (
  { read, pause, now, random }: FollowerPorts,
  listener: FollowerListener,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<'ended' | 'aborted'> => {
  let place = cursor ?? LATEST;
  let failures = 0;
  let looks = 0;
  while (!signal.aborted) {
    try {
      // The end of the log has no events, but a cursor of its own to wait from.
      const wait = place === LATEST ? 0 : WAIT_S;
      const started = now();
      const { items, next } = await read({ after: place, wait }, signal);
      if (signal.aborted) break;
      failures = 0;
      place = next;
      listener.heard(items, next);
      const isRefused = wait > 0 && items.length === 0 && now() - started < AT_ONCE_MS;
      looks = isRefused ? looks + 1 : 0;
      if (isRefused) await pause(delayAfterLooks(looks), signal);
    } catch (error) {
      if (signal.aborted) break;
      const next = answerTo(error);
      if (next === 'end') return 'ended';
      failures += 1;
      if (next === 'resync') {
        place = LATEST;
        listener.lost();
      }
      listener.failed();
      const retryAfterS = error instanceof HubApiError ? error.retryAfterS : undefined;
      await pause(delayAfterFailures(failures, random, retryAfterS), signal).catch(() => undefined);
    }
  }
  return 'aborted';
};
