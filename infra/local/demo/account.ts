import * as z from 'zod';
import { listingWrite } from '../../../shared/data/brokers/brokers.ts';
import type { Past } from './past.ts';

const registeredSchema = z.object({ broker_id: z.number(), subdomain: z.string(), secret: z.string() });
const tokenSchema = z.object({ token: z.string() });
/** The second one is for a start after one that was cut short: the secret of the first is lost. */
const BROKERS = [
  { broker_name: 'Demo Prime', email: 'desk@demo-prime.example' },
  { broker_name: 'Demo Prime Europe', email: 'desk@europe.demo-prime.example' },
] as const;
const ACCOUNT = { account_id: 'DP-1001', server_id: '1' };

/** A user by the password. */
interface Owner {
  readonly email: string;
  readonly password: string;
}

/**
 * Connects a user with an account at a white-label broker, as broker, operator and user do it: the broker
 * registers and is approved, makes a token for the account, and the user signs in with it.
 *
 * @returns the broker's id; undefined if two earlier starts, which were cut short, have registered the brokers.
 */
export const connectDemoAccount = async (past: Past, owner: Owner): Promise<number | undefined> => {
  const post = async (path: string, query: Readonly<Record<string, string>>, bearer?: string) => {
    const answer = await past.call('POST', path, { query, ...(bearer !== undefined && { bearer }) });
    if (answer.status !== 200 && answer.status !== 409) {
      throw new Error(`the demo data could not be loaded: ${path} answered ${answer.status}`);
    }
    return answer;
  };
  let registered = await post('/create_partnera_subdomain_secret', BROKERS[0]);
  if (registered.status === 409) registered = await post('/create_partnera_subdomain_secret', BROKERS[1]);
  if (registered.status === 409) return undefined;
  const { broker_id, subdomain, secret } = registeredSchema.parse(registered.json);
  await past.store.transact([listingWrite(subdomain, true)]);
  const { token } = tokenSchema.parse((await post('/generate_partnera_token', ACCOUNT, secret)).json);
  await post('/login_user_broker', { ...owner, broker_domain: subdomain, partner_token: token });
  return broker_id;
};
