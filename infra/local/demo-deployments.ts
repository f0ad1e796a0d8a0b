import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import {
  changedDeploymentWrite,
  deploymentList,
  findDeployments,
  type LiveDeployment,
} from '../../shared/data/deployments.ts';
import { findInstruments } from '../../shared/data/instruments.ts';
import { packLedger, unpackLedger } from '../../shared/data/live-ledger.ts';
import { readHead } from '../../shared/data/numbered-list.ts';
import type { Store } from '../../shared/data/store.ts';
import { openLedger } from '../../shared/domain/ledger-state.ts';
import type { DemoPerson } from './demo-person.ts';
import { DEMO_TRADING, type DemoEvent, demoHistory } from './demo-trades.ts';
import { credentialsOf, LOCAL, regionOf } from './environment.ts';

const DAY = 24 * 3_600_000;
const MAX_ENTRIES = 10;

/** Puts events of a deployment on the bus, as its engine would. */
const report = async (
  bus: EventBridgeClient,
  deploymentId: number,
  events: readonly DemoEvent[],
): Promise<void> => {
  for (let start = 0; start < events.length; start += MAX_ENTRIES) {
    const { FailedEntryCount } = await bus.send(
      new PutEventsCommand({
        Entries: events.slice(start, start + MAX_ENTRIES).map(({ type, detail }) => ({
          EventBusName: LOCAL.bus,
          Source: 'demo-engine',
          DetailType: type,
          Detail: JSON.stringify({ version: 1, deployment_id: deploymentId, ...detail }),
        })),
      }),
    );
    if (FailedEntryCount) throw new Error('the demo data could not be loaded: the bus refused an event');
  }
};

/** Lets a deployment that was just made have begun days ago, so that it can have a past. */
const backdate = async (store: Store, before: LiveDeployment, begun: number): Promise<void> => {
  const { starting_capital, symbols } = before;
  const { periods_per_year } = unpackLedger(before.ledger);
  const deployed_at = new Date(begun).toISOString();
  const ledger = packLedger(
    openLedger({ started_at: deployed_at, starting_capital, periods_per_year, symbols }),
  );
  await store.transact([changedDeploymentWrite(before, { ...before, deployed_at, ledger })]);
};

/**
 * Lets the demo user deploy strategies, and an engine report on them through the bus: trading with a past, on
 * paper and at a broker, notifications, a scanner. False where the user has deployed something before.
 *
 * @param connect gives the user an account at a broker, and answers with the broker's id where it can.
 */
export const loadDemoDeployments = async (
  store: Store,
  busUrl: string,
  person: DemoPerson,
  connect: () => Promise<number | undefined>,
): Promise<boolean> => {
  const now = Date.now();
  if ((await readHead(store, deploymentList('live', person.userId))).next > 0) return false;
  const bus = new EventBridgeClient({
    endpoint: busUrl,
    region: regionOf(process.env),
    credentials: credentialsOf(process.env),
  });
  try {
    const strategies = await person.strategies('0');
    const keygenOf = (name: string): string => {
      const found = strategies.find(({ strategy_name }) => strategy_name === name);
      if (!found) throw new Error(`the demo data names a strategy that nobody made: ${name}`);
      return found.keygen;
    };
    const at = new Date(now).toISOString();
    const notification = await person.deploy('notification_strategy', keygenOf('Gold Scalper'));
    await report(bus, notification, [
      { type: 'Deployment Started', detail: { occurred_at: at } },
      {
        type: 'Signal Raised',
        detail: {
          occurred_at: at,
          symbol: 'XAUUSD',
          side: 'buy',
          price: 2389.5,
          title: 'Buy gold',
          body: 'London and New York are both open, and gold is moving.',
        },
      },
    ]);
    const scanner = await person.deploy('scanner', keygenOf('My First Crossover'), {
      universe_id: 'forex-majors',
    });
    await report(bus, scanner, [
      { type: 'Deployment Started', detail: { occurred_at: at } },
      {
        type: 'Scanner Matched',
        detail: {
          occurred_at: at,
          matches: [
            { symbol: 'GBPUSD', price: 1.271 },
            { symbol: 'USDJPY', price: 151.3 },
          ],
        },
      },
    ]);
    for (const trading of DEMO_TRADING) {
      const { mode, strategy, starting_capital, days, symbol } = trading;
      const brokerId = mode === 'live' ? await connect() : undefined;
      if (mode === 'live' && brokerId === undefined) continue;
      const form = {
        mode,
        starting_capital,
        currency: 'USD',
        symbols: symbol,
        ...(brokerId !== undefined && { broker_id: String(brokerId) }),
      };
      const id = await person.deploy('live_strategy', keygenOf(strategy), {}, form);
      const [made] = await findDeployments(store, [id]);
      if (made?.kind !== 'live') throw new Error('the demo data could not be loaded: nothing was deployed');
      await backdate(store, made, now - days * DAY);
      const [instrument] = await findInstruments(store, [symbol]);
      await report(bus, id, demoHistory(trading, instrument, now));
    }
    return true;
  } finally {
    bus.destroy();
  }
};
