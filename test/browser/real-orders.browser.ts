import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type {
  GetBrokerStateOutput,
  GetDeploymentOutput,
  GetExecutionConnectionsOutput,
  GetParityOutput,
  InstrumentSuggestion,
  PreviewDeploymentOutput,
} from '../../infra/client/package/src/index.ts';
import { disconnect, visit } from './support/browser.ts';
import { look } from './support/look.ts';
import { demoPerson, type Person } from './support/people.ts';
import { detailPaths } from './support/screens.ts';
import { open, settled, signIn } from './support/session.ts';

afterAll(disconnect);

let demo: Person;
let paths: Awaited<ReturnType<typeof detailPaths>>;
beforeAll(async () => {
  demo = await demoPerson();
  paths = await detailPaths(demo);
});

const AT = new Date(0).toISOString();

/** Shows the deployments of the page as ones with real orders: the demo data has none, as it connects no broker. */
const withRealOrders = async (page: Page): Promise<void> => {
  await page.route(/\/get_deployment\?/, async (route) => {
    const response = await route.fetch();
    const body: GetDeploymentOutput = await response.json();
    const live = body.live && { ...body.live, mode: 'live' as const };
    await route.fulfill({ response, json: { ...body, live } });
  });
};

/** Shows the prices of instruments as ones that arrive: no feed of a real market runs here. */
const withLivePrices = async (page: Page): Promise<void> => {
  await page.route(/\/get_instrument_suggestions_v2/, async (route) => {
    const response = await route.fetch();
    const found: readonly InstrumentSuggestion[] = await response.json();
    const live = found.map((one) => ({
      ...one,
      candles: one.candles?.map((candles) => ({ ...candles, prices: 'live' as const })),
    }));
    await route.fulfill({ response, json: live });
  });
};

const order = (
  level: 'stop' | 'target',
  price: number,
): GetBrokerStateOutput['positions'][number]['orders'][number] => ({
  level,
  price,
  quantity: 10,
  filled_quantity: 0,
  status: 'open',
  time_in_force: 'gtc',
  broker_order_id: level,
  updated_at: AT,
});

const position = (id: number): GetBrokerStateOutput['positions'][number] => ({
  deployment_id: id,
  strategy_name: 'Morning Breakout',
  account_id: 'PA3TEST',
  symbol: 'AAPL',
  side: 'long',
  quantity: 10,
  average_price: 100,
  state: 'refused',
  text: 'The broker refuses the stop: no stop stands at your broker.',
  orders: [order('stop', 95), order('target', 110)],
  compared_at: new Date().toISOString(),
  differences: [{ kind: 'exits', since: AT, text: 'The orders do not protect the whole position.' }],
  actions: ['place_again', 'close', 'take_over'],
});

/** Answers a request without the service, and keeps what was asked. */
const answer = async (page: Page, path: RegExp, json: object, asked: URL[] = []): Promise<URL[]> => {
  await page.route(path, (route) => {
    asked.push(new URL(route.request().url()));
    return route.fulfill({ json });
  });
  return asked;
};

