import * as z from 'zod';
import type { Call } from '../api/call.ts';
import { type ErrorCode, HubError } from '../api/errors.ts';
import { suspendedBroker } from '../api/refusals.ts';
import { RISK_SCOPE, scopesIn, WEBHOOKS_SCOPE } from '../auth/integrator-tokens.ts';
import { type BrokerReader, brokerReaderIn, mayRead, readerKeys } from '../data/brokers/broker-readers.ts';
import type { Broker } from '../data/brokers/brokers.ts';
import type { Item } from '../data/table/attributes.ts';
import { type Items, itemWith } from '../data/table/items.ts';
import { keys, normaliseEmail } from '../data/table/keys.ts';
import type { Store } from '../data/table/store.ts';
import type { Key } from '../data/table/writes.ts';
import { asUser, type User } from '../data/users/users.ts';

/** Context of the authorizer about an integrator. */
const authorized = z.object({
  broker: z.string(),
  expires_at: z.number(),
  scope: z.string(),
});

const ownedSchema = z.object({ user_id: z.string().optional() });

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
const tokenOf = ({ authorized: said, now }: Call): z.output<typeof authorized> => {
  const { success, data } = authorized.safeParse(said);
  if (!success || data.expires_at * 1000 <= now.getTime()) {
    throw new HubError(
      'access_token_invalid',
      'The access token expired. Request a new one at /oauth/token.',
    );
  }
  return data;
};

const brokerOf = (call: Call): string => tokenOf(call).broker;

/** Errors of each operation that throws kill switches, in addition to {@link READING_ERRORS}. */
export const RISK_ERRORS = [...READING_ERRORS, 'scope_insufficient'] as const satisfies readonly ErrorCode[];

const withoutGrant = (): HubError =>
  new HubError(
    'scope_insufficient',
    'This needs the scope broker:risk. The operator of the service grants it; then request a token with it.',
  );

/** Requires the scope `broker:risk` of the token. @throws HubError access_token_invalid, scope_insufficient */
const requireRiskScope = (call: Call): void => {
  if (!scopesIn(tokenOf(call).scope).includes(RISK_SCOPE)) throw withoutGrant();
};

/** Requires that the operator grants the scope: to withdraw it takes effect at once. @throws HubError scope_insufficient */
const requireGrant = (broker: Broker): Broker => {
  if (broker.risk_granted_at === undefined) throw withoutGrant();
  return broker;
};

/** A user whom the integrator may read. */
export interface LinkedUser {
  /** Reading broker. */
  readonly broker: Broker;
  readonly user: User;
  /** The items of the additional keys. */
  readonly items: Items;
}

export interface LinkedOwner extends LinkedUser {
  /** Item that named the user. */
  readonly namedBy: Item;
}

/** Finds the reading broker among the items of {@link readerKeys}. @throws HubError broker_suspended */
const readerIn = (items: Items, subdomain: string): BrokerReader => {
  const reader = brokerReaderIn(items, subdomain);
  if (!reader) throw suspendedBroker();
  return reader;
};

/**
 * Reads the owner of an item if the integrator may: a user linked to its broker. Without an operator's
 * approval of the broker, only a user who registered with it today. Always costs two calls.
 *
 * @param owned key of an item with the owner's `user_id`: credentials, a deployment
 * @param extraReads keys of additional items, by the user and the item that named the user
 * @param unknown the error for any other user
 * @throws HubError access_token_invalid, broker_suspended
 */
export const linkedOwner = async (
  call: Call,
  owned: Key,
  extraReads: (userId: string, namedBy: Item | undefined) => readonly Key[],
  unknown: () => HubError,
): Promise<LinkedOwner> => {
  const { store, now } = call;
  const subdomain = brokerOf(call);
  const named = await store.getMany([...readerKeys(subdomain), owned], { consistent: true });
  const reader = readerIn(named, subdomain);
  const namedBy = itemWith(named, owned);
  // No user has an empty user_id. An unknown e-mail costs the same calls, so timing reveals nothing.
  const userId = ownedSchema.parse(namedBy ?? {}).user_id ?? '';
  const items = await store.getMany([keys.user(userId), ...extraReads(userId, namedBy)], {
    consistent: true,
  });
  const user = asUser(itemWith(items, keys.user(userId)));
  if (!namedBy || !user || !mayRead(user, reader, now)) throw unknown();
  return { broker: reader.broker, user, items, namedBy };
};

