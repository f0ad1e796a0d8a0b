import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { errors, type Page } from 'playwright-core';
import { disconnect, type Visit, visit } from './support/browser.ts';
import { drawn } from './support/drawn.ts';
import { hold } from './support/hold.ts';
import { demoPerson, newPerson } from './support/people.ts';
import { DETAILS, detailPaths, LISTS } from './support/screens.ts';
import { open, settled, signIn } from './support/session.ts';

afterAll(disconnect);

let details: Awaited<ReturnType<typeof detailPaths>>;
let deployment: string;
let strategyId: string | undefined;
let visitor: Visit;
beforeAll(async () => {
  const demo = await demoPerson();
  details = await detailPaths(demo);
  deployment = details.deployment;
  strategyId = details.strategy.split('/').at(-1);
  visitor = await visit();
  await signIn(visitor.page, demo);
});
afterAll(async () => visitor[Symbol.asyncDispose]());

/** Screens that load nothing but the user. */
const FORMS = new Set<string>(['/build', '/consent', '/email', '/settings', '/backtests/new', '/sweeps/new']);

/** Requests that are not for the page and its parts. */
const API = /^https?:\/\/[^/]+\/(?!console)/;

/** Asks a screen for all that failed, until nothing of it fails. */
const tryAgain = async (page: Page): Promise<void> => {
  const again = page.getByRole('button', { name: 'Try again' });
  while ((await again.count()) > 0) {
    // A button may go before the click: an interval or a change lets the page read again by itself.
    await again
      .first()
      .click({ timeout: 5_000 })
      .catch((error: unknown) => {
        if (!(error instanceof errors.TimeoutError)) throw error;
      });
    await settled(page);
  }
};

/** Opens a screen while all requests fail, and lets it try again when they work. */
const fail = async (path: string): Promise<void> => {
  const page = await visitor.context.newPage();
  try {
    await page.route(API, (route) => {
      const isSession = new URL(route.request().url()).pathname.startsWith('/verify_user');
      return isSession
        ? route.continue()
        : route.fulfill({ status: 500, json: { detail: 'Internal error', request_id: 'r-1' } });
    });
    await open(page, path);
    const problem = page.getByRole('alert').first();
    await problem.waitFor();
    const said = await problem.innerText();
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
    await page.unroute(API);
    await tryAgain(page);
    expect(await page.getByRole('alert').allInnerTexts()).not.toContain(said);
  } finally {
    await page.close();
  }
};

describe('a screen whose requests fail says so, and recovers when asked to', () => {
  test.each(LISTS.filter((path) => !FORMS.has(path)))('%s', async (path) => {
    await fail(path);
  });
  test.each(DETAILS.map(({ name }) => name))('%s', async (name) => {
    await fail(details[name]);
  });
});

test('without its limits, a deployment gives no reason for not trading', async () => {
  const { page, watch } = visitor;
  watch.expect(/^500: GET \/get_risk_limits/);
  const why = `${deployment}?view=why`;
  await page.route(/\/get_risk_limits/, (route) =>
    route.fulfill({ status: 500, json: { detail: 'Internal error', request_id: 'r-2' } }),
  );
  await open(page, why);
  await page.getByRole('alert').filter({ hasText: 'r-2' }).waitFor();
  expect(await page.getByText('Last decisions').count()).toBe(0);
  await page.unroute(/\/get_risk_limits/);
  await tryAgain(page);
  await page.getByText('Last decisions').waitFor();
});

test('a deployment whose limits do not allow its symbol says so, and lists the limit', async () => {
  const { page } = visitor;
  await page.route(/\/get_risk_limits/, async (route) => {
    const limits = await (await route.fetch()).json();
    await route.fulfill({
      json: { ...limits, usage: [], merged: { ...limits.merged, symbols: ['OTHER'], hours: [] } },
    });
  });
  await page.route(/\/get_deployment_engine/, async (route) => {
    const engine = await (await route.fetch()).json();
    const [symbol] = engine.symbols;
    const quiet = { ...symbol, error: null, failing_since: null, orders: [], trades: [] };
    await route.fulfill({ json: { ...engine, symbols: [quiet] } });
  });
  await open(page, `${deployment}?view=safety`);
  await page.getByText('Entries only in: OTHER.').waitFor();
  expect(await page.getByText('No risk limit watches this deployment').count()).toBe(0);
  await open(page, `${deployment}?view=why`);
  await page.getByText('Last decisions').waitFor();
  await page.getByText(/^Its risk limits allow entries only in OTHER, so it does not trade /).waitFor();
  await page.unroute(/\/get_deployment_engine/);
  await page.unroute(/\/get_risk_limits/);
});

