import { parseListEntries } from '../../data/books/list-entries.ts';
import { enterListEntries } from '../../data/books/owner-lists.ts';
import { messagesOf, recipientKeys } from '../../data/deployments/notification-messages.ts';
import type { MessageOf } from '../../data/outbox/messages.ts';
import { outboxWrite } from '../../data/outbox/outbox.ts';
import { textId } from '../../ids.ts';
import { refreshPerformance } from '../../lifecycle/equity-days.ts';
import type { Runtime } from '../../runtime.ts';

/** Adds the list entries that an event of a trading deployment left, with the messages of its notifications. */
export const enterEntries = async (
  runtime: Runtime,
  deliveryId: string,
  message: MessageOf<'live_entries'>,
): Promise<void> => {
  const { store, clock, random } = runtime;
  const entries = parseListEntries(message);
  const { user_id, notifications, channels } = entries;
  const hasRecipients = notifications.length > 0 && channels.length > 0;
  const items = hasRecipients ? await store.getMany(recipientKeys(user_id), { consistent: true }) : [];
  const messages = notifications.flatMap((notification) =>
    messagesOf(notification, channels, { userId: user_id, items, now: clock() }),
  );
  const writes = messages.map((message) => outboxWrite(textId(random), message, clock()));
  await enterListEntries(store, deliveryId, entries, writes);
  // After a failure, the next trade or the end of the day shows it.
  if (entries.trades.length > 0) await refreshPerformance(runtime, entries.deployment_id);
};
