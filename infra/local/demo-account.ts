import * as z from 'zod';
import { listingWrite } from '../../shared/data/brokers.ts';
import type { Store } from '../../shared/data/store.ts';

const registeredSchema = z.object({ broker_id: z.number(), subdomain: z.string(), secret: z.string() });
const tokenSchema = z.object({ token: z.string() });
const BROKER = { broker_name: 'Demo Prime', email: 'desk@demo-prime.example' };
const ACCOUNT = { account_id: 'DP-1001', server_id: '1' };

/** Somebody who has a password at the running service. */
interface Owner {
  readonly email: string;
  readonly password: string;
}

/**
 * Connects the demo user with an account at a white-label broker, as broker, operator and user do it: the broker
 * registers and is approved of, makes a token for the account, and the user signs in with it.
 *
 * @returns the broker; undefined where an earlier start, which was cut short, has registered it.
 */
export const connectDemoAccount = async (
  store: Store,
  baseUrl: string,
  owner: Owner,
): Promise<number | undefined> => {
  const post = async (path: string, query: Readonly<Record<string, string>>, bearer?: string) => {
    const url = new URL(path, baseUrl);
    url.search = new URLSearchParams(query).toString();
    const headers = { ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) };
    const response = await fetch(url, { method: 'POST', headers });
    const { status } = response;
    if (status !== 200 && status !== 409) {
      throw new Error(`the demo data could not be loaded: ${path} answered ${status}`);
    }
    return { status, json: await response.json() };
  };
  const registered = await post('/create_partnera_subdomain_secret', BROKER);
  if (registered.status === 409) return undefined;
  const { broker_id, subdomain, secret } = registeredSchema.parse(registered.json);
  await store.transact([listingWrite(subdomain, true)]);
  const { token } = tokenSchema.parse((await post('/generate_partnera_token', ACCOUNT, secret)).json);
  await post('/login_user_broker', { ...owner, broker_domain: subdomain, partner_token: token });
  return broker_id;
};
