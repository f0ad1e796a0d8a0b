import { RELAYED_LANES, type RelayedLane } from '../../shared/data/outbox/lanes.ts';

/** Age up to which the stream waits for a message that its queue did not take, and time for which a lane may hold up the others. */
const PATIENCE_MS = 10_000;
/** Time for which a lane that failed gets no messages that need not wait. */
const REST_MS = 10_000;

interface Outage {
  /** Time since which the queue takes nothing at all; undefined while it takes some. */
  readonly since: number | undefined;
  readonly restsUntil: number;
}

/** Lanes whose queues fail, as a container of the relay knows them. */
export class Outages {
  readonly #known = new Map<RelayedLane, Outage>();

  /** Notes the result of sending messages to a lane. */
  note(lane: RelayedLane, { sent, failed, now }: { sent: number; failed: number; now: number }): void {
    if (sent === 0) return;
    if (failed === 0) this.#known.delete(lane);
    else {
      const since = failed === sent ? (this.#known.get(lane)?.since ?? now) : undefined;
      this.#known.set(lane, { since, restsUntil: now + REST_MS });
    }
  }

  /** Returns whether a message of a lane is left to the sweep without a call. */
  isLeft(lane: RelayedLane, writtenAt: number, now: number): boolean {
    const isResting = (this.#known.get(lane)?.restsUntil ?? 0) > now;
    return isResting && !this.mayRepeat(lane, writtenAt, now);
  }

  /**
   * Returns whether the stream repeats a message that its queue did not take. A lane that takes nothing for longer holds
   * up the others no more. The most urgent lane does: nothing is more important.
   */
  mayRepeat(lane: RelayedLane, writtenAt: number, now: number): boolean {
    const { since = now } = this.#known.get(lane) ?? {};
    const isOut = lane !== RELAYED_LANES[0] && now - since >= PATIENCE_MS;
    return !isOut && now - writtenAt < PATIENCE_MS;
  }
}
