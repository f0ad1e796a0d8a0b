import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import * as z from 'zod';
import { makeScratchFolder } from '../../../infra/local/database/dynamo.ts';
import { DEMO_BACKTESTS } from '../../../infra/local/demo/backtests.ts';
import { DEMO_AUTHORS, DEMO_USER_STRATEGIES, isOfMarket } from '../../../infra/local/demo/strategies.ts';
import { inSoak } from '../../support/soak.ts';
import { familyOf, residentMb, type Service, startService, startServiceUntil } from './service.ts';

const DAY = 24 * 3_600_000;

let dataDir: string;
let service: Service;
let megabytes: number;

beforeAll(async () => {
  dataDir = await makeScratchFolder();
  // Interrupts the first start in the middle of the trades. The next one waits a minute for what was being delivered.
  const environment = { HUB_DATA_DIR: dataDir, HUB_DEMO_HISTORY: 'new' };
  const cut = await startServiceUntil('Demo data: trades', environment, '--no-market');
  await wait(500);
  cut.process.kill('SIGKILL');
  await cut.exited;
  service = await startService(environment, '--no-market');
  megabytes = residentMb(familyOf(service));
});
afterAll(async () => {
  service.process.kill('SIGKILL');
  await service.exited;
  await rm(dataDir, { recursive: true });
});

