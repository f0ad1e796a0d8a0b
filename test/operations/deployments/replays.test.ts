import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { runReplay } from '../../../infra/local/replays/run-replay.ts';
import { changeHead } from '../../../shared/data/candles/change-head.ts';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import { findSeries } from '../../../shared/data/candles/series.ts';
import { listReplays } from '../../../shared/data/deployments/replays.ts';
import { columnsOf } from '../../../shared/domain/candles/bars.ts';
import { DAILY, sessionBars } from '../../support/candles.ts';
import { type Response, startHub, type TestHub } from '../../support/hub.ts';
import { feed } from '../../support/hub-deployments.ts';
import { endEngine, startEngine, type Worker, worker } from '../../support/hub-engine.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, undeployTrading } from '../../support/trading.ts';

const BARS = sessionBars('2015-01-05', 60);
const startAt = (index: number): string => new Date(BARS.start[index] ?? 0).toISOString();

let hub: TestHub;
let on: Worker;
beforeAll(async () => {
  hub = await startHub();
  on = worker(hub);
  await furnishWithInstruments(hub, ['SPY', 'AAPL', 'MSFT']);
  await importBars(hub.runtime.store, DAILY, BARS);
});
afterAll(() => hub.close());

const detailOf = z.object({
  Entries: z.array(
    z.object({ DetailType: z.string(), Detail: z.string().transform((text) => JSON.parse(text)) }),
  ),
});
const eventOf = z.object({
  symbol: z.string(),
  bars: z.array(z.looseObject({ start: z.string() })),
});
const barOf = z.object({
  start: z.number(),
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number(),
});

/** Returns a bus whose bars the engine takes. */
const busTo = (engine: Worker, onBars: () => void = () => undefined) => ({
  send: async (command: { readonly input: object }) => {
    for (const { DetailType: type, Detail: detail } of detailOf.parse(command.input).Entries) {
      if (type !== 'Bars Closed') continue;
      const { symbol, bars } = eventOf.parse(detail);
      const columns = columnsOf(bars.map((bar) => barOf.parse({ ...bar, start: Date.parse(bar.start) })));
      await feed(hub, columns, [engine], { ...DAILY, symbol, source: 'replay' });
      onBars();
    }
    return { FailedEntryCount: 0, $metadata: {} };
  },
});

const replayed = async (form: Readonly<Record<string, string>> = {}) => {
  const owner = await ruleTrader(hub);
  const { status, body } = await deployTrading(hub, owner.keygen, {
    replay_from: startAt(20),
    replay_speed: '6000',
    ...form,
  });
  return { ...owner, status, body, id: Number(body.deployment_id) };
};

const stateOf = async (user_id: string, id: number): Promise<Response['body']> =>
  (await hub.call('GET /get_deployment', { query: { user_id, deployment_id: String(id) } })).body;

const run = (id: number, client = busTo(on), signal = new AbortController().signal): Promise<void> =>
  runReplay({ runtime: hub.runtime, client, bus: 'bus', signal }, id);

