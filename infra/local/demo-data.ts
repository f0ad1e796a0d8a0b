import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { fingerprint } from '../../shared/auth/key-ring.ts';
import { brokerWrite } from '../../shared/data/brokers.ts';
import { clientWrite } from '../../shared/data/clients.ts';
import { Store } from '../../shared/data/store.ts';
import { credentialsOf, regionOf } from './environment.ts';

export interface DemoCredentials {
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
  /** The running service: users register as everybody does. */
  readonly baseUrl: string;
}

const registerDemoUser = async (baseUrl: string): Promise<void> => {
  const url = new URL('/register_user', baseUrl);
  url.searchParams.set('auth', DEMO.clientKey);
  const { email, password } = DEMO;
  const user = {
    email,
    password,
    name: 'Demo Trader',
    broker_domain: DEMO_BROKER.subdomain,
    accept_terms: true,
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(user),
  });
  await response.body?.cancel();
  // 409: registered on an earlier start.
  if (!response.ok && response.status !== 409) {
    throw new Error(`the demo user could not be registered: status ${response.status}`);
  }
};

/** Fills a fresh table with what a first session needs; on later starts everything is there already. */
export const loadDemoData = async ({ endpoint, table, baseUrl }: DemoOptions): Promise<DemoCredentials> => {
  const client = new DynamoDBClient({
    endpoint,
    region: regionOf(process.env),
    credentials: credentialsOf(process.env),
  });
  try {
    const store = new Store(client, table);
    await store.transact([
      clientWrite('Demo application', fingerprint(DEMO.clientKey)),
      brokerWrite(DEMO_BROKER),
    ]);
  } finally {
    client.destroy();
  }
  await registerDemoUser(baseUrl);
  return DEMO;
};
