import * as z from 'zod';
import type { Message } from '../outbox/messages.ts';
import { outboxWrite } from '../outbox/outbox.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { type Listener, listeningKey } from './listeners.ts';

/**
 * Listening to change events. Only deployments with a listener make events, so that others cost nothing. Listening
 * begins with the first read of a log or the first webhook endpoint, and ends 30 days after the last read, unless there
 * are endpoints.
 */

const DAY_MS = 24 * 3_600_000;
/** Time from the last read to the end of listening. */
const LISTENING_MS = 30 * DAY_MS;
/** Reads within this time write no later end. */
const RENEWAL_MS = DAY_MS;
/**
 * Deployments that are being made do not see yet that their broker listens. They exist after this time: no request
 * takes longer.
 */
const SECOND_WALK_MS = 60_000;

const listeningSchema = z.object({ listens_until: z.number() });

/** Returns the time until which a listener listens without reading again; undefined for none. */
export const listensUntil = (item: Item | undefined): number | undefined =>
  item && parseItem(listeningSchema, item).listens_until;

const messageFor = (listener: Listener, more: { readonly not_before?: number } = {}): Message => ({
  kind: 'change_listeners',
  ...listener,
  ...more,
});

/** Returns the writes with which a listener begins to listen: the time, and the messages that tell deployments. */
export const beginListeningWrites = (listener: Listener, newId: () => string, now: Date): Write[] => {
  const until = now.getTime() + LISTENING_MS;
  const begun: Write = {
    key: listeningKey(listener),
    set: { entity: 'change_listening', listens_until: until },
  };
  const message = outboxWrite(newId(), messageFor(listener), now);
  if ('user_id' in listener) {
    return [
      begun,
      {
        key: keys.user(listener.user_id),
        set: { listens_since: now.toISOString() },
        if: { condition: 'attribute_exists(pk)' },
      },
      message,
    ];
  }
  const second = messageFor(listener, { not_before: now.getTime() + SECOND_WALK_MS });
  return [begun, message, outboxWrite(newId(), second, now)];
};

/** Returns the writes with which listening ends. Their conditions fail if the listener has read again meanwhile. */
export const endListeningWrites = (
  listener: Listener,
  until: number,
  newId: () => string,
  now: Date,
): Write[] => [
  {
    delete: listeningKey(listener),
    if: { condition: 'listens_until = :until', values: { ':until': until } },
  },
  ...('user_id' in listener
    ? [
        {
          key: keys.user(listener.user_id),
          update: 'REMOVE listens_since',
          condition: 'attribute_exists(pk)',
        },
      ]
    : []),
  outboxWrite(newId(), messageFor(listener), now),
];

/** Returns the write that moves the end of listening; undefined if it was moved a short time ago. */
export const isRenewalDue = (until: number, now: Date): boolean =>
  until < now.getTime() + LISTENING_MS - RENEWAL_MS;

/** Returns the write that moves the end of listening. Its condition fails if listening has ended. */
export const renewedListeningWrite = (listener: Listener, now: Date): Write => ({
  key: listeningKey(listener),
  set: { listens_until: now.getTime() + LISTENING_MS },
  if: { condition: 'attribute_exists(pk)' },
});

/** Moves the end of listening. @throws ConditionFailedError if listening has ended */
export const renewListening = async (store: Store, listener: Listener, now: Date): Promise<void> => {
  await store.update(
    listeningKey(listener),
    {
      update: 'SET listens_until = :until',
      condition: 'attribute_exists(pk)',
      values: { ':until': now.getTime() + LISTENING_MS },
    },
    listeningSchema,
  );
};
