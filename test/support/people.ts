import { vouchFor } from '../../infra/local/demo/vouch.ts';
import { fingerprint } from '../../shared/auth/key-ring.ts';
import { codeOf } from '../../shared/auth/one-time-code.ts';
import { type Broker, listedBrokerWrites } from '../../shared/data/brokers/brokers.ts';
import { type Delivery, findDueDeliveries } from '../../shared/data/outbox/deliveries.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { clientWrite } from '../../shared/data/users/clients.ts';
import type { CodePurpose } from '../../shared/data/users/one-time-codes.ts';
import { findUser } from '../../shared/data/users/users.ts';
import type { Response, TestHub } from './hub.ts';
import { scanDue } from './scan-due.ts';

export const CLIENT_KEY = 'client-key-of-the-tests';
export const PASSWORD = 'correct horse battery';

export const BROKER: Broker = { broker_id: 77, name: 'North Broker', subdomain: 'north' };

/** Adds a client application and a white-label broker to a hub. */
export const furnish = (hub: TestHub): Promise<void> =>
  hub.runtime.store.transact([clientWrite('Tests', fingerprint(CLIENT_KEY)), ...listedBrokerWrites(BROKER)]);

const YEARS_S = 10 * 366 * 24 * 3600;

let people = 0;

/** Returns a new e-mail address. */
export const freshEmail = (): string => `person${++people}@example.com`;

interface Person {
  readonly email?: string;
  readonly password?: string;
  readonly name?: string;
  readonly ph_number?: string;
  readonly broker_domain?: string;
  readonly referral_code?: string;
}

/** Proves the e-mail of a user, and confirms the brokers of the registration. */
export const prove = ({ runtime }: Pick<TestHub, 'runtime'>, userId: string): Promise<void> =>
  vouchFor(runtime.store, userId, runtime.clock());

/** Registers a user, who then proves the e-mail. The answer is that of the registration. */
export const register = async (hub: TestHub, person: Person = {}): Promise<Response> => {
  const registered = await registerUnproven(hub, person);
  if (registered.status === 200) await prove(hub, registered.body.user_id);
  return registered;
};

/** Registers a user, without a proof of the e-mail. */
export const registerUnproven = (hub: TestHub, person: Person = {}): Promise<Response> =>
  hub.call('POST /register_user', {
    query: { auth: CLIENT_KEY },
    json: { email: freshEmail(), password: PASSWORD, name: 'Ada Lovelace', ...person },
  });

/** Signs in with e-mail and password. */
export const login = (hub: TestHub, email: string, password = PASSWORD): Promise<Response> =>
  hub.call('POST /login', { form: { username: email, password } });

/** Steps up all sessions of a user, for as long as a test takes. */
export const stepUp = async ({ runtime }: Pick<TestHub, 'runtime'>, userId: string): Promise<void> => {
  const user = await findUser(runtime.store, userId);
  const sids = Object.keys(user?.sessions ?? {});
  const stepped_up_at = Math.floor(runtime.clock().getTime() / 1000) + YEARS_S;
  await runtime.store.transact([
    {
      key: keys.user(userId),
      update: `SET ${sids.map((_, index) => `sessions.#s${index}.stepped_up_at = :at`).join(', ')}`,
      names: Object.fromEntries(sids.map((sid, index) => [`#s${index}`, sid])),
      values: { ':at': stepped_up_at },
    },
  ]);
};

/** Signs in with e-mail and password, in a session that is stepped up. */
export const loginSteppedUp = async (hub: TestHub, email: string, password = PASSWORD): Promise<Response> => {
  const entered = await login(hub, email, password);
  await stepUp(hub, entered.body.user_id);
  return entered;
};

/** Registers a user and signs them in, in a session that is stepped up. */
export const signUp = async (hub: TestHub, person: Person = {}): Promise<Response> => {
  const { body } = await register(hub, person);
  return loginSteppedUp(hub, body.email, person.password);
};

/** Returns the header with a token. */
export const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

/** Returns all messages of the outbox, oldest first; those of lanes of their own last. */
export const outbox = async (hub: TestHub): Promise<Delivery[]> => {
  const { clock } = hub.runtime;
  const store = await scanDue(hub.runtime.store);
  const later = new Date(clock().getTime() + 365 * 24 * 3_600_000);
  const [main, bulk, push, events, orders] = await Promise.all([
    findDueDeliveries(store, 'main', later, 1000),
    findDueDeliveries(store, 'bulk', later, 1000),
    findDueDeliveries(store, 'push', later, 1000),
    findDueDeliveries(store, 'events', later, 1000),
    findDueDeliveries(store, 'orders', later, 1000),
  ]);
  const messages = [...main, ...bulk].sort((left, right) => left.due_at - right.due_at);
  return [...messages, ...push, ...events, ...orders];
};

/** Returns the last code in the outbox for an e-mail, in the form of the mail; undefined without one. */
export const sentCode = async (
  hub: TestHub,
  email: string,
  purpose: CodePurpose = 'password_reset',
): Promise<string | undefined> => {
  const codes = (await outbox(hub)).flatMap(({ message }) => {
    if (message?.kind !== 'code_mail' && message?.kind !== 'code_sms') return [];
    if (message.purpose !== purpose) return [];
    const owner = message.kind === 'code_mail' ? message.to : message.email;
    return owner === email ? [message.nonce] : [];
  });
  const nonce = codes.at(-1);
  return nonce && codeOf(await hub.runtime.keyRing(), { purpose, email, nonce });
};