test('a page behind the last one leads to the last one', async () => {
  const { page } = visitor;
  await open(page, '/notifications?page=900');
  await page.getByText(/^Page (\d+) of \1$/).waitFor();
  await open(page, '/strategies?page=900');
  await page.getByRole('heading', { name: 'My First Crossover' }).waitFor();
  expect(new URL(page.url()).hash).toBe('#/strategies');
});

test('a refused test leads to its first wrong field', async () => {
  const { page } = visitor;
  await open(page, `/backtests/new?strategy=${strategyId}`);
  const fast = page.getByLabel('fast', { exact: true });
  await fast.fill('1,000');
  await page.locator('form button[type="submit"]').press('Enter');
  await page.locator('[aria-invalid="true"]:focus').waitFor();
});

test('a search further back that finds no order leads back to the newest', async () => {
  const { page } = visitor;
  const none = { items: [], total: 0, page: 1, size: 25, pages: 0, is_complete: false };
  await page.route(/\/get_live_strategy_order_book/, (route) => {
    const isFurther = new URL(route.request().url()).searchParams.has('cursor');
    return route.fulfill({ json: { ...none, ...(!isFurther && { next_cursor: 7 }) } });
  });
  await open(page, `${deployment}?view=orders`);
  await page.getByRole('button', { name: 'Look further back' }).click();
  await page.getByText('There are none further back.').waitFor();
  await page.getByRole('button', { name: 'Back to the newest' }).click();
  await page.getByRole('button', { name: 'Look further back' }).waitFor();
  await page.unroute(/\/get_live_strategy_order_book/);
});

test('a problem and the focus on its button stay until another try succeeds', async () => {
  const { page, watch } = visitor;
  watch.expect(/^500: GET \/get_kill_switch/);
  const failing = /\/get_kill_switch/;
  await page.route(failing, (route) =>
    route.fulfill({ status: 500, json: { detail: 'Internal error', request_id: 'r-3' } }),
  );
  await open(page, '/risk');
  const problem = page.getByRole('alert').filter({ hasText: 'r-3' });
  await problem.waitFor();
  await page.unroute(failing);
  const held = await hold(page, failing);
  const again = problem.getByRole('button', { name: 'Try again' });
  await again.focus();
  const asked = page.waitForRequest(failing);
  await again.press('Enter');
  await asked;
  await drawn(page);
  expect(await again.evaluate((element) => element === document.activeElement)).toBe(true);
  await held.letGo();
  await page.getByText('Armed: orders can leave').waitFor();
  expect(await problem.count()).toBe(0);
});

test('a screen whose code cannot be loaded without a connection says so, and can be loaded when there is one', async () => {
  await using other = await visit();
  const { page, context, watch } = other;
  await signIn(page, await newPerson());
  watch.expect(/ERR_INTERNET_DISCONNECTED/);
  watch.expect(/Failed to fetch dynamically imported module/);
  await context.setOffline(true);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Backtests' }).click();
  await page.getByRole('heading', { level: 1, name: 'No connection' }).waitFor();
  expect(await page.getByRole('button', { name: 'Reload' }).count()).toBe(0);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('There are no backtests here yet.').waitFor();
  expect(watch.faults()).toEqual([]);
});

test('a screen without a connection says so, and recovers', async () => {
  const { page, context, watch } = visitor;
  await open(page, '/explore');
  watch.expect(/ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await page.getByLabel('Search').fill('channel');
  await page.getByRole('alert').first().waitFor();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.getByText('Bitcoin Channel Breakout').first().waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});
