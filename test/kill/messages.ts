import { findDueDeliveries } from '../../shared/data/outbox/deliveries.ts';
import { deliver } from '../../shared/deliveries/main/deliver-main.ts';
import type { TestHub } from '../support/hub.ts';

/** The latest possible time. */
const FOREVER = 8.64e15;

/** Returns waiting entries for the lists of owners, at most a thousand. */
export const waiting = async (hub: TestHub, until: number) => {
  const due = await findDueDeliveries(hub.runtime.store, 'main', new Date(until), 1000);
  return due.flatMap(({ message, ...delivery }) =>
    message?.kind === 'live_entries' ? [{ ...delivery, user_id: message.user_id }] : [],
  );
};

/**
 * Delivers remaining messages, also after a crash: their leases are over by then. Those of an owner are delivered in
 * turn, as from the stream: at once they would conflict on the owner's lists.
 */
export const deliverRemaining = async (hub: TestHub, from: number): Promise<void> => {
  for (let minutes = 2; ; minutes += 90) {
    const now = new Date(from + minutes * 60_000);
    const runtime = { ...hub.runtime, clock: () => now };
    const left = await waiting(hub, FOREVER);
    if (left.length === 0) return;
    const owners = Map.groupBy(left, ({ user_id }) => user_id);
    await Promise.all(
      [...owners.values()].map(async (messages) => {
        for (const { delivery_id, attempts } of messages) await deliver(runtime, delivery_id, attempts);
      }),
    );
  }
};