/** Largest number of e-mails that a container caches. */
const MAX_REMEMBERED = 10_000;

/**
 * Caches the user id of an e-mail, per broker, which saves one of four calls. Use a cached one only after the user has shown
 * that e-mail. It holds only results that the broker may know.
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
 * @param extraReads keys of additional items of the user
 * @throws HubError as {@link READING_ERRORS}
 */
export const linkedUser = async (
  call: Call,
  email: string,
  extraReads: (userId: string) => readonly Key[] = () => [],
): Promise<LinkedUser> => {
  const { store, now } = call;
  const subdomain = brokerOf(call);
  const credentials = keys.credentials(email);
  const name = `${subdomain} ${credentials.pk}`;
  const memory = memoryOf(store);
  const userId = memory.get(name);
  if (userId === undefined) {
    const found = await linkedOwner(call, credentials, extraReads, unlinkedUser);
    remember(memory, name, found.user.user_id);
    return found;
  }
  const wanted = [...readerKeys(subdomain), keys.user(userId), ...extraReads(userId)];
  const items = await store.getMany(wanted, { consistent: true });
  const reader = readerIn(items, subdomain);
  const user = asUser(itemWith(items, keys.user(userId)));
  if (user && user.email !== normaliseEmail(email)) {
    // The user has another e-mail now. This one may be that of somebody else.
    memory.delete(name);
    return linkedUser(call, email, extraReads);
  }
  if (!user || !mayRead(user, reader, now)) {
    // No longer linked: treated as unknown from now on, at the same cost.
    memory.delete(name);
    throw unlinkedUser();
  }
  return { broker: reader.broker, user, items };
};

/** Reads the calling broker. @throws HubError access_token_invalid, broker_suspended */
export const callingBroker = async (call: Call): Promise<Broker> => {
  const subdomain = brokerOf(call);
  const items = await call.store.getMany(readerKeys(subdomain), { consistent: true });
  return readerIn(items, subdomain).broker;
};

/**
 * Reads the calling broker if it may throw kill switches.
 *
 * @throws HubError access_token_invalid, broker_suspended, scope_insufficient
 */
export const riskBroker = async (call: Call): Promise<Broker> => {
  requireRiskScope(call);
  const subdomain = brokerOf(call);
  const items = await call.store.getMany(readerKeys(subdomain), { consistent: true });
  return requireGrant(readerIn(items, subdomain).broker);
};

/** Errors of each operation on the webhooks of a broker. */
export const WEBHOOK_BROKER_ERRORS = [
  'access_token_invalid',
  'broker_suspended',
  'scope_insufficient',
] as const satisfies readonly ErrorCode[];

/** Reads the calling broker if its token allows webhooks. @throws HubError as {@link WEBHOOK_BROKER_ERRORS} */
export const webhookBroker = async (call: Call): Promise<Broker> => {
  const { scope, broker: subdomain } = tokenOf(call);
  if (!scopesIn(scope).includes(WEBHOOKS_SCOPE)) {
    throw new HubError(
      'scope_insufficient',
      'This needs the scope broker:webhooks. Request a token with it.',
    );
  }
  const items = await call.store.getMany(readerKeys(subdomain), { consistent: true });
  return readerIn(items, subdomain).broker;
};

/**
 * Reads the user with an e-mail if the integrator may throw kill switches over them.
 *
 * @throws HubError as {@link RISK_ERRORS}
 */
export const riskUser = async (call: Call, email: string): Promise<Pick<LinkedUser, 'broker' | 'user'>> => {
  requireRiskScope(call);
  const found = await linkedUser(call, email);
  requireGrant(found.broker);
  return found;
};
