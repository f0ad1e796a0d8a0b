import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { readCatalogue } from '../../infra/catalogue/load.ts';
import { openState } from '../../infra/local/database/state.ts';
import { type LocalServer, openServer } from '../../infra/local/gateway/server.ts';
import { busRulesOf } from '../../infra/local/lambda/triggers.ts';
import { type Bus, createBus } from '../../infra/local/services/bus.ts';
import { takeEvent } from '../../shared/lifecycle/reports/take-report.ts';
import { engineClient } from '../support/engine.ts';
import { startHub, type TestHub } from '../support/hub.ts';
import { furnishWithCatalogue } from '../support/strategies.ts';
import { enterAll } from '../support/trading.ts';
import { newOwner } from '../support/trading-events.ts';
import { tradingStateOf } from '../support/trading-state.ts';

let hub: TestHub;
let server: LocalServer;
let bus: Bus;
let client: EventBridgeClient;
const dead: [reason: string, detail: unknown][] = [];
const attempted: unknown[] = [];

beforeAll(async () => {
  hub = await startHub();
  await furnishWithCatalogue(hub);
  server = await openServer();
  // The rule of the service, with its function in this process.
  const rules = busRulesOf(FUNCTIONS, {
    invoke: async (_name, event) => {
      attempted.push(event);
      await takeEvent(hub.runtime, event);
    },
    rest: async () => undefined,
    close: async () => undefined,
  });
  bus = createBus({
    name: 'strategy-hub-local',
    hubPath: '/hub',
    rules: rules.filter(({ name }) => name === 'execution-events'),
    region: 'eu-west-1',
    state: openState(undefined),
    onDeadLetter: (_rule, { detail }, error) => dead.push([String(error), detail]),
    print: () => undefined,
    backoffMs: 1,
  });
  server.serve(bus.listener);
  client = new EventBridgeClient(engineClient(`http://127.0.0.1:${server.port}`));
});
afterAll(async () => {
  client.destroy();
  await bus.close();
  await server.close();
  await hub.close();
});

test('events that fit no live deployment become dead letters with the reason and block no others', async () => {
  const owner = await newOwner(hub, 2);
  const [id = 0, crowded = 0] = owner.deployments;
  const now = hub.runtime.clock().getTime();
  const common = { version: 1, deployment_id: id, occurred_at: new Date(now).toISOString() };
  const order = (client_order_id: string, more: Record<string, unknown> = {}) => ({
    ...common,
    client_order_id,
    sequence: 1,
    symbol: 'AAPL',
    side: 'buy',
    order_type: 'market',
    quantity: '2',
    status: 'filled',
    filled_quantity: '2',
    average_price: '100',
    fees: '0.5',
    ...more,
  });
  const quote = { ...common, symbol: 'AAPL', price: '101' };
  const swap = { ...common, symbol: 'AAPL', charge_id: 's', amount: '-1' };
  const later = (ms: number) => new Date(now + ms).toISOString();
  const [oneMore = '', ...symbols] = readCatalogue()
    .instruments.filter(({ quote_currency }) => quote_currency === 'USD')
    .map(({ symbol }) => symbol)
    .filter((symbol) => symbol !== 'AAPL' && symbol !== 'MSFT')
    .slice(0, 40 + 1);

  const events: [type: string, detail: object, reason?: RegExp][] = [
    ['Deployment Started', common],
    ['Order Updated', order('a')],
    ['Order Updated', { ...order('b'), side: 'hold' }, /detail\.side/],
    ['Order Updated', { ...order('b'), quantity: '-1' }, /quantity must be positive/],
    ['Order Updated', order('b', { average_price: null }), /average_price is required/],
    ['Order Updated', { ...order('b'), sequence: 1.5, fees: 'some' }, /detail\.sequence.*detail\.fees/],
    ['Order Updated', order('b', { deployment_id: 1 }), /no such deployment/],
    ['Order Updated', order('b', { occurred_at: later(360_000) }), /lies in the future/],
    ['Order Updated', order('b', { occurred_at: 'yesterday' }), /detail\.occurred_at/],
    ['Order Updated', order('a', { sequence: 2, symbol: 'MSFT' }), /must keep its symbol and side/],
    ['Order Updated', order('a', { sequence: 2, side: 'sell' }), /must keep its symbol and side/],
    ['Order Updated', { ...order('b'), version: 0 }, /detail\.version/],
    ['Quote Marked', { ...quote, price: 0 }, /a price of AAPL is always positive/],
    ['Quote Marked', { ...quote, deployment_id: 7 }, /no such deployment/],
    ['Quote Marked', { ...quote, occurred_at: later(360_000) }, /lies in the future/],
    ['Swap Charged', { ...swap, charge_id: '' }, /detail\.charge_id/],
    [
      'Signal Raised',
      { ...quote, price: 1, side: 'buy', title: 'a', body: 'b' },
      /for notification deployments/,
    ],
    ...symbols.map((symbol): [string, object] => [
      'Quote Marked',
      { ...quote, deployment_id: crowded, symbol },
    ]),
    // Quotes of symbols without a position are not stored.
    ['Order Updated', order('x', { deployment_id: crowded, symbol: oneMore })],
    ['Quote Marked', quote],
    ['Swap Charged', swap],
    // A little ahead is within the tolerance for clocks.
    ['Order Updated', order('c', { side: 'sell', average_price: '110', occurred_at: later(60_000) })],
  ];
  for (let at = 0; at < events.length; at += 10) {
    const Entries = events.slice(at, at + 10).map(([DetailType, detail]) => ({
      EventBusName: 'strategy-hub-local',
      Source: 'engine',
      DetailType,
      Detail: JSON.stringify(detail),
    }));
    expect(await client.send(new PutEventsCommand({ Entries }))).toMatchObject({ FailedEntryCount: 0 });
  }
  await bus.drain();

  const poison = events.filter(([, , reason]) => reason);
  expect(dead).toHaveLength(poison.length);
  for (const [, detail, reason] of poison) {
    expect(dead).toContainEqual([expect.stringMatching(reason ?? /$/), detail]);
  }
  for (const [reason] of dead) expect(reason).toMatch(/^MalformedEventError: /);
  // Retries would not help.
  expect(attempted).toHaveLength(events.length);

  while ((await enterAll(hub)) > 0);
  const { deployments, users } = await tradingStateOf(hub.runtime.store, [owner]);
  expect(deployments.map(({ book, charges }) => ({ book, charges }))).toEqual([
    { book: ['a', 'c'], charges: ['s'] },
    { book: ['x'], charges: [] },
  ]);
  expect(deployments[0]?.ledger.head).toMatchObject({ gross: '20', fees: '1', swap: '-1', fills: 2 });
  expect(Object.keys(deployments[1]?.ledger.quotes ?? {})).toEqual([]);
  expect(users[0]?.lists.virtual).toHaveLength(3);
});
