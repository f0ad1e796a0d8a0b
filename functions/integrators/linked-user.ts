import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { type ErrorCode, HubError } from '../../shared/api/errors.ts';
import { suspendedBroker } from '../../shared/api/refusals.ts';
import { isLinkedTo, isOnTrial } from '../../shared/data/brokers/broker-accounts.ts';
import { asBroker, type Broker } from '../../shared/data/brokers/brokers.ts';
import type { Item } from '../../shared/data/table/attributes.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { Store } from '../../shared/data/table/store.ts';
import type { Key } from '../../shared/data/table/writes.ts';
import { asUser, type User } from '../../shared/data/users/users.ts';

/** Context of the authorizer about an integrator. */
const authorized = z.object({ broker: z.string(), expires_at: z.number() });

const owned = z.object({ user_id: z.string().optional() });

/** Errors of each operation that reads a user by e-mail. */
export const READING_ERRORS = [
  'access_token_invalid',
  'broker_suspended',
  'user_unknown',
] as const satisfies readonly ErrorCode[];

/** Answers an unknown e-mail, a user of another broker and a user without a broker alike. */
const unlinkedUser = (): HubError =>
  new HubError('user_unknown', 'No user with this e-mail is linked to your broker.');

/** Refuses an expired token: the gateway caches the authorizer's verdict. */
const brokerOf = ({ authorized: said, now }: Call): string => {
  const { success, data } = authorized.safeParse(said);
  if (!success || data.expires_at * 1000 <= now.getTime()) {
    throw new HubError(
      'access_token_invalid',
      'The access token expired. Request a new one at /oauth/token.',
    );
  }
  return data.broker;
};

export interface Found {
  /** Reading broker. */
  readonly broker: Broker;
  readonly user: User;
  /** Additional items, in the order of their keys. */
  readonly beside: readonly (Readonly<Record<string, unknown>> | undefined)[];
  /** Item that named the user. */
  readonly by: Readonly<Record<string, unknown>>;
}

const readerKeys = (subdomain: string): [Key, Key] => [keys.broker(subdomain), keys.listedBroker(subdomain)];

/** Finds the reading broker. @throws HubError broker_suspended */
const readerOf = (item: Item | undefined): Broker => {
  const broker = asBroker(item);
  if (broker && broker.suspended_at === undefined) return broker;
  throw suspendedBroker();
};

/** Tells whether an integrator may read a user. */
const mayRead = (user: User, broker: Broker, approval: Item | undefined, now: Date): boolean =>
  isLinkedTo(user, broker.subdomain) && (approval !== undefined || isOnTrial(user, broker, now));

/**
 * Reads the owner of an item if the integrator may: a user linked to its broker. Without an operator's
 * approval of the broker, only a user who registered with it today. Always costs two calls.
 *
 * @param item an item with the owner's `user_id`: credentials, a deployment
 * @param beside keys of additional items of the user
 * @param unknown the error for any other user
 * @throws HubError access_token_invalid, broker_suspended
 */
export const linkedOwner = async (
  call: Call,
  item: Key,
  beside: (userId: string) => readonly Key[],
  unknown: () => HubError,
): Promise<Found> => {
  const { store, now } = call;
  const subdomain = brokerOf(call);
  const [reader, approval, by] = await store.getMany([...readerKeys(subdomain), item], { consistent: true });
  const broker = readerOf(reader);
  // No user has an empty user_id. An unknown e-mail costs the same calls, so timing reveals nothing.
  const userId = owned.parse(by ?? {}).user_id ?? '';
  const [found, ...others] = await store.getMany([keys.user(userId), ...beside(userId)], {
    consistent: true,
  });
  const user = asUser(found);
  if (!by || !user || !mayRead(user, broker, approval, now)) throw unknown();
  return { broker, user, beside: others, by };
};

/** Largest number of e-mails that a container caches. */
const MAX_REMEMBERED = 10_000;

/**
 * Caches the user id of an e-mail, per broker. An e-mail never changes its user, so the cache saves one of
 * four calls. It holds only results that the broker may know.
 */
const remembered = new WeakMap<Store, Map<string, string>>();

const memoryOf = (store: Store): Map<string, string> => {
  const memory = remembered.get(store) ?? new Map<string, string>();
  remembered.set(store, memory);
  return memory;
};

const remember = (memory: Map<string, string>, name: string, userId: string): void => {
  const [oldest] = memory.keys();
  if (memory.size >= MAX_REMEMBERED && oldest !== undefined) memory.delete(oldest);
  memory.set(name, userId);
};

/**
 * Reads the user with an e-mail if the integrator may.
 *
 * @param beside keys of additional items of the user
 * @throws HubError as {@link READING_ERRORS}
 */
export const linkedUser = async (
  call: Call,
  email: string,
  beside: (userId: string) => readonly Key[] = () => [],
): Promise<Omit<Found, 'by'>> => {
  const { store, now } = call;
  const subdomain = brokerOf(call);
  const credentials = keys.credentials(email);
  const name = `${subdomain} ${credentials.pk}`;
  const memory = memoryOf(store);
  const userId = memory.get(name);
  if (userId === undefined) {
    const found = await linkedOwner(call, credentials, beside, unlinkedUser);
    remember(memory, name, found.user.user_id);
    return found;
  }
  const wanted = [...readerKeys(subdomain), keys.user(userId), ...beside(userId)];
  const [reader, approval, item, ...others] = await store.getMany(wanted, { consistent: true });
  const broker = readerOf(reader);
  const user = asUser(item);
  if (!user || !mayRead(user, broker, approval, now)) {
    // No longer linked: treated as unknown from now on, at the same cost.
    memory.delete(name);
    throw unlinkedUser();
  }
  return { broker, user, beside: others };
};
