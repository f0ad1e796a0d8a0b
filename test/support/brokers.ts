import { listingRemoval, listingWrite } from '../../shared/data/brokers/brokers.ts';
import type { Response, TestHub } from './hub.ts';
import { bearer, freshEmail, PASSWORD, prove } from './people.ts';

let brokers = 0;

export interface TestBroker {
  readonly broker_id: number;
  readonly guid: string;
  readonly subdomain: string;
  readonly secret: string;
  readonly broker_name: string;
}

/** Registers a white-label broker, or replaces its secret if it is given. */
export const createBroker = (
  hub: TestHub,
  query: Record<string, string> = {},
  secret?: string,
): Promise<Response> =>
  hub.call('POST /create_partnera_subdomain_secret', {
    query: { broker_name: `Broker Number ${++brokers}`, email: 'desk@broker.example', ...query },
    headers: secret === undefined ? {} : bearer(secret),
  });

/** Creates a broker that registered itself. */
export const broker = async (hub: TestHub): Promise<TestBroker> => (await createBroker(hub)).body;

/** Approves a broker like an operator, or withdraws the approval. */
export const approve = (hub: TestHub, { subdomain }: TestBroker, isApproved = true): Promise<void> =>
  hub.runtime.store.transact([isApproved ? listingWrite(subdomain) : listingRemoval(subdomain)]);

/** Creates a broker with the approval of an operator. */
export const approvedBroker = async (hub: TestHub): Promise<TestBroker> => {
  const made = await broker(hub);
  await approve(hub, made);
  return made;
};

const ROUTES = { a: 'POST /generate_partnera_token', b: 'POST /partnerb/generate_token' } as const;

/** Requests a token of a partner, with the broker's secret if it is given. */
export const askForToken = (
  hub: TestHub,
  partner: 'a' | 'b',
  query: Record<string, string>,
  secret?: string,
): Promise<Response> =>
  hub.call(ROUTES[partner], { query, headers: secret === undefined ? {} : bearer(secret) });

/** Returns a verified token for an account of a broker. */
export const tokenOf = async (
  hub: TestHub,
  { secret }: TestBroker,
  account_id: string,
  partner: 'a' | 'b' = 'b',
): Promise<string> => (await askForToken(hub, partner, { account_id, server_id: '5' }, secret)).body.token;

/** Registers a user at a broker, who then proves the e-mail and confirms the broker. */
export const registerAtBroker = async (
  hub: TestHub,
  broker_domain: string,
  form: Record<string, string> = {},
  sourceIp = '127.0.0.1',
): Promise<Response> => {
  const registered = await registerUnprovenAtBroker(hub, broker_domain, form, sourceIp);
  if (registered.status === 200) await prove(hub, registered.body.user_id);
  return registered;
};

/** Registers a user at a broker. */
export const registerUnprovenAtBroker = (
  hub: TestHub,
  broker_domain: string,
  form: Record<string, string> = {},
  sourceIp = '127.0.0.1',
): Promise<Response> =>
  hub.call('POST /register_user_broker', {
    sourceIp,
    form: { email: freshEmail(), password: PASSWORD, broker_domain, ...form },
  });

/** Exchanges a token of partner B for a session. */
export const enterByB = (hub: TestHub, token: string): Promise<Response> =>
  hub.call('POST /partnerb/auth', { headers: bearer(token) });

/** Signs in with a password and links the account of a token. */
export const linkAccount = (
  hub: TestHub,
  email: string,
  broker_domain: string,
  partner_token: string,
  password = PASSWORD,
): Promise<Response> =>
  hub.call('POST /login_user_broker', { query: { email, password, broker_domain, partner_token } });

/** Calls the handshake of partner A, with a bearer if it is given. */
export const handshake = (
  hub: TestHub,
  query: Record<string, string> = {},
  credential?: string,
): Promise<Response> =>
  hub.call('POST /partnera_auth', { query, headers: credential === undefined ? {} : bearer(credential) });

/** Checks a partner token. */
export const validate = (hub: TestHub, token: string, broker_sub?: string): Promise<Response> =>
  hub.call('GET /validate_b_token', { query: { token, ...(broker_sub !== undefined && { broker_sub }) } });