const post = async (path: string, form: Record<string, string>): Promise<unknown> => {
  const response = await fetch(new URL(path, service.url), {
    method: 'POST',
    body: new URLSearchParams(form),
  });
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
  userSchema.parse(await post('/login', { username: email, password: 'demo-password-1' })).user_id;

const exploreSchema = z.object({
  items: z.array(
    z.object({
      strategy_name: z.string(),
      like_count: z.number(),
      copy_count: z.number(),
      published_at: z.string(),
    }),
  ),
});
const deploymentsSchema = z.object({
  items: z.array(
    z.object({
      deployment_id: z.number(),
      strategy_id: z.number(),
      strategy_name: z.string(),
      status: z.string(),
      trades_count: z.number(),
      deployed_at: z.string(),
    }),
  ),
});
const orderSchema = z.object({
  client_order_id: z.string(),
  status: z.string(),
  filled_at: z.string().nullable(),
});
const bookSchema = z.object({ total: z.number(), items: z.array(orderSchema) });

const exploreOf = async (user_id: string) =>
  exploreSchema.parse(await get('/get_explore_strategies', { user_id })).items;

const OWNERS = [
  ...DEMO_AUTHORS,
  { email: 'demo@strategy-hub.example', strategies: DEMO_USER_STRATEGIES },
] as const;

describe('demo data', () => {
  inSoak('leaves the service with at most 350 MB in all of its processes when it is ready', () => {
    expect(megabytes).toBeLessThan(350);
  });

  inSoak('has every strategy of its users once, with likes and copies', async () => {
    const user_id = await signIn();
    const items = await exploreOf(user_id);
    const listed = OWNERS.flatMap(({ strategies }) => strategies)
      .filter((one) => one.audience === 'explore' && !isOfMarket(one))
      .map(({ name }) => name);
    expect(items.map(({ strategy_name }) => strategy_name).sort()).toEqual(listed.sort());
    expect(items).toContainEqual(
      expect.objectContaining({ strategy_name: 'S&P 500 Pullback', like_count: 3, copy_count: 1 }),
    );
    const own = z.object({ counts: z.object({ own: z.number(), copied: z.number() }) });
    const { counts } = own.parse(await get('/get_strategies_by_user', { user_id }));
    expect(counts).toEqual({ own: DEMO_USER_STRATEGIES.length, copied: 1 });
  });

  inSoak(
    'has a track record of recorded candles for each strategy on them, and ranks the records',
    async () => {
      const user_id = await signIn();
      const performance = z.object({
        source: z.string(),
        status: z.string(),
        as_of: z.string(),
        sample_sufficient: z.boolean(),
        cagr_pct: z.number(),
        trades_count: z.number(),
        unranked: z.string().nullable(),
        backtest: z.object({ status: z.string(), figures: z.object({ trades_count: z.number() }) }),
      });
      const listed = z.object({
        items: z.array(z.object({ strategy_name: z.string(), published_at: z.string(), performance })),
      });
      const { items } = listed.parse(await get('/get_explore_strategies', { user_id }));
      for (const { published_at, performance: shown } of items) {
        expect(shown).toMatchObject({
          source: 'record',
          status: 'running',
          sample_sufficient: true,
          backtest: { status: 'done' },
        });
        expect(Date.parse(shown.as_of) - Date.parse(published_at)).toBeGreaterThan(365 * DAY);
        expect(shown.trades_count).toBeGreaterThan(0);
      }
      const ranked = listed.parse(await get('/get_explore_strategies', { user_id, sort: 'return' }));
      const names = ({ items: all }: z.output<typeof listed>) =>
        all.flatMap((one) => (one.performance.unranked === null ? [one.strategy_name] : [])).sort();
      expect(names(ranked)).toEqual(names({ items }));
      expect(ranked.items.length).toBeGreaterThan(5);
    },
  );

  inSoak('shows explore newest first', async () => {
    const published = (await exploreOf(await signIn())).map(({ published_at }) => published_at);
    expect(published).toEqual([...published].sort().reverse());
  });

  inSoak(
    'has each run on paper once, ended, with each order done, also after an interrupted start',
    async () => {
      for (const { email, strategies } of OWNERS) {
        const user_id = await signIn(email);
        const running = deploymentsSchema.parse(await get('/get_all_live_deployments_v2', { user_id }));
        expect(running.items).toEqual([]);
        const { items } = deploymentsSchema.parse(await get('/get_live_expired_strategies_v2', { user_id }));
        const planned = strategies.filter(({ paper }) => paper).map(({ name }) => name);
        expect(items.map(({ strategy_name }) => strategy_name).sort()).toEqual(planned.sort());
        for (const { deployment_id, strategy_name, trades_count } of items) {
          const query = { user_id, deployment_id: String(deployment_id), size: '100' };
          const { total, items: orders } = bookSchema.parse(
            await get('/get_live_strategy_order_book', query),
          );
          expect(orders).toHaveLength(total);
          expect(new Set(orders.map(({ client_order_id }) => client_order_id)).size).toBe(total);
          const from = strategies.find(({ name }) => name === strategy_name)?.paper?.from ?? '';
          const filled = orders.filter(({ status }) => status === 'filled');
          expect(filled).toHaveLength(2 * trades_count);
          for (const { filled_at } of filled) expect((filled_at ?? '') > from).toBe(true);
        }
      }
    },
  );

  inSoak('has strategies older than their deployments', async () => {
    for (const { email } of OWNERS) {
      const user_id = await signIn(email);
      const strategies = z
        .object({ items: z.array(z.object({ strategy_id: z.number(), created_at: z.string() })) })
        .parse(await get('/get_strategies_by_user', { user_id }));
      const { items } = deploymentsSchema.parse(await get('/get_live_expired_strategies_v2', { user_id }));
      for (const { strategy_id, deployed_at } of items) {
        const strategy = strategies.items.find((one) => one.strategy_id === strategy_id);
        expect(Date.parse(deployed_at) - Date.parse(strategy?.created_at ?? '')).toBeGreaterThan(DAY);
      }
    }
  });

  inSoak('has all recorded candles, also those that were traded', async () => {
    const user_id = await signIn();
    const summary = z.object({ trades_count: z.number(), final_equity: z.number() });
    const { items } = z
      .object({ items: z.array(z.object({ backtest_id: z.number(), status: z.string(), summary })) })
      .parse(await get('/get_backtests', { user_id }));
    expect(items.map(({ status }) => status)).toEqual(DEMO_BACKTESTS.map(() => 'done'));
    for (const { backtest_id, summary: made } of items) {
      expect(made.trades_count).toBeGreaterThan(5);
      const query = { user_id, backtest_id: String(backtest_id) };
      const { total } = bookSchema.pick({ total: true }).parse(await get('/get_backtest_trades', query));
      expect(total).toBe(made.trades_count);
    }
  });
});
