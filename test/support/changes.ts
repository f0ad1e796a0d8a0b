import { asLogHead, brokerLogs, type LoggedEvent, readRanges } from '../../shared/data/changes/change-log.ts';
import { type Listener, userLog } from '../../shared/data/changes/listeners.ts';
import { beginListeningWrites } from '../../shared/data/changes/listening.ts';
import { findDueDeliveries } from '../../shared/data/outbox/deliveries.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { ChangeEvent } from '../../shared/domain/changes/change-event.ts';
import { textId } from '../../shared/ids.ts';
import { moveChanges } from './functions/changes.ts';
import { deliver } from './functions/deliveries.ts';
import type { TestHub } from './hub.ts';
import { outbox } from './people.ts';
import { scanDue } from './scan-due.ts';
import { deployedTrader } from './trading.ts';

const YEAR_MS = 365 * 24 * 3_600_000;

/** Delivers the messages that carry to deployments who listens, until none is left. Waits for none. */
export const carryAll = async (hub: TestHub): Promise<void> => {
  for (;;) {
    const now = hub.runtime.clock().getTime();
    const due = (await outbox(hub)).filter(
      ({ message }) => message?.kind === 'change_listeners' && (message.not_before ?? 0) <= now,
    );
    if (due.length === 0) return;
    // One that fails would come back for ever.
    const failed = due.find(({ attempts }) => attempts > 20);
    if (failed) throw new Error(`a message fails: ${JSON.stringify(hub.log.at(-1))}`);
    for (const { delivery_id, attempts } of due) await deliver(hub.runtime, delivery_id, attempts);
  }
};

/** Lets a user or a broker listen to change events, and carries it to deployments. */
export const listen = async (hub: TestHub, listener: Listener): Promise<void> => {
  const { store, random, clock } = hub.runtime;
  await store.transact(beginListeningWrites(listener, () => textId(random), clock()));
  await carryAll(hub);
};

/** Returns the messages of commits whose events wait. */
export const waitingChanges = async (hub: TestHub): Promise<string[]> => {
  const { store, clock } = hub.runtime;
  const later = new Date(clock().getTime() + YEAR_MS);
  const due = await findDueDeliveries(await scanDue(store), 'changes', later, 1000);
  return due.map(({ delivery_id }) => delivery_id);
};

/** Moves all events that wait into their logs. */
export const moveAll = async (hub: TestHub): Promise<void> => {
  for (const id of await waitingChanges(hub)) await moveChanges(hub.runtime, id, 0);
};

const readLog = async (hub: TestHub, log: string): Promise<LoggedEvent[]> => {
  const { store, clock } = hub.runtime;
  const [item] = await store.getMany([keys.changeLog(log)], { consistent: true });
  const head = asLogHead(item);
  const range = { log, head, after: 0, upTo: head?.position ?? 0 };
  const [read] = await readRanges(store, [range], clock());
  return read?.events ?? [];
};

/** Moves what waits, and returns the events of a user. */
export const eventsOf = async (hub: TestHub, userId: string): Promise<ChangeEvent[]> => {
  await moveAll(hub);
  return (await readLog(hub, userLog(userId))).map(({ event }) => event);
};

/** Moves what waits, and returns the events of a broker, log by log. */
export const brokerEventsOf = async (hub: TestHub, brokerId: number): Promise<ChangeEvent[]> => {
  await moveAll(hub);
  const logs = await Promise.all(brokerLogs(brokerId).map((log) => readLog(hub, log)));
  return logs.flat().map(({ event }) => event);
};

/** Creates a deployment whose owner listens to its changes. */
export const listenedTrading = async ({
  hub,
}: {
  readonly hub: TestHub;
}): Promise<{ user_id: string; id: number }> => {
  const { user_id, id } = await deployedTrader(hub);
  await listen(hub, { user_id });
  return { user_id, id };
};