test('a deployment with real orders shows what stands at the broker, and its buttons act on that position', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, demo);
  await withRealOrders(page);
  const id = Number(paths.deployment.split('/').at(-1));
  const state: GetBrokerStateOutput = { as_of: AT, is_complete: true, positions: [position(id)] };
  const reads = await answer(page, /\/get_broker_state/, state);
  const placed = await answer(page, /\/place_protection/, { asked: true });
  const stopped = await answer(page, /\/stop_deployment/, {});
  await open(page, paths.deployment);
  const section = page.getByRole('region', { name: 'What stands at your broker' });
  await section.getByText('The broker refuses the stop').waitFor();
  const table = section.getByRole('table', { name: 'Orders that protect AAPL' });
  expect(await table.getByRole('row').allTextContents()).toEqual([
    expect.stringContaining('Order'),
    expect.stringMatching(/Stop.*95.*rests at the broker/),
    expect.stringMatching(/Target.*110.*rests at the broker/),
  ]);
  expect(await look(page, 'deployment-at-broker')).toEqual([]);
  const before = reads.length;
  await section.getByRole('button', { name: 'Place the exits again' }).click();
  await settled(page);
  expect(placed.map(({ searchParams }) => searchParams.get('symbol'))).toEqual(['AAPL']);
  expect(reads.length).toBeGreaterThan(before);
  await section.getByRole('button', { name: 'Close the position' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('closed at the market').waitFor();
  expect(stopped).toEqual([]);
  await dialog.getByRole('button', { name: 'Close and stop' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(stopped.map(({ searchParams }) => searchParams.get('flatten'))).toEqual(['true']);
  expect(watch.faults()).toEqual([]);
});

const FILL: NonNullable<GetParityOutput['attribution']>['fills'][number] = {
  kind: 'matched',
  symbol: 'AAPL',
  at: AT,
  decision: 'entry',
  side: 'buy',
  quantity: 10,
  client_order_id: 'AAPL:1:e0',
  price: 101,
  backtest_price: 100,
  delay_ms: 1500,
  reason: null,
  slippage: -10,
  fees: -1,
  delay: 0,
  missing: 0,
  extra: 0,
};

const PARITY: GetParityOutput = {
  deployment_id: 1,
  is_equal: false,
  is_complete: true,
  compared: { symbols: ['AAPL'], bars: 10, late_bars: 0, orders: 1, trades: 0, from: AT, to: AT },
  left_out: [],
  differences_count: 0,
  differences: [],
  attribution: {
    currency: 'USD',
    pnl: 39,
    backtest_pnl: 100,
    difference: -61,
    slippage: -10,
    fees: -1,
    delay: 0,
    missing: -50,
    extra: 0,
    fills_count: 2,
    fills: [
      FILL,
      {
        ...FILL,
        kind: 'missing',
        decision: 'exit',
        side: 'sell',
        price: null,
        delay_ms: null,
        reason: 'the account did not have the trade',
        slippage: 0,
        fees: 0,
        missing: -50,
      },
    ],
  },
};

test('the comparison with the backtest says where the difference of real orders comes from, fill by fill', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, demo);
  await withRealOrders(page);
  await answer(page, /\/get_parity/, PARITY);
  await open(page, `${paths.deployment}?view=safety`);
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByText(/Your account made \+\D*39\.00, its backtest \+\D*100\.00/).waitFor();
  const causes = page.getByRole('table', { name: 'Where the difference comes from' });
  expect(await causes.getByRole('row').allTextContents()).toEqual([
    expect.stringContaining('Cause'),
    expect.stringMatching(/^Slippage.*10\.00/),
    expect.stringMatching(/^Fees.*1\.00/),
    expect.stringMatching(/^Delay/),
    expect.stringMatching(/^Missing.*50\.00/),
    expect.stringMatching(/^Extra/),
    expect.stringMatching(/^Difference.*61\.00/),
  ]);
  const fills = page.getByRole('table', { name: 'Fill by fill' });
  expect(await fills.getByRole('row').nth(1).textContent()).toMatch(/Entry, buy.*1\.5 s/);
  expect(await fills.getByRole('row').nth(2).textContent()).toContain('the account did not have the trade');
  expect(await look(page, 'deployment-parity-real')).toEqual([]);
  expect(watch.faults()).toEqual([]);
});

const CONNECTIONS: GetExecutionConnectionsOutput = {
  connections: [
    {
      adapter: 'alpaca',
      environment: 'paper',
      account_id: 'PA3TEST',
      currency: 'USD',
      status: 'connected',
      connected_at: AT,
      status_at: AT,
    },
  ],
};

const PREVIEW: PreviewDeploymentOutput = {
  can_deploy: true,
  refusals: [],
  symbols: [
    {
      symbol: 'AAPL',
      exits: 'oco',
      rests: ['stop', 'target'],
      overnight: true,
      hours: 'session',
      band_pct: null,
      sentences: ['From the fill on stop and target rest at your broker until cancelled.'],
    },
  ],
  sentences: ['Exits of the rules are orders of the hub: they need it to run.'],
};

test('the deploying dialog says what will stand at the broker before its last button, which a refusal closes', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, demo);
  await answer(page, /\/get_execution_connections/, CONNECTIONS);
  await withLivePrices(page);
  const refused = { ...PREVIEW, can_deploy: false, refusals: ['Deployment 7 trades AAPL on this account.'] };
  const answers = [PREVIEW, refused];
  const asked: URL[] = [];
  await page.route(/\/preview_deployment/, (route) => {
    asked.push(new URL(route.request().url()));
    return route.fulfill({ json: answers[asked.length - 1] ?? refused });
  });
  await open(page, paths.strategy);
  await page.getByRole('button', { name: 'Deploy', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Real money/).check();
  await dialog.getByLabel('Account').selectOption('PA3TEST');
  await dialog.getByLabel('If the broker refuses a stop').selectOption('keep');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('From the fill on stop and target rest at your broker').waitFor();
  expect(asked.at(-1)?.searchParams.get('when_unprotected')).toBe('keep');
  expect(await look(page, 'dialog-deploy-protection')).toEqual([]);
  const last = dialog.getByRole('button', { name: 'Trade with real money' });
  expect(await last.isDisabled()).toBe(true);
  await dialog.getByLabel('I want it to trade with real money').check();
  expect(await last.isDisabled()).toBe(false);
  await dialog.getByRole('button', { name: 'Back' }).click();
  await dialog.getByLabel('If the broker refuses a stop').selectOption('close');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('Deployment 7 trades AAPL on this account.').waitFor();
  expect(await last.isDisabled()).toBe(true);
  expect(watch.faults()).toEqual([]);
});
