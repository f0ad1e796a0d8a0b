import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import * as z from 'zod';
import { makeScratchFolder } from '../../../infra/local/database/dynamo.ts';
import { DEMO_BACKTESTS, DEMO_RULES } from '../../../infra/local/demo/rules.ts';
import { DEMO_AUTHORS, DEMO_USER_STRATEGIES } from '../../../infra/local/demo/strategies.ts';
import { demoHistory } from '../../../infra/local/demo/trades.ts';
import { DEMO_TRADING } from '../../../infra/local/demo/trading-plans.ts';
import { inSoak } from '../../support/soak.ts';
import { familyOf, residentMb, type Service, startService, startServiceUntil } from './service.ts';

const TIMEOUT_MS = 180_000;
const DAY = 24 * 3_600_000;

let dataDir: string;
let service: Service;
let megabytes: number;

beforeAll(async () => {
  dataDir = await makeScratchFolder();
  // Interrupts the first start in the middle of the trades. The next one waits a minute for what was being delivered.
  const cut = await startServiceUntil('three months of trades', { HUB_DATA_DIR: dataDir }, '--no-market');
  await wait(1500);
  cut.process.kill('SIGKILL');
  await cut.exited;
  service = await startService({ HUB_DATA_DIR: dataDir }, '--no-market');
  megabytes = residentMb(familyOf(service));
}, TIMEOUT_MS);
afterAll(async () => {
  service.process.kill('SIGKILL');
  await service.exited;
  await rm(dataDir, { recursive: true });
});

const post = async (path: string, query: Record<string, string>, form?: Record<string, string>) => {
  const url = new URL(path, service.url);
  url.search = new URLSearchParams(query).toString();
  const body = form && new URLSearchParams(form);
  const response = await fetch(url, { method: 'POST', ...(body && { body }) });
  expect([path, response.status]).toEqual([path, 200]);
  return response.json();
};

const get = async (path: string, query: Record<string, string>): Promise<unknown> => {
  const url = new URL(path, service.url);
  url.search = new URLSearchParams(query).toString();
  return (await fetch(url)).json();
};

const userSchema = z.object({ user_id: z.string() });
const signIn = async (email = 'demo@strategy-hub.example'): Promise<string> =>
  userSchema.parse(await post('/login', {}, { username: email, password: 'demo-password-1' })).user_id;

const exploreSchema = z.object({
  total: z.number(),
  items: z.array(
    z.object({
      strategy_id: z.number(),
      strategy_name: z.string(),
      like_count: z.number(),
      copy_count: z.number(),
      published_at: z.string(),
      author: z.object({ name: z.string() }),
      performance: z.object({ trades_count: z.number(), total_return_pct: z.number().nullable() }),
    }),
  ),
});

const deploymentSchema = z.object({
  deployment_id: z.number(),
  strategy_id: z.number(),
  strategy_name: z.string(),
  mode: z.enum(['live', 'virtual']),
  trades_count: z.number(),
  deployed_at: z.string(),
});
const tradingSchema = z.object({ items: z.array(deploymentSchema) });
const orderSchema = z.object({
  client_order_id: z.string(),
  symbol: z.string(),
  filled_at: z.string().nullable(),
});
const bookSchema = z.object({ total: z.number(), items: z.array(orderSchema) });

const trading = async (user_id: string) => [
  ...tradingSchema.parse(await get('/get_all_live_deployments_v2', { user_id })).items,
  ...tradingSchema.parse(await get('/get_live_expired_strategies_v2', { user_id })).items,
];

const ordersOf = async (user_id: string, deployment_id: number) => {
  const query = { user_id, deployment_id: String(deployment_id), size: '100' };
  const { total, items } = bookSchema.parse(await get('/get_live_strategy_order_book', query));
  expect(items).toHaveLength(total);
  return items;
};

