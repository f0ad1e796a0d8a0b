import * as z from 'zod';
import { fingerprint } from '../../../shared/auth/key-ring.ts';
import { listedBrokerWrites } from '../../../shared/data/brokers/brokers.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { clientWrite } from '../../../shared/data/users/clients.ts';
import { loadCandles } from '../../candles/load.ts';
import { loadCatalogue } from '../../catalogue/load.ts';
import { DEMO_BACKTESTS } from './backtests.ts';
import { DEMO } from './credentials.ts';
import { loadMarketDeployments } from './market.ts';
import { beforePaperRuns, type PaperRunner, runOnPaper } from './paper-runs.ts';
import type { Past } from './past.ts';
import { DemoPerson, type Made } from './person.ts';
import {
  DEMO_AUTHORS,
  DEMO_USER_COPY,
  DEMO_USER_LIKES,
  DEMO_USER_STRATEGIES,
  type DemoStrategy,
  isOfMarket,
  madeAt,
  REGISTERED_AT,
  VISITED_AGE,
} from './strategies.ts';
import { settleRecords } from './track-records.ts';
import { vouchFor } from './vouch.ts';

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

/** Returns whether the demo data is to be loaded: the table has no demo user, or a start was cut short. */
export const isDemoDue = async (store: Store): Promise<boolean> => {
  const begun = await store.get(STATE_KEY, stateSchema);
  if (begun) return !begun.complete;
  const owner = await store.get(keys.credentials(DEMO.email), z.object({ user_id: z.string().optional() }));
  return owner?.user_id === undefined;
};

/** Returns when the demo data ends, which a start that was cut short has decided. */
const beginAt = async (store: Store): Promise<number> => {
  const begun = await store.get(STATE_KEY, stateSchema);
  if (begun) return begun.now;
  const now = Date.now();
  await store.transact([{ put: { ...STATE_KEY, entity: 'local_demo', now, complete: false } }]);
  return now;
};

/** A strategy with its record and its owner's e-mail. */
interface Owned {
  readonly email: string;
  readonly strategy: DemoStrategy;
  readonly made: Made;
}

/** Signs a person in at the time of the clock in the past; undefined if the password has changed. */
type SignIn = (email: string) => Promise<DemoPerson | undefined>;

/** Returns how people sign in at the time of the clock of the past. */
const signInAt = (past: Past): SignIn => {
  const names = new Map(DEMO_AUTHORS.map(({ email, name }) => [email, { name }]));
  const known = new Map<string, DemoPerson>();
  return async (email) => {
    const person =
      (await known.get(email)?.again()) ??
      (await DemoPerson.signIn(past, {
        email,
        password: DEMO.password,
        ...(names.get(email) ?? { name: 'Demo Trader', broker_domain: DEMO_BROKER.subdomain }),
      }));
    // Nobody reads the mailboxes of the demo data.
    if (person && !known.has(email)) await vouchFor(past.store, person.userId, past.now);
    if (person) known.set(email, person);
    return person;
  };
};

const STRATEGIES = [
  ...DEMO_AUTHORS.flatMap(({ email, strategies }) => strategies.map((strategy) => ({ email, strategy }))),
  ...DEMO_USER_STRATEGIES.map((strategy) => ({ email: DEMO.email, strategy })),
];

