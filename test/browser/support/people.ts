import { randomUUID } from 'node:crypto';
import { HubClient } from '../../../infra/client/package/src/index.ts';
import { HUB_URL } from './browser.ts';
import { mailedCode } from './mails.ts';

/** A user of the service, with a client for what a test prepares. */
export interface Person {
  readonly email: string;
  readonly password: string;
  readonly userId: string;
  readonly hub: HubClient;
}

/** Returns an e-mail that nobody has registered. */
export const newEmail = (): string => `p-${randomUUID()}@example.com`;

/** Signs a user in, or registers a new one, with a browser of a name. */
export const enter = async (
  email: string,
  password: string,
  name?: string,
  userAgent = 'browser-tests',
): Promise<Person> => {
  const named: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    request.headers.set('user-agent', userAgent);
    return fetch(request);
  };
  const anyone = new HubClient({ baseUrl: HUB_URL, fetch: named });
  const { user_id, access_token } = await anyone.registerLogin({ body: { email, password, name } });
  return { email, password, userId: user_id, hub: new HubClient({ baseUrl: HUB_URL, token: access_token }) };
};

/** Registers a user. */
export const newPerson = (name = 'Ada Trader', email = newEmail()): Promise<Person> =>
  enter(email, 'a-long-password', name);

/** Proves the e-mail of a new user, who may publish then. */
export const proven = async (person: Person): Promise<Person> => {
  const code = await mailedCode(person.email, 'proof');
  await person.hub.confirmEmail({ user_id: person.userId, body: { code } });
  return person;
};

/** Steps up the session of a proven user's client, for 10 minutes. */
export const steppedUp = async (person: Person): Promise<Person> => {
  const { hub, userId: user_id, email, password } = person;
  await hub.sendStepUpCode({ user_id });
  const code = await mailedCode(email, 'stepUp');
  await hub.stepUp({ user_id, body: { password, code } });
  return person;
};

/** Registers a user with a proven e-mail. */
export const provenPerson = async (name = 'Ada Trader'): Promise<Person> => proven(await newPerson(name));

/** The user of the demo data, who has strategies, backtests and deployments. */
export const demoPerson = (): Promise<Person> => enter('demo@strategy-hub.example', 'demo-password-1');
