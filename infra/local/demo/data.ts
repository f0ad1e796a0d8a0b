import * as z from 'zod';
import { fingerprint } from '../../../shared/auth/key-ring.ts';
import { listedBrokerWrites } from '../../../shared/data/brokers/brokers.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { clientWrite } from '../../../shared/data/users/clients.ts';
import { loadCandles } from '../../candles/load.ts';
import { loadCatalogue } from '../../catalogue/load.ts';
import { connectDemoAccount } from './account.ts';
import { DEMO } from './credentials.ts';
import { loadDemoDeployments } from './deployments.ts';
import { loadMarketDeployments } from './market.ts';
import type { Past } from './past.ts';
import { DemoPerson, type Made } from './person.ts';
import { DEMO_BACKTESTS, DEMO_RULES } from './rules.ts';
import {
  DEMO_AUTHORS,
  DEMO_USER_COPY,
  DEMO_USER_LIKES,
  DEMO_USER_STRATEGIES,
  REGISTERED_AGE,
  VISITED_AGE,
} from './strategies.ts';

const DEMO_BROKER = {
  broker_id: 1,
  name: 'Demo Broker',
  subdomain: 'demo-broker',
  app_name: 'Demo Trader',
  accent_color: '#0b7285',
  website: 'https://demo-broker.example',
};

const DAY = 24 * 3_600_000;

const STATE_KEY = { pk: 'LOCAL_DEMO', sk: 'STATE' };
const stateSchema = z.object({ now: z.number(), complete: z.boolean() });

/**
 * Finds out when the demo data ends, which a start that was cut short has decided.
 *
 * @returns undefined where the data is complete, or people were there before this was kept.
 */
const beginAt = async (store: Store): Promise<number | undefined> => {
  const begun = await store.get(STATE_KEY, stateSchema);
  if (begun) return begun.complete ? undefined : begun.now;
  const owner = await store.get(keys.credentials(DEMO.email), z.object({ user_id: z.string().optional() }));
  if (owner?.user_id !== undefined) return undefined;
  const now = Date.now();
  await store.transact([{ put: { ...STATE_KEY, entity: 'local_demo', now, complete: false } }]);
  return now;
};

/** A strategy and its owner. */
interface Owned extends Made {
  readonly email: string;
}

/** Lets people make, like and copy strategies, each in its time. */
const loadPeople = async (
  past: Past,
  now: number,
  signIn: (email: string) => Promise<DemoPerson | undefined>,
) => {
  const owned = [
    ...DEMO_AUTHORS.flatMap(({ email, strategies }) => strategies.map((strategy) => ({ email, strategy }))),
    ...DEMO_USER_STRATEGIES.map((strategy) => ({ email: DEMO.email, strategy })),
  ].sort((left, right) => right.strategy.age - left.strategy.age);
  past.moveTo(now - REGISTERED_AGE * DAY);
  for (const { email } of [...DEMO_AUTHORS, DEMO]) await signIn(email);
  const made = new Map<string, Owned>();
  for (const { email, strategy } of owned) {
    past.moveTo(now - strategy.age * DAY);
    const mine = await (await signIn(email))?.make(strategy);
    if (mine) made.set(strategy.name, { ...mine, email });
  }
  past.moveTo(now - VISITED_AGE * DAY);
  const like = async (person: DemoPerson | undefined, names: readonly string[]) => {
    for (const name of names) {
      const liked = made.get(name);
      if (liked) await person?.like(liked);
    }
  };
  for (const { email, likes } of DEMO_AUTHORS) await like(await signIn(email), likes);
  const demoUser = await signIn(DEMO.email);
  await like(demoUser, DEMO_USER_LIKES);
  const copied = made.get(DEMO_USER_COPY);
  if (copied) await demoUser?.copy(copied);
  return made;
};

/**
 * Lets people set rules and run backtests. The deployments of three months were made without rules, for an engine
 * outside: that of the hub trades no past.
 */
const loadRules = async (
  made: ReadonlyMap<string, Owned>,
  signIn: (email: string) => Promise<DemoPerson | undefined>,
) => {
  for (const strategy of made.values()) {
    const rules = DEMO_RULES[strategy.strategy_name];
    if (rules) await (await signIn(strategy.email))?.setRules(strategy, rules);
  }
  const demoUser = await signIn(DEMO.email);
  for (const [name, backtests] of Map.groupBy(DEMO_BACKTESTS, ({ strategy }) => strategy)) {
    const tested = made.get(name);
    if (tested) await demoUser?.backtest(tested, backtests);
  }
};

/**
 * Loads the catalogue of instruments, unless an earlier start has: it writes the universes last. Loads the recorded
 * candles that are not stored yet.
 */
export const loadDemoCatalogue = async (store: Store): Promise<void> => {
  const { pk } = keys.universe('');
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, Limit: 1 };
  const universes = await store.query(query, z.object({}));
  if (universes.length === 0) await loadCatalogue(store);
  await loadCandles(store);
};

/**
 * Gives a table with instruments the rest of a first session: a client application, a broker, people with
 * strategies and deployments. A start that was cut short is finished by the next one.
 *
 * @param options.history false loads no more than the client application, the broker and the demo user. A later start
 * adds nothing to them.
 * @param options.market whether the demo market runs, so that deployments trade on it.
 * @returns whether a history was loaded.
 */
export const loadDemoData = async (
  past: Past,
  report: (step: string) => void,
  { history, market }: { readonly history: boolean; readonly market: boolean },
): Promise<boolean> => {
  const { store } = past;
  await store.transact([
    clientWrite('Demo application', fingerprint(DEMO.clientKey)),
    ...listedBrokerWrites(DEMO_BROKER),
  ]);
  const names = new Map(DEMO_AUTHORS.map(({ email, name }) => [email, { name }]));
  const known = new Map<string, DemoPerson>();
  const signIn = async (email: string) => {
    const person =
      (await known.get(email)?.again()) ??
      (await DemoPerson.signIn(past, {
        email,
        password: DEMO.password,
        ...(names.get(email) ?? { name: 'Demo Trader', broker_domain: DEMO_BROKER.subdomain }),
      }));
    if (person) known.set(email, person);
    return person;
  };
  if (!history) {
    await signIn(DEMO.email);
    return false;
  }
  const now = await beginAt(store);
  if (now === undefined) return false;
  report('people and their strategies');
  const made = await loadPeople(past, now, signIn);
  report('deployments and three months of trades');
  const { email, password } = DEMO;
  await loadDemoDeployments(past, now, signIn, email, () => connectDemoAccount(past, { email, password }));
  report('rules and backtests');
  await loadRules(made, signIn);
  if (market) {
    past.moveTo(Date.now());
    const person = await signIn(email);
    if (person) await loadMarketDeployments(past, person);
  }
  await store.transact([{ put: { ...STATE_KEY, entity: 'local_demo', now, complete: true } }]);
  return true;
};