describe('demo data', () => {
  inSoak('leaves the service with at most 350 MB in all of its processes when it is ready', () => {
    expect(megabytes).toBeLessThan(350);
  });

  inSoak('has every strategy of its users once, with likes and copies', async () => {
    const user_id = await signIn();
    const { items } = exploreSchema.parse(await get('/get_explore_strategies', { user_id }));
    const all = [...DEMO_AUTHORS.flatMap(({ strategies }) => strategies), ...DEMO_USER_STRATEGIES];
    const listed = all.filter(({ audience }) => audience === 'explore').map(({ name }) => name);
    expect(items.map(({ strategy_name }) => strategy_name).sort()).toEqual(listed.sort());
    expect(items).toContainEqual(
      expect.objectContaining({ strategy_name: 'London Breakout', like_count: 3, copy_count: 1 }),
    );
    const own = z.object({ counts: z.object({ own: z.number(), copied: z.number() }) });
    const { counts } = own.parse(await get('/get_strategies_by_user', { user_id }));
    expect(counts).toEqual({ own: DEMO_USER_STRATEGIES.length, copied: 1 });
  });

  inSoak('shows explore newest first, with the performance of several authors', async () => {
    const user_id = await signIn();
    const { items } = exploreSchema.parse(await get('/get_explore_strategies', { user_id }));
    const published = items.map(({ published_at }) => published_at);
    expect(published).toEqual([...published].sort().reverse());
    const performing = items.filter(({ performance }) => performance.trades_count > 5);
    expect(new Set(performing.map(({ author }) => author.name)).size).toBe(3);
    for (const { performance } of performing) expect(performance.total_return_pct).not.toBeNull();
  });

  inSoak('finishes each order once, also if its first start was interrupted', async () => {
    const owners = [...new Set(DEMO_TRADING.map(({ owner }) => owner))];
    for (const owner of owners) {
      const user_id = await signIn(owner);
      for (const { deployment_id, strategy_name, deployed_at } of await trading(user_id)) {
        const plan = DEMO_TRADING.find((one) => one.owner === owner && one.strategy === strategy_name);
        if (!plan) throw new Error(`${strategy_name} is not planned`);
        const now = Date.parse(deployed_at) + plan.days * DAY;
        const planned = demoHistory(plan, undefined, now).filter(({ type }) => type === 'Order Updated');
        const ids = new Set(planned.map(({ detail }) => detail.client_order_id));
        const orders = await ordersOf(user_id, deployment_id);
        // Depending on the time of day, the last day may be missing.
        expect(Math.abs(orders.length - ids.size)).toBeLessThanOrEqual(2);
        expect(new Set(orders.map(({ client_order_id }) => client_order_id)).size).toBe(orders.length);
      }
    }
  });

  inSoak('trades on trading days, with strategies older than their deployments', async () => {
    for (const owner of new Set(DEMO_TRADING.map((one) => one.owner))) {
      const user_id = await signIn(owner);
      const strategies = z
        .object({ items: z.array(z.object({ strategy_id: z.number(), created_at: z.string() })) })
        .parse(await get('/get_strategies_by_user', { user_id }));
      for (const { deployment_id, strategy_id, deployed_at } of await trading(user_id)) {
        const strategy = strategies.items.find((one) => one.strategy_id === strategy_id);
        expect(Date.parse(deployed_at) - Date.parse(strategy?.created_at ?? '')).toBeGreaterThan(7 * DAY);
        for (const { symbol, filled_at } of await ordersOf(user_id, deployment_id)) {
          if (filled_at === null || symbol === 'BTCUSD') continue;
          expect([0, 6]).not.toContain(new Date(filled_at).getUTCDay());
          expect(filled_at > deployed_at).toBe(true);
        }
      }
    }
  });

  inSoak('is complete when the service is ready: every reading operation has data to show', async () => {
    const user_id = await signIn();
    const deployments = await trading(user_id);
    expect(deployments.map(({ mode }) => mode).sort()).toEqual(['live', 'virtual', 'virtual']);
    for (const { trades_count } of deployments) expect(trades_count).toBeGreaterThan(3);
    const held = z.object({ positions: z.array(z.looseObject({ symbol: z.string() })) });
    const { positions } = held.parse(await get('/check_trades_position', { user_id }));
    expect(positions.map(({ symbol }) => symbol).sort()).toEqual(['EURUSD', 'XAUUSD']);
    const open = { unrealized_pnl: expect.any(Number), last_price: expect.any(Number) };
    for (const position of positions) expect(position).toMatchObject(open);
    for (const mode of ['live', 'virtual']) {
      const { total } = bookSchema.parse(await get('/get_global_order_book', { user_id, mode }));
      expect(total).toBeGreaterThan(5);
    }
    const euro = deployments.find(({ strategy_name }) => strategy_name === 'My First Crossover');
    const ids = { strategy_id: String(euro?.strategy_id), deployment_id: String(euro?.deployment_id) };
    const swap = z.object({ positions: z.array(z.object({ total_swap: z.number() })) });
    const charged = swap.parse(await get('/get_swap_values', { user_id, ...ids })).positions;
    expect(charged).toHaveLength(1);
    expect(charged[0]?.total_swap).not.toBe(0);
    const watching = z.object({ total: z.number() });
    expect(watching.parse(await get('/get_all_notification_deployments', { user_id })).total).toBe(1);
    expect(watching.parse(await post('/get_scanner_deployments', { user_id })).total).toBe(1);
  });
});

describe('rules of the demo data', () => {
  const ruled = Object.keys(DEMO_RULES);

  inSoak('are those of strategies that exist, and show as sentences', async () => {
    const user_id = await signIn();
    const sentence = z.object({ strategy_name: z.string(), sentence: z.string().nullable() });
    const { items: own } = z
      .object({ items: z.array(z.object({ strategy_id: z.number(), strategy_name: z.string() })) })
      .parse(await get('/get_strategies_by_user', { user_id }));
    const { items: listed } = z
      .object({ items: z.array(sentence) })
      .parse(await get('/get_explore_strategies', { user_id }));
    const shown = listed.filter((one) => one.sentence !== null).map(({ strategy_name }) => strategy_name);
    for (const { strategy_id, strategy_name } of own) {
      const strategy = sentence.parse(
        await get('/get_strategy', { user_id, strategy_id: String(strategy_id) }),
      );
      if (strategy.sentence !== null) shown.push(strategy_name);
    }
    expect(shown.sort()).toEqual(ruled.sort());
  });

  inSoak('have finished backtests, each once, over the shipped candles', async () => {
    const user_id = await signIn();
    const summary = z.object({ trades_count: z.number(), final_equity: z.number() });
    const { items } = z
      .object({ items: z.array(z.object({ backtest_id: z.number(), status: z.string(), summary })) })
      .parse(await get('/get_backtests', { user_id }));
    expect(items.map(({ status }) => status)).toEqual(DEMO_BACKTESTS.map(() => 'done'));
    for (const {
      backtest_id,
      summary: { trades_count },
    } of items) {
      expect(trades_count).toBeGreaterThan(5);
      const query = { user_id, backtest_id: String(backtest_id) };
      const { total } = bookSchema.pick({ total: true }).parse(await get('/get_backtest_trades', query));
      expect(total).toBe(trades_count);
    }
  });
});
