import { sweepDeliveries } from '../../functions/jobs/delivery/sweep-deliveries.ts';
import { findDueDeliveries } from '../../shared/data/outbox/outbox.ts';
import type { TestHub } from '../support/hub.ts';

/** The latest possible time. */
const FOREVER = 8.64e15;

/** Returns waiting entries for the lists of owners, at most a thousand. */
export const waiting = async (hub: TestHub, until: number) => {
  const due = await findDueDeliveries(hub.runtime.store, 'main', new Date(until), 1000);
  return due.filter(({ message }) => message?.kind === 'live_entries');
};

/** Sends remaining messages, also after a crash: the sweep finds them after their leases expire. */
export const sweep = async (hub: TestHub, from: number): Promise<void> => {
  for (let minutes = 2; ; minutes += 90) {
    const now = new Date(from + minutes * 60_000);
    const runtime = { ...hub.runtime, clock: () => now };
    if ((await waiting(hub, FOREVER)).length === 0) return;
    await sweepDeliveries.run(runtime, { hasTime: () => true, byHand: false });
  }
};

/** Closes what was opened, the newest first. */
export const endAll = (closing: readonly (() => Promise<unknown> | unknown)[]) =>
  closing.toReversed().reduce(async (before, close) => {
    await before;
    await close();
  }, Promise.resolve());
