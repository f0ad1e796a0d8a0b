import { brokerReaderIn, mayRead, readerKeys } from '../../data/brokers/broker-readers.ts';
import { asLogHead, brokerLog, type LogHead } from '../../data/changes/change-log.ts';
import { type Listener, listeningKey, userLog } from '../../data/changes/listeners.ts';
import { listensUntil } from '../../data/changes/listening.ts';
import type { PendingChange, PendingEvent } from '../../data/changes/pending.ts';
import { itemWith } from '../../data/table/items.ts';
import { keys } from '../../data/table/keys.ts';
import type { Store } from '../../data/table/store.ts';
import { asUser, type User } from '../../data/users/users.ts';
import { asEndpoints, endpointsKey, type WebhookEndpoints } from '../../data/webhooks/endpoints.ts';
import type { ChangeEvent } from '../../domain/changes/change-event.ts';

/** A reader of change events of a user: the user, or a broker. */
export interface Reader {
  readonly listener: Listener;
  readonly log: string;
  readonly head: LogHead | undefined;
  /** Time until which it listens without reading again, epoch milliseconds. */
  readonly until: number;
  /** Webhook endpoints that get what it may read. */
  readonly endpoints: WebhookEndpoints | undefined;
  /** Returns the event as it may read it; undefined for an event that is not for it. */
  readonly view: (commit: PendingChange, event: PendingEvent) => ChangeEvent | undefined;
}

const ownView: Reader['view'] = ({ is_for_user }, { broker_fields: _, ...event }) =>
  is_for_user ? event : undefined;

const brokerView =
  (brokerId: number, { user_key }: User): Reader['view'] =>
  ({ broker_id }, { broker_fields: fields, id, type, at, deployment_id, sequence, data }) => {
    if (broker_id !== brokerId || !fields) return undefined;
    const shown = fields.flatMap((name) => (Object.hasOwn(data, name) ? [[name, data[name]] as const] : []));
    return { id, type, at, deployment_id, sequence, user_key, data: Object.fromEntries(shown) };
  };

/** Returns the brokers that may read a user now, of those given. A user who has unlinked a broker is not among its. */
const readableFor = async (
  store: Store,
  user: User,
  brokerIds: ReadonlySet<number>,
  now: Date,
): Promise<Set<number>> => {
  const links = Object.entries(user.brokers).filter(([, { broker_id }]) => brokerIds.has(broker_id));
  if (links.length === 0) return new Set();
  const items = await store.getMany(
    links.flatMap(([subdomain]) => readerKeys(subdomain)),
    { consistent: true },
  );
  return new Set(
    links.flatMap(([subdomain, { broker_id }]) => {
      const reader = brokerReaderIn(items, subdomain);
      return reader && mayRead(user, reader, now) ? [broker_id] : [];
    }),
  );
};

/**
 * Reads consistently who may read the events of commits of a user now. Commits that were read before are not shown to a
 * broker that the user has left before them.
 */
export const readReaders = async (
  store: Store,
  userId: string,
  pending: readonly PendingChange[],
  now: Date,
): Promise<Reader[]> => {
  const brokerIds = new Set(pending.flatMap(({ broker_id }) => broker_id ?? []));
  const candidates = [
    { listener: { user_id: userId }, log: userLog(userId) },
    ...[...brokerIds].map((broker_id) => ({ listener: { broker_id }, log: brokerLog(broker_id, userId) })),
  ];
  const items = await store.getMany(
    [
      keys.user(userId),
      ...candidates.flatMap(({ listener, log }) => [
        listeningKey(listener),
        keys.changeLog(log),
        endpointsKey(listener),
      ]),
    ],
    { consistent: true },
  );
  const user = asUser(itemWith(items, keys.user(userId)));
  if (!user) return [];
  const readable = await readableFor(store, user, brokerIds, now);
  return candidates.flatMap(({ listener, log }): Reader[] => {
    const until = listensUntil(itemWith(items, listeningKey(listener)));
    if (until === undefined) return [];
    const head = asLogHead(itemWith(items, keys.changeLog(log)));
    const endpoints = asEndpoints(itemWith(items, endpointsKey(listener)));
    const reader = { listener, log, head, until, endpoints };
    if ('user_id' in listener) return [{ ...reader, view: ownView }];
    if (!readable.has(listener.broker_id)) return [];
    return [{ ...reader, view: brokerView(listener.broker_id, user) }];
  });
};

/** Returns whether a reader has not read for long, and has no webhook endpoint. */
export const isOver = ({ until, endpoints }: Reader, now: Date): boolean =>
  until < now.getTime() && (endpoints?.endpoints.length ?? 0) === 0;