/** Lets people make, like and copy strategies, each in its time. */
const loadPeople = async (
  past: Past,
  now: number,
  signIn: SignIn,
  market: boolean,
): Promise<readonly Owned[]> => {
  past.moveTo(REGISTERED_AT);
  for (const { email } of [...DEMO_AUTHORS, DEMO]) await signIn(email);
  const owned: Owned[] = [];
  const inTurn = STRATEGIES.map((one) => ({ ...one, at: madeAt(one.strategy, now) })).sort(
    (left, right) => left.at - right.at,
  );
  for (const { email, strategy, at } of inTurn) {
    if (isOfMarket(strategy) && !market) continue;
    past.moveTo(at);
    const made = await (await signIn(email))?.make(strategy);
    if (made) owned.push({ email, strategy, made });
  }
  past.moveTo(now - VISITED_AGE * DAY);
  const known = new Map(owned.map(({ strategy, made }) => [strategy.name, made]));
  const like = async (person: DemoPerson | undefined, names: readonly string[]) => {
    for (const name of names) {
      const liked = known.get(name);
      if (liked) await person?.like(liked);
    }
  };
  for (const { email, likes } of DEMO_AUTHORS) await like(await signIn(email), likes);
  const demoUser = await signIn(DEMO.email);
  await like(demoUser, DEMO_USER_LIKES);
  const copied = known.get(DEMO_USER_COPY);
  if (copied) await demoUser?.copy(copied);
  return owned;
};

/** Runs strategies on paper over the end of the recorded candles. */
const loadPaperRuns = async (past: Past, owned: readonly Owned[], signIn: SignIn): Promise<void> => {
  const runners: PaperRunner[] = [];
  for (const { email, strategy, made } of owned) {
    const owner = strategy.paper && (await signIn(email));
    if (owner) runners.push({ strategy, made, owner });
  }
  await runOnPaper(past, runners);
};

/** Runs the backtests of the demo user. */
const loadBacktests = async (owned: readonly Owned[], signIn: SignIn): Promise<void> => {
  const demoUser = await signIn(DEMO.email);
  for (const [name, backtests] of Map.groupBy(DEMO_BACKTESTS, ({ strategy }) => strategy)) {
    const tested = owned.find(({ strategy }) => strategy.name === name);
    if (tested) await demoUser?.backtest(tested.made, backtests);
  }
};

/**
 * Loads the catalogue of instruments, unless an earlier start has: it writes the universes last. Loads the recorded
 * candles that are not stored yet, without those that the history of the demo data has still to trade.
 *
 * @param history whether a history is loaded.
 */
export const loadDemoCatalogue = async (store: Store, history: boolean): Promise<void> => {
  const { pk } = keys.universe('');
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, Limit: 1 };
  const universes = await store.query(query, z.object({}));
  if (universes.length === 0) await loadCatalogue(store);
  const isDue = history && (await isDemoDue(store));
  await (isDue
    ? loadCandles(store, beforePaperRuns(STRATEGIES.map(({ strategy }) => strategy)))
    : loadCandles(store));
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
  const signIn = signInAt(past);
  if (!history) {
    await signIn(DEMO.email);
    return false;
  }
  const now = await beginAt(store);
  report('people and their strategies');
  const owned = await loadPeople(past, now, signIn, market);
  report('trades and backtests');
  await loadPaperRuns(past, owned, signIn);
  await loadBacktests(owned, signIn);
  if (market) {
    past.moveTo(Date.now());
    const person = await signIn(DEMO.email);
    if (person) await loadMarketDeployments(past, person);
  }
  return true;
};

/**
 * Shows the track records as of the last recorded candle, once workers have made them. The demo data is complete then.
 *
 * @returns whether to finish once more when everything is delivered.
 */
export const finishDemoData = async (past: Past): Promise<boolean> => {
  const { store } = past;
  const now = await beginAt(store);
  const signIn = signInAt(past);
  past.moveTo(Date.now());
  let isMoved = false;
  for (const email of new Set(STRATEGIES.map((one) => one.email))) {
    const names = STRATEGIES.filter((one) => one.email === email).map(({ strategy }) => strategy.name);
    const made = (await (await signIn(email))?.strategies('0')) ?? [];
    const own = made.filter(({ strategy_name }) => names.includes(strategy_name));
    const ids = own.map(({ strategy_id }) => strategy_id);
    if (await settleRecords(past, ids)) isMoved = true;
  }
  await store.transact([{ put: { ...STATE_KEY, entity: 'local_demo', now, complete: true } }]);
  return isMoved;
};
