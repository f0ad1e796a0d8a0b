import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { fingerprint } from '../../shared/auth/key-ring.ts';
import { listedBrokerWrites } from '../../shared/data/brokers.ts';
import { clientWrite } from '../../shared/data/clients.ts';
import { keys } from '../../shared/data/keys.ts';
import { Store } from '../../shared/data/store.ts';
import { listOwnedStrategies } from '../../shared/data/strategies.ts';
import { loadCatalogue } from '../catalogue/load.ts';
import { connectDemoAccount } from './demo-account.ts';
import { loadDemoDeployments } from './demo-deployments.ts';
import { DemoPerson, type Made } from './demo-person.ts';
import { DEMO_AUTHORS, DEMO_USER_COPY, DEMO_USER_LIKES, DEMO_USER_STRATEGIES } from './demo-strategies.ts';
import { credentialsOf, regionOf } from './environment.ts';

/** Who can sign in, and whether engines have just reported a past. */
export interface DemoData extends DemoCredentials {
  readonly hasNewHistory: boolean;
}

interface DemoCredentials {
  readonly email: string;
  readonly password: string;
  readonly clientKey: string;
}

/** Public by nature: they open nothing but the data on this machine. */
const DEMO: DemoCredentials = {
  email: 'demo@strategy-hub.example',
  password: 'demo-password-1',
  clientKey: 'demo-client-key',
};

const DEMO_BROKER = {
  broker_id: 1,
  name: 'Demo Broker',
  subdomain: 'demo-broker',
  app_name: 'Demo Trader',
  accent_color: '#0b7285',
  website: 'https://demo-broker.example',
};

interface DemoOptions {
  readonly endpoint: string;
  readonly table: string;
  /** The running service: users do there what everybody does. */
  readonly baseUrl: string;
  readonly busUrl: string;
}

/** Whether an earlier start has brought people in: the demo user's copy comes last. */
const hasPeople = async (store: Store): Promise<boolean> => {
  const owner = await store.get(keys.credentials(DEMO.email), z.object({ user_id: z.string().optional() }));
  if (owner?.user_id === undefined) return false;
  const owned = await listOwnedStrategies(store, owner.user_id);
  return owned.some(({ is_copied }) => is_copied === 1);
};

const signIn = (baseUrl: string): Promise<DemoPerson | undefined> =>
  DemoPerson.signIn(baseUrl, {
    email: DEMO.email,
    password: DEMO.password,
    name: 'Demo Trader',
    broker_domain: DEMO_BROKER.subdomain,
  });

/** Lets people make, like and copy strategies. What a start that was cut short has done stays done. */
const loadPeople = async (baseUrl: string): Promise<void> => {
  const { password } = DEMO;
  const [demoUser, ...authors] = await Promise.all([
    signIn(baseUrl),
    ...DEMO_AUTHORS.map((author) =>
      DemoPerson.signIn(baseUrl, { email: author.email, password, name: author.name }),
    ),
  ]);
  const made = new Map<string, Made>();
  const known = (name: string): Made => {
    const strategy = made.get(name);
    if (!strategy) throw new Error(`the demo data names a strategy that nobody made: ${name}`);
    return strategy;
  };
  // Somebody with another password is not ours to act for any more.
  if (!demoUser || authors.includes(undefined)) return;
  for (const [index, { strategies }] of DEMO_AUTHORS.entries()) {
    for (const strategy of strategies) {
      const mine = await authors[index]?.make(strategy);
      if (mine) made.set(strategy.name, mine);
    }
  }
  for (const [index, { likes }] of DEMO_AUTHORS.entries()) {
    for (const name of likes) await authors[index]?.like(known(name));
  }
  for (const strategy of DEMO_USER_STRATEGIES) await demoUser.make(strategy);
  for (const name of DEMO_USER_LIKES) await demoUser.like(known(name));
  await demoUser.copy(known(DEMO_USER_COPY));
};

/** Loads the catalogue of instruments, unless an earlier start has: it writes the universes last. */
export const loadDemoCatalogue = async (store: Store): Promise<void> => {
  const { pk } = keys.universe('');
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, Limit: 1 };
  const universes = await store.query(query, z.object({}));
  if (universes.length === 0) await loadCatalogue(store);
};

/**
 * Gives a table with instruments what else a first session needs: a client application, a broker, people
 * with strategies. On later starts everything is there already.
 */
export const loadDemoData = async ({ endpoint, table, baseUrl, busUrl }: DemoOptions): Promise<DemoData> => {
  const client = new DynamoDBClient({
    endpoint,
    region: regionOf(process.env),
    credentials: credentialsOf(process.env),
  });
  try {
    const store = new Store(client, table);
    await store.transact([
      clientWrite('Demo application', fingerprint(DEMO.clientKey)),
      ...listedBrokerWrites(DEMO_BROKER),
    ]);
    if (!(await hasPeople(store))) await loadPeople(baseUrl);
    const demoUser = await signIn(baseUrl);
    const { email, password } = DEMO;
    const connect = () => connectDemoAccount(store, baseUrl, { email, password });
    const hasNewHistory = demoUser ? await loadDemoDeployments(store, busUrl, demoUser, connect) : false;
    return { ...DEMO, hasNewHistory };
  } finally {
    client.destroy();
  }
};
