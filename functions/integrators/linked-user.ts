import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { type ErrorCode, HubError } from '../../shared/api/errors.ts';
import { isLinkedTo, isOnTrial } from '../../shared/data/brokers/broker-accounts.ts';
import { asBroker, type Broker } from '../../shared/data/brokers/brokers.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { Key, Store } from '../../shared/data/table/store.ts';
import { asUser, type User } from '../../shared/data/users/users.ts';

/** What the authorizer says of an integrator. */
const authorized = z.object({ broker: z.string(), expires_at: z.number() });

const owned = z.object({ user_id: z.string().optional() });

/** The errors of every operation that reads a user by e-mail. */
export const READING_ERRORS = [
  'access_token_invalid',
  'broker_suspended',
  'user_unknown',
] as const satisfies readonly ErrorCode[];

/** The one answer to the e-mail of nobody, of another broker's user and of a user without a broker. */
const unknownUser = (): HubError =>
  new HubError('user_unknown', 'No user with this e-mail is linked to your broker.');

/** The gateway keeps a verdict for a while: a token may have ended since. */
const brokerOf = ({ authorized: said, now }: Call): string => {
  const { success, data } = authorized.safeParse(said);
  if (!success || data.expires_at * 1000 <= now.getTime()) {
    throw new HubError('access_token_invalid', 'The access token is over. Get another one at /oauth/token.');
  }
  return data.broker;
};

export interface Found {
  /** Who reads. */
  readonly broker: Broker;
  readonly user: User;
  /** What was read beside the user, in order. */
  readonly beside: readonly (Readonly<Record<string, unknown>> | undefined)[];
  /** The item by which the user was found. */
  readonly by: Readonly<Record<string, unknown>>;
}

type Item = Readonly<Record<string, unknown>>;

const readerKeys = (subdomain: string): [Key, Key] => [keys.broker(subdomain), keys.listedBroker(subdomain)];

/** The broker that reads. @throws HubError broker_suspended */
const readerOf = (item: Item | undefined): Broker => {
  const broker = asBroker(item);
  if (broker && broker.suspended_at === undefined) return broker;
  throw new HubError('broker_suspended', 'The broker is suspended. Ask the operator of the service.');
};

/** Whether an integrator may read a user. */
const mayRead = (user: User, broker: Broker, approval: Item | undefined, now: Date): boolean =>
  isLinkedTo(user, broker.subdomain) && (approval !== undefined || isOnTrial(user, broker, now));

/**
 * The user to whom an item belongs, if an integrator may read them: one who is linked to its broker, and
 * where no operator approved of the broker, one who registered with it today. Always two calls, whoever it is.
 *
 * @param item an item with the owner's `user_id`: credentials, a deployment.
 * @param beside what else is to be read of the user.
 * @param unknown what is thrown for anybody else.
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
  // Nobody's user_id is empty: for an e-mail of nobody, nothing is found at the same price.
  const userId = owned.parse(by ?? {}).user_id ?? '';
  const [found, ...others] = await store.getMany([keys.user(userId), ...beside(userId)], {
    consistent: true,
  });
  const user = asUser(found);
  if (!by || !user || !mayRead(user, broker, approval, now)) throw unknown();
  return { broker, user, beside: others, by };
};

/** E-mails that a container remembers the users of. */
const MAX_REMEMBERED = 10_000;

/**
 * Whose an e-mail is never changes, so a container that has resolved one for a broker does not read it again:
 * that makes three calls of four. Only what the broker may know is remembered, under the broker's name.
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
 * The user with an e-mail, if an integrator may read them.
 *
 * @param beside what else is to be read of the user.
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
    const found = await linkedOwner(call, credentials, beside, unknownUser);
    remember(memory, name, found.user.user_id);
    return found;
  }
  const wanted = [...readerKeys(subdomain), keys.user(userId), ...beside(userId)];
  const [reader, approval, item, ...others] = await store.getMany(wanted, { consistent: true });
  const broker = readerOf(reader);
  const user = asUser(item);
  if (!user || !mayRead(user, broker, approval, now)) {
    // From now on like nobody, at the same calls.
    memory.delete(name);
    throw unknownUser();
  }
  return { broker, user, beside: others };
};