describe('a replay', () => {
  test('trades on recorded candles under a symbol of its own, and ends with them', async () => {
    const { user_id, strategy_id, id, body } = await replayed();
    expect(body.symbol).toMatch(/^SPY\.REPLAY-[0-9A-Z]+$/);
    await startEngine(on, id);
    expect(await stateOf(user_id, id)).toMatchObject({
      status: 'active',
      is_demo: true,
      replay: { symbol: 'SPY', timeframe: '1d', from: startAt(20), bars_a_minute: 6000 },
    });
    await run(id);
    await endEngine(on, id);
    const ended = await stateOf(user_id, id);
    expect(ended).toMatchObject({ status: 'stopped', stop_reason: 'completed' });
    expect(ended.live.trades_count).toBeGreaterThan(0);
    expect(await listReplays(hub.runtime.store)).not.toContain(id);
    const [fed, recorded] = await Promise.all([
      findSeries(hub.runtime.store, body.symbol, ['1d']),
      findSeries(hub.runtime.store, 'SPY', ['1d']),
    ]);
    expect([fed[0]?.last, fed[0]?.count]).toEqual([BARS.start[59], 60]);
    expect(recorded[0]).toMatchObject({ source: DAILY.source, count: 60 });
    const orders = await hub.call('GET /get_live_strategy_order_book', {
      query: { user_id, strategy_id: String(strategy_id), deployment_id: String(id), size: '100' },
    });
    const times = orders.body.items.map(({ updated_at }: { updated_at: string }) => updated_at);
    expect(times.length).toBeGreaterThan(0);
    expect(times.filter((time: string) => time < startAt(20))).toEqual([]);
  });

  test('goes on where it was when the service ended', async () => {
    // 20 bars a second, which come together.
    const { user_id, id, body } = await replayed({ replay_speed: '1200' });
    await startEngine(on, id);
    const ending = new AbortController();
    await run(
      id,
      busTo(on, () => ending.abort()),
      ending.signal,
    );
    expect((await stateOf(user_id, id)).status).toBe('active');
    expect(await listReplays(hub.runtime.store)).toContain(id);
    const [half] = await findSeries(hub.runtime.store, body.symbol, ['1d']);
    expect(half?.last).toBeLessThan(BARS.start[59] ?? 0);
    await run(id);
    const [whole] = await findSeries(hub.runtime.store, body.symbol, ['1d']);
    expect([whole?.last, whole?.count, whole?.late_bars]).toEqual([BARS.start[59], 60, 0]);
    expect((await stateOf(user_id, id)).status).toBe('stopped');
  });

  test('feeds nothing more once its owner has ended it', async () => {
    const { user_id, id, body } = await replayed();
    await startEngine(on, id);
    await undeployTrading(hub, user_id, id);
    await run(id);
    const [series] = await findSeries(hub.runtime.store, body.symbol, ['1d']);
    expect(series?.last).toBe(BARS.start[19]);
    expect(await listReplays(hub.runtime.store)).not.toContain(id);
  });

  test('is found by no search, and counts in no track record or sum of real prices', async () => {
    const { user_id, id } = await replayed();
    await startEngine(on, id);
    await run(id);
    const found = await hub.call('GET /get_instrument_suggestions_v2', {
      query: { user_id, instrument: 'SPY', any_type: 'true' },
    });
    const symbols = found.body.map(({ symbol }: { symbol: string }) => symbol);
    expect(symbols.filter((symbol: string) => symbol.includes('REPLAY'))).toEqual([]);
    const metrics = await hub.call('GET /get_strategies_performance_metrics', { query: { user_id } });
    expect(metrics.text).not.toContain('REPLAY');
  });

  test('needs recorded candles of one instrument from that time on, and a service that feeds them', async () => {
    const owner = await ruleTrader(hub);
    const refusal = async (form: Readonly<Record<string, string>>, by = hub): Promise<readonly unknown[]> => {
      const { status, body } = await deployTrading(by, owner.keygen, { replay_from: startAt(20), ...form });
      return [status, body.code ?? body.detail[0]?.type];
    };
    expect(await refusal({ replay_from: '2020-01-01' })).toEqual([422, 'value_error.replay']);
    expect(await refusal({ replay_from: 'soon' })).toEqual([422, 'value_error.datetime']);
    expect(await refusal({ replay_speed: '0' })).toEqual([422, 'value_error.number.not_ge']);
    expect(await refusal({}, hub.with({ HUB_REPLAYS: 'off' }))).toEqual([409, 'replay_unavailable']);
    const other = await ruleTrader(hub, { symbol: 'AAPL' });
    const without = await deployTrading(hub, other.keygen, { replay_from: startAt(20) });
    expect([without.status, without.body.code]).toEqual([409, 'strategy_unsuitable']);
    const several = await ruleTrader(hub, { symbol: 'SPY,AAPL' });
    const many = await deployTrading(hub, several.keygen, { replay_from: startAt(20) });
    expect([many.status, many.body.code]).toEqual([409, 'strategy_unsuitable']);
  });
});

describe('a deployment that requires prices', () => {
  const ways = async (keygen: string) => ({
    paper: await deployTrading(hub, keygen, { prices: 'required' }),
    notification: await hub.call('POST /deploy_notification_strategy', {
      query: { keygen },
      form: { prices: 'required' },
    }),
    scanner: await hub.call('POST /deploy_scanner', {
      query: { keygen, universe_id: 'demo', prices: 'required' },
    }),
  });

  test('is refused with the ways out while none arrive, and starts when they do', async () => {
    await hub.runtime.store.put({
      pk: 'UNIVERSES',
      sk: 'demo',
      entity: 'universe',
      universe_id: 'demo',
      name: 'Demo',
      description: 'Two.',
      symbols: ['SPY', 'MSFT'],
    });
    const { keygen } = await ruleTrader(hub);
    for (const [way, { status, body }] of Object.entries(await ways(keygen))) {
      expect([way, status, body.code]).toEqual([way, 409, 'prices_missing']);
      expect(body.detail).toMatch(/demo market.*replay.*feed/);
    }
    const [series] = await findSeries(hub.runtime.store, 'SPY', ['1d']);
    if (!series) throw new Error('the series is not stored');
    await changeHead(hub.runtime.store, series, (one) => ({
      ...one,
      moved_at: hub.runtime.clock().getTime(),
    }));
    for (const [way, { status }] of Object.entries(await ways(keygen))) {
      expect([way, status]).toEqual([way, 200]);
    }
  });

  test('without candles is refused, and one that awaits them is not', async () => {
    const { keygen } = await ruleTrader(hub, { symbol: 'MSFT' });
    const { status, body } = await deployTrading(hub, keygen, { prices: 'required' });
    expect([status, body.code]).toEqual([409, 'prices_missing']);
    expect((await deployTrading(hub, keygen)).status).toBe(200);
  });
});
