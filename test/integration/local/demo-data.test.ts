import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as z from 'zod';
import { loadCatalogue, readCatalogue } from '../../../infra/catalogue/load.ts';
import { loadDemoData } from '../../../infra/local/demo-data.ts';
import { DEMO_AUTHORS, DEMO_USER_STRATEGIES } from '../../../infra/local/demo-strategies.ts';
import { LOCAL } from '../../../infra/local/environment.ts';
import { type Hub, startHub } from '../../../infra/local/hub.ts';
import { Store } from '../../../shared/data/store.ts';
import { engineClient } from '../../support/engine.ts';

const TIMEOUT_MS = 60_000;
const PASSWORD = 'demo-password-1';

let dataDir: string;
let hub: Hub;
let client: DynamoDBClient;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hub-'));
  hub = await startHub({ dataDir, demoData: false, schedules: false, print: () => undefined });
  client = new DynamoDBClient(engineClient(hub.addresses.dynamodb));
}, TIMEOUT_MS);
afterAll(async () => {
  client.destroy();
  await hub.close();
  await rm(dataDir, { recursive: true });
});

const post = async (path: string, query: Record<string, string>, form?: Record<string, string>) => {
  const url = new URL(path, hub.url);
  url.search = new URLSearchParams(query).toString();
  const body = form && new URLSearchParams(form);
  const response = await fetch(url, { method: 'POST', ...(body && { body }) });
  expect([path, response.status]).toEqual([path, 200]);
  return response.json();
};

const get = async (path: string, query: Record<string, string>) => {
  const url = new URL(path, hub.url);
  url.search = new URLSearchParams(query).toString();
  return (await fetch(url)).json();
};

const userSchema = z.object({ user_id: z.string() });
const pageSchema = z.object({
  total: z.number(),
  items: z.array(z.object({ strategy_name: z.string(), like_count: z.number(), copy_count: z.number() })),
  counts: z.object({ own: z.number(), copied: z.number() }).optional(),
});

const strategies = [...DEMO_AUTHORS.flatMap((author) => author.strategies), ...DEMO_USER_STRATEGIES];
const symbols = new Set(strategies.flatMap(({ symbol }) => symbol.split(',')));

const load = () => {
  const { url: baseUrl, busUrl } = hub;
  return loadDemoData({ endpoint: hub.addresses.dynamodb, table: LOCAL.table, baseUrl, busUrl });
};

const tradingSchema = z.object({
  items: z.array(
    z.object({
      deployment_id: z.number(),
      strategy_id: z.number(),
      mode: z.enum(['live', 'virtual']),
      trades_count: z.number(),
      as_of: z.string().nullable(),
      deployed_at: z.string(),
    }),
  ),
});

/** Deployments whose engines have reported what they have to: their last quote is of today. */
const traded = async (user_id: string) => {
  for (;;) {
    const { items } = tradingSchema.parse(await get('/get_all_live_deployments_v2', { user_id }));
    const isOver = items.every(({ as_of }) => Date.parse(as_of ?? '') > Date.now() - 6 * 3_600_000);
    // The one that has ended is no more among those that run.
    if (items.length === 2 && isOver) return items;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};

const look = async () => {
  const demo = { username: 'demo@strategy-hub.example', password: PASSWORD };
  const { user_id } = userSchema.parse(await post('/login', {}, demo));
  const explore = pageSchema.parse(await get('/get_explore_strategies', { user_id }));
  const own = pageSchema.parse(await get('/get_strategies_by_user', { user_id }));
  const found = z
    .array(z.unknown())
    .parse(await post('/search_explore_strategies', { term: 'bitcoin momentum' }));
  return { explore, counts: own.counts, found: found.length };
};

it(
  'finishes what a start that was cut short has begun, and loads everything once',
  async () => {
    const catalogue = readCatalogue();
    const instruments = catalogue.instruments.filter(({ symbol }) => symbols.has(symbol));
    await loadCatalogue(new Store(client, LOCAL.table), { ...catalogue, instruments });
    const [mara] = DEMO_AUTHORS;
    const [begun] = mara?.strategies ?? [];
    if (!mara || !begun) throw new Error('there are no demo strategies');
    const person = { email: mara.email, password: PASSWORD, name: mara.name };
    const { user_id } = userSchema.parse(await post('/register_login', {}, person));
    const { name, symbol, timeframe } = begun;
    await post('/build_new_strategy', { user_id, strategy_name: name, symbol, timeframe });

    expect(await load()).toMatchObject({ hasNewHistory: true });
    const first = await look();
    const listed = strategies.filter(({ audience }) => audience === 'explore');
    expect(first.explore.items.map(({ strategy_name }) => strategy_name).sort()).toEqual(
      listed.map((strategy) => strategy.name).sort(),
    );
    expect(first.explore.items).toContainEqual(
      expect.objectContaining({ strategy_name: 'London Breakout', like_count: 3, copy_count: 1 }),
    );
    expect([first.counts, first.found]).toEqual([{ own: 3, copied: 1 }, 1]);

    expect(await load()).toMatchObject({ hasNewHistory: false });
    expect(await look()).toEqual(first);
    const demo = { username: 'demo@strategy-hub.example', password: PASSWORD };
    const { user_id: trader } = userSchema.parse(await post('/login', {}, demo));
    const trading = await traded(trader);
    const running = trading.find(({ mode }) => mode === 'virtual');
    expect(running?.trades_count).toBeGreaterThan(5);
    expect(Date.parse(running?.deployed_at ?? '')).toBeLessThan(Date.now() - 59 * 24 * 3_600_000);
    // Every operation that reads has something to show.
    const { deployment_id, strategy_id } = running ?? {};
    const ids = { strategy_id: String(strategy_id), deployment_id: String(deployment_id) };
    const open = { unrealized_pnl: expect.any(Number), last_price: expect.any(Number) };
    const held = z.looseObject({ positions: z.array(z.unknown()) });
    const now = held.parse(await get('/check_trades_position', { user_id: trader }));
    expect(now.positions).toHaveLength(2);
    for (const symbol of ['EURUSD', 'XAUUSD']) {
      expect(now.positions).toContainEqual(expect.objectContaining({ symbol, ...open }));
    }
    for (const mode of ['live', 'virtual']) {
      const book = await get('/get_global_order_book', { user_id: trader, mode });
      expect(z.looseObject({ total: z.number() }).parse(book).total).toBeGreaterThan(10);
    }
    const swap = z.looseObject({ positions: z.array(z.object({ total_swap: z.number() })) });
    const { positions } = swap.parse(await get('/get_swap_values', { user_id: trader, ...ids }));
    expect(positions).toHaveLength(1);
    expect(positions[0]?.total_swap).not.toBe(0);
  },
  TIMEOUT_MS,
);
