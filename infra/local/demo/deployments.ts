import { findInstruments } from '../../../shared/data/instruments/instruments.ts';
import type { Past } from './past.ts';
import type { DemoPerson, Made } from './person.ts';
import { begunAt, type DemoEvent, demoHistory } from './trades.ts';
import { DEMO_TRADING, type DemoTrading } from './trading-plans.ts';

/** Signs a demo person in at the time of the clock in the past; undefined if the password has changed. */
export type SignIn = (email: string) => Promise<DemoPerson | undefined>;

const HOUR = 3_600_000;

interface DeploymentEvent extends DemoEvent {
  readonly deployment_id: number;
}

const strategyOf = async (person: DemoPerson, name: string): Promise<Made> => {
  const found = (await person.strategies('0')).find(({ strategy_name }) => strategy_name === name);
  if (!found) throw new Error(`the demo data names an unknown strategy: ${name}`);
  return found;
};

/** Deploys a strategy to trade at the time at which its history begins. */
const deployTrading = async (
  trading: DemoTrading,
  person: DemoPerson,
  connect: () => Promise<number | undefined>,
): Promise<number | undefined> => {
  const { mode, strategy, starting_capital, symbol } = trading;
  const made = await strategyOf(person, strategy);
  const known = await person.deployed('trading', made);
  if (known !== undefined) return known;
  const brokerId = mode === 'live' ? await connect() : undefined;
  // A start that was cut short between the broker and the deployment leaves this one out.
  if (mode === 'live' && brokerId === undefined) return undefined;
  return person.deploy(
    'trading',
    made,
    {},
    {
      mode,
      starting_capital,
      currency: 'USD',
      symbols: symbol,
      ...(brokerId !== undefined && { broker_id: String(brokerId) }),
    },
  );
};

/** Deploys a strategy of the demo user as notifications and one as a scanner; tells what their engine reports. */
const deployWatching = async (person: DemoPerson, at: number): Promise<DeploymentEvent[]> => {
  const gold = await strategyOf(person, 'Gold Scalper');
  const notification =
    (await person.deployed('notification', gold)) ?? (await person.deploy('notification', gold));
  const crossover = await strategyOf(person, 'My First Crossover');
  const scanner =
    (await person.deployed('scanner', crossover)) ??
    (await person.deploy('scanner', crossover, { universe_id: 'forex-majors' }));
  return [
    { deployment_id: notification, type: 'Deployment Started', at: at + 1000, detail: {} },
    {
      deployment_id: notification,
      type: 'Signal Raised',
      at: at + 0.5 * HOUR,
      detail: {
        symbol: 'XAUUSD',
        side: 'buy',
        price: 2389.5,
        title: 'Buy gold',
        body: 'London and New York are both open, and gold is moving.',
      },
    },
    { deployment_id: scanner, type: 'Deployment Started', at: at + 1000, detail: {} },
    {
      deployment_id: scanner,
      type: 'Scanner Matched',
      at: at + 0.6 * HOUR,
      detail: {
        matches: [
          { symbol: 'GBPUSD', price: 1.271 },
          { symbol: 'USDJPY', price: 151.3 },
        ],
      },
    },
  ];
};

/**
 * Deploys strategies of demo people and lets an engine report on them, all at the times at which it is said to
 * have happened. Repeating it changes nothing.
 *
 * @param now the time at which the demo data ends, in epoch milliseconds.
 * @param connect gives the demo user an account at a broker, and answers with the broker's id where it can.
 */
export const loadDemoDeployments = async (
  past: Past,
  now: number,
  signIn: SignIn,
  demoUser: string,
  connect: () => Promise<number | undefined>,
): Promise<void> => {
  const events: DeploymentEvent[] = [];
  const oldestFirst = [...DEMO_TRADING].sort((left, right) => right.days - left.days);
  for (const trading of oldestFirst) {
    past.moveTo(begunAt(trading, now));
    const person = await signIn(trading.owner);
    const deployment_id = person && (await deployTrading(trading, person, connect));
    if (deployment_id === undefined) continue;
    const [instrument] = await findInstruments(past.store, [trading.symbol]);
    events.push(...demoHistory(trading, instrument, now).map((event) => ({ ...event, deployment_id })));
  }
  const at = now - 2 * HOUR;
  past.moveTo(at);
  const person = await signIn(demoUser);
  if (person) events.push(...(await deployWatching(person, at)));
  for (const event of events.sort((left, right) => left.at - right.at)) {
    past.moveTo(event.at);
    await past.report(event.deployment_id, event.type, event.detail);
  }
};
