import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { changeHead } from '../../../shared/data/candles/change-head.ts';
import { importBars, removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { readBars } from '../../../shared/data/candles/read-bars.ts';
import { findSeries } from '../../../shared/data/candles/series.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { findHoldings } from '../../../shared/data/user-data/holdings.ts';
import { findUser } from '../../../shared/data/users/users.ts';
import { concatBars, firstBarFrom, sliceBars } from '../../../shared/domain/candles/bars.ts';
import { splitBars } from '../../../shared/domain/splits/split-bars.ts';
import { hashOfList } from '../../../shared/domain/track-records/chain.ts';
import type { DayLine, ExportLine, InputsLine } from '../../../shared/domain/track-records/export.ts';
import { verifyRecord } from '../../../shared/domain/track-records/verify.ts';
import { DAILY } from '../../support/candles.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules } from '../../support/rules.ts';
import { build, furnishWithInstruments, person, setRules, setState } from '../../support/strategies.ts';
import {
  type BarsAround,
  barsUntil,
  exportedLines,
  FREQUENT_RULES,
  passSessions,
  passTime,
  publishedTrader,
  workOffEvents,
} from '../../support/track-records.ts';
import { deployTrading, enterAll, reportOrder } from '../../support/trading.ts';

const DAY_MS = 86_400_000;
const RULES = FREQUENT_RULES;

let hub: TestHub;

beforeEach(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['SPY', 'AAPL']);
});
afterEach(() => hub.close());

const performanceOf = async (user_id: string, strategy_id: number) => {
  const { body } = await hub.call('GET /get_strategies_performance_metrics', {
    query: { user_id, strategy_ids: String(strategy_id) },
  });
  return body.metrics[0];
};

const exportOf = (
  user_id: string,
  strategy_id: number,
  more: Record<string, string> = {},
  from: TestHub = hub,
) => exportedLines(from, { user_id, strategy_id }, more);

const recordOf = async (user_id: string, strategy_id: number, more: Record<string, string> = {}) =>
  (await hub.call('GET /get_track_record', { query: { user_id, strategy_id: String(strategy_id), ...more } }))
    .body;

const authorOf = async (user_id: string): Promise<string> =>
  (await findUser(hub.runtime.store, user_id))?.user_key ?? '';

/** Returns a trader with rules whose strategy is not published yet. */
const ruleTraderBefore = async () => {
  const at = hub.runtime.clock().getTime();
  const bars = barsUntil(at);
  await importBars(hub.runtime.store, DAILY, bars.before);
  return { ...(await ruleTrader(hub, { rules: RULES })), start: { at, bars } };
};

const published = (rules: unknown = RULES) => publishedTrader(hub, { rules });
const passDays = (own: { readonly bars: BarsAround }, days: number) => passSessions(hub, own, days);

/** Lists the records that the author of a strategy ever began. */
const authorRecords = async (user_id: string) => {
  const user_key = await authorOf(user_id);
  return (await hub.call('GET /get_author_records', { query: { user_key } })).body;
};

describe('the track record of a strategy', () => {
  test('begins with its publication, and shows what the rules make of the bars after it', async () => {
    const { user_id, strategy_id, start } = await ruleTraderBefore();
    expect((await setState(hub, user_id, strategy_id, 1)).status).toBe(200);
    expect(await performanceOf(user_id, strategy_id)).toMatchObject({
      source: 'record',
      since: new Date(start.at).toISOString(),
      version: 1,
      terms: 'standard-1',
      mode: null,
      status: 'computing',
      sample_sufficient: false,
      total_return_pct: null,
      backtest: { status: 'computing', figures: null },
    });
    await workOffEvents(hub);
    expect(await performanceOf(user_id, strategy_id)).toMatchObject({
      status: 'running',
      total_return_pct: null,
      trades_count: 0,
      backtest: { status: 'done', figures: { trades_count: expect.any(Number) } },
    });
    await passDays(start, 60);
    const shown = await performanceOf(user_id, strategy_id);
    expect(shown).toMatchObject({ status: 'running', cagr_pct: null, sharpe_ratio: null });
    expect(shown.trades_count).toBeGreaterThan(3);
    expect(shown.total_return_pct).not.toBe(0);
    const record = await recordOf(user_id, strategy_id);
    expect(record).toMatchObject({
      figures: { trades_count: shown.trades_count, total_return_pct: shown.total_return_pct },
      is_newest: true,
      number: 1,
      author_records: 1,
      trades: { total: shown.trades_count },
      versions: [{ version: 1 }],
    });
    const entries = record.trades.items.map(({ entry_at }: { entry_at: string }) => Date.parse(entry_at));
    expect(Math.min(...entries)).toBeGreaterThan(start.at);
  });

  test('has annual figures after 90 days', async () => {
    const own = await published();
    await passDays(own, 100);
    expect(await performanceOf(own.user_id, own.strategy_id)).toMatchObject({
      sample_sufficient: true,
      cagr_pct: expect.any(Number),
      sharpe_ratio: expect.any(Number),
    });
  });

  test('is the same, whether its days come one by one or together', async () => {
    const own = await published();
    const other = await ruleTrader(hub, { rules: RULES });
    await setState(hub, other.user_id, other.strategy_id, 1);
    await workOffEvents(hub);
    for (let days = 0; days < 12; days += 3) await passDays(own, 3);
    const hash = async ({ user_id, strategy_id }: { user_id: string; strategy_id: number }) => {
      const days = (await exportOf(user_id, strategy_id)).filter((line) => line.type === 'day');
      return days.map(({ entry }) => entry);
    };
    expect(await hash(other)).toEqual(await hash(own));
  });

  test('is stale after three sessions without bars, and waits without reference candles', async () => {
    const own = await published();
    await passTime(hub, 6 * DAY_MS);
    expect(await performanceOf(own.user_id, own.strategy_id)).toMatchObject({ status: 'stale' });
    const elsewhere = hub.with({ HUB_REFERENCE_SOURCES: 'hub-feed.*' });
    const { user_id, strategy_id } = await ruleTrader(elsewhere, { rules: RULES });
    await setState(elsewhere, user_id, strategy_id, 1);
    await workOffEvents(elsewhere);
    expect(await recordOf(user_id, strategy_id)).toMatchObject({
      status: 'waiting',
      reason: 'no_reference_candles',
      number: 1,
    });
  });

  test('waits if its candles begin again with another anchor', async () => {
    const { store, clock } = hub.runtime;
    const { before: days } = barsUntil(clock().getTime());
    const bars = { ...days, start: days.start.map((at) => at + 10 * 3_600_000) };
    const facts = { ...DAILY, timeframe: '30m' } as const;
    await importBars(store, facts, bars);
    const { user_id, strategy_id } = await ruleTrader(hub, { rules: RULES, timeframe: '1h' });
    await setState(hub, user_id, strategy_id, 1);
    await workOffEvents(hub);
    expect(await performanceOf(user_id, strategy_id)).toMatchObject({ status: 'running' });
    await removeSeries(store, facts);
    await importBars(store, { ...facts, calendar: 'us@09:30' }, bars);
    await passTime(hub, DAY_MS);
    expect(await performanceOf(user_id, strategy_id)).toMatchObject({ status: 'waiting' });
  });

  test('is not ranked if its orders are larger than the market takes', async () => {
    const own = await published();
    await passDays(own, 20);
    expect(await performanceOf(own.user_id, own.strategy_id)).toMatchObject({ unranked: 'order_size' });
  });

  test('restates its trades and indicators at a split, which is part of the chain', async () => {
    const own = await published();
    const unsplit = { ...DAILY, symbol: 'AAPL' };
    await importBars(hub.runtime.store, unsplit, own.bars.before);
    const control = await ruleTrader(hub, { rules: RULES, symbol: 'AAPL' });
    await setState(hub, control.user_id, control.strategy_id, 1);
    await workOffEvents(hub);
    const [series] = await findSeries(hub.runtime.store, 'SPY', ['1d']);
    if (!series) throw new Error('there is no series');
    const at = hub.runtime.clock().getTime() + 8 * DAY_MS;
    await changeHead(hub.runtime.store, series, (one) => ({ ...one, splits: [{ at, units: 2, of: 1 }] }));
    hub.advance(30 * DAY_MS);
    const after = own.bars.after(hub.runtime.clock().getTime() - DAY_MS);
    await appendBars(hub.runtime.store, unsplit, after);
    await appendBars(
      hub.runtime.store,
      DAILY,
      concatBars([
        sliceBars(after, 0, firstBarFrom(after, at)),
        splitBars(sliceBars(after, firstBarFrom(after, at)), [
          { at: Number.MAX_SAFE_INTEGER, units: 2, of: 1 },
        ]),
      ]),
    );
    await passTime(hub, 1);
    const shown = await performanceOf(own.user_id, own.strategy_id);
    const expected = await performanceOf(control.user_id, control.strategy_id);
    expect(shown.trades_count).toBe(expected.trades_count);
    expect(shown.total_return_pct).toBeCloseTo(expected.total_return_pct, 0);
    const lines = await exportOf(own.user_id, own.strategy_id);
    expect(lines.filter((line) => line.type === 'day' && line.splits.length > 0)).toHaveLength(1);
    expect((await verifyRecord(lines)).finding).toBeUndefined();
    const altered = lines.map((line) =>
      line.type === 'day' ? { ...line, splits: line.splits.map((split) => ({ ...split, units: 3 })) } : line,
    );
    expect((await verifyRecord(altered)).finding).toMatchObject({ what: 'split' });
  });

  test('goes with the account of its author', async () => {
    const own = await published();
    await passDays(own, 10);
    const user = await findUser(hub.runtime.store, own.user_id);
    if (!user) throw new Error('there is no user');
    const { backtests } = await findHoldings(hub.runtime.store, user);
    const record = await recordOf(own.user_id, own.strategy_id);
    expect(backtests).toContain(record.record_id);
    expect(backtests).toHaveLength(2);
  });
});

describe('an export of a track record', () => {
  test('is computed again to the same hash, and names each alteration with its day', async () => {
    const own = await published();
    await passDays(own, 40);
    const lines = await exportOf(own.user_id, own.strategy_id);
    const { record_hash } = await recordOf(own.user_id, own.strategy_id);
    expect(await verifyRecord(lines)).toEqual({
      finding: undefined,
      days: lines.filter(({ type }) => type === 'day').length,
      record_hash,
      is_recomputed: true,
    });
    const days = lines.filter((line) => line.type === 'day');
    const traded = days.findIndex(({ trades }) => (trades?.length ?? 0) > 0);
    const altered = (index: number, change: (line: DayLine) => DayLine): ExportLine[] =>
      lines.map((line) =>
        line === days[index] && line.type === 'day' ? change(structuredClone(line)) : line,
      );
    const finding = async (changed: readonly ExportLine[]) => (await verifyRecord(changed)).finding;
    const day = (index: number) => days[index]?.entry.day;

    const bar = altered(5, (line) => {
      const [row] = line.legs?.[0]?.bars ?? [];
      if (row) row[4] += 0.01;
      return line;
    });
    expect(await finding(bar)).toMatchObject({ day: day(5), what: 'bar' });
    const trade = altered(traded, (line) => ({
      ...line,
      trades: (line.trades ?? []).map((one) => ({ ...one, pnl: one.pnl + 1 })),
    }));
    expect(await finding(trade)).toMatchObject({ day: day(traded), what: 'trade' });
    const left = altered(traded, (line) => ({
      ...line,
      trades: [],
      entry: { ...line.entry, trades_hash: hashOfList([]) },
    }));
    expect(await finding(left)).toMatchObject({ day: day(traded), what: 'trade' });
    const equity = altered(7, (line) => ({ ...line, entry: { ...line.entry, equity: 123_456 } }));
    expect(await finding(equity)).toMatchObject({ day: day(7), what: 'equity' });
    const date = altered(8, (line) => ({ ...line, entry: { ...line.entry, day: '2030-01-01' } }));
    expect(await finding(date)).toMatchObject({ what: 'date' });
    expect(await finding(lines.filter((line) => line !== days[3]))).toMatchObject({ day: day(4) });
    const inputs = (change: (line: InputsLine) => InputsLine): ExportLine[] =>
      lines.map((line) => (line.type === 'inputs' ? change(structuredClone(line)) : line));
    const term = inputs((line) => {
      line.inputs.account.commission_rate = 0.1;
      return line;
    });
    expect(await finding(term)).toMatchObject({ day: null, what: 'term' });
    const start = inputs((line) => {
      line.inputs.started_at += DAY_MS;
      return line;
    });
    expect(await finding(start)).toMatchObject({ day: null, what: 'date' });
    const rules = inputs((line) => {
      if (line.disclosed)
        line.disclosed.rules = line.disclosed.rules.replace('"bars_in_trade":1', '"bars_in_trade":2');
      return line;
    });
    expect(await finding(rules)).toMatchObject({ day: null, what: 'rules' });
    const earlier = lines.map((line) =>
      line.type === 'warm_up'
        ? { ...line, legs: (line.legs ?? []).map((leg) => ({ ...leg, bars: leg.bars.slice(1) })) }
        : line,
    );
    expect(await finding(earlier)).toMatchObject({ day: null, what: 'bar' });
  });

  test('hides closed rules from others, and their trades of the last 30 days', async () => {
    const own = await published();
    await setRules(hub, own, RULES, { rules_visibility: 'closed' });
    await passDays(own, 50);
    const { user_id } = await person(hub);
    const record = await recordOf(user_id, own.strategy_id);
    const all = await recordOf(own.user_id, own.strategy_id);
    expect(record).toMatchObject({ rules: null, rules_seal: all.rules_seal, record_hash: all.record_hash });
    expect(record.open_trades).toEqual([]);
    expect(record.trades.total).toBeGreaterThan(0);
    expect(record.trades.total).toBeLessThan(all.trades.total);
    const lines = await exportOf(user_id, own.strategy_id);
    expect(JSON.stringify(lines)).not.toContain('bars_in_trade');
    expect(await verifyRecord(lines)).toMatchObject({
      finding: undefined,
      record_hash: all.record_hash,
      is_recomputed: false,
    });
  });

  test('shows no late trades of closed rules to a cursor of the own', async () => {
    const own = await published();
    await setRules(hub, own, RULES, { rules_visibility: 'closed' });
    await passDays(own, 80);
    const { user_id } = await person(hub);
    const all = (await exportOf(own.user_id, own.strategy_id)).filter((line) => line.type === 'day');
    const shown = (await exportOf(user_id, own.strategy_id)).filter((line) => line.type === 'day');
    const last = shown.findLastIndex(({ trades }) => trades !== null);
    const withheld = all.slice(last + 1).flatMap(({ trades }) => trades ?? []);
    expect(withheld.length).toBeGreaterThan(2);
    const { day = '', trades_count: count = 0 } = shown[last]?.entry ?? {};
    for (let begin = 0; begin < count + withheld.length; begin += 1) {
      const { body } = await hub.call('GET /export_track_record', {
        query: {
          user_id,
          strategy_id: String(own.strategy_id),
          cursor: `d${Date.parse(day) / DAY_MS}.${begin}`,
        },
      });
      for (const trade of withheld) expect(body.lines.join()).not.toContain(`"number":${trade.number},`);
    }
  });

  test('keeps former rules closed when the present ones are opened', async () => {
    const own = await published();
    await setRules(hub, own, RULES, { rules_visibility: 'closed' });
    await passDays(own, 40);
    await setRules(hub, own, crossRules(3, 9), { rules_visibility: 'open' });
    await passDays(own, 10);
    const { user_id } = await person(hub);
    const [second, first] = (await authorRecords(own.user_id)).items;
    const former = { record_id: String(first.record_id) };
    expect(await recordOf(user_id, own.strategy_id, former)).toMatchObject({ version: 1, rules: null });
    expect(JSON.stringify(await exportOf(user_id, own.strategy_id, former))).not.toContain('bars_in_trade');
    await setRules(hub, own, crossRules(4, 9), { rules_visibility: 'closed' });
    // Rules that were open when their record ended stay open with it.
    const opened = { record_id: String(second.record_id) };
    expect(await recordOf(user_id, own.strategy_id, opened)).toMatchObject({
      version: 2,
      rules: expect.any(Object),
    });
  });

  test('leaves out candles that may not be shown, and keeps their hashes', async () => {
    const own = await published();
    await passDays(own, 10);
    const feeds = JSON.stringify([{ source: 'test', exchanges: ['NYSE Arca'], display: false }]);
    const lines = await exportOf(own.user_id, own.strategy_id, {}, hub.with({ HUB_FEEDS: feeds }));
    expect(lines.at(-1)).toMatchObject({ legs: null, used: null, entry: { bars_hash: expect.any(String) } });
    await expect(verifyRecord(lines)).rejects.toThrow('--candles');
  });

  test('is refused for a strange cursor and for records of other strategies', async () => {
    const own = await published();
    const other = await ruleTrader(hub, { rules: RULES });
    await setState(hub, other.user_id, other.strategy_id, 1);
    const { record_id } = await recordOf(other.user_id, other.strategy_id);
    const query = { user_id: own.user_id, strategy_id: String(own.strategy_id) };
    const call = (more: Record<string, string>) =>
      hub.call('GET /export_track_record', { query: { ...query, ...more } });
    expect((await call({ cursor: 'x' })).status).toBe(422);
    const far = '9999999999999999';
    for (const cursor of [`w-${far}`, `w${far}`, `d-${far}.0`, `d${far}.${far}`, `d0.${far}`]) {
      expect((await call({ cursor })).status).toBe(200);
    }
    expect((await call({ record_id: String(record_id) })).status).toBe(404);
  });
});

describe('an author who wants to look good', () => {
  test('changes the rules: the former record ends with its date and figures, and another one begins', async () => {
    const own = await published();
    await passDays(own, 30);
    const former = await performanceOf(own.user_id, own.strategy_id);
    await setRules(hub, own, crossRules(3, 9));
    expect(await performanceOf(own.user_id, own.strategy_id)).toMatchObject({
      version: 2,
      trades_count: 0,
      total_return_pct: null,
      since: hub.runtime.clock().toISOString(),
    });
    await workOffEvents(hub);
    await passDays(own, 5);
    const { total, items } = await authorRecords(own.user_id);
    expect(total).toBe(2);
    expect(items).toMatchObject([
      { version: 2, ended_at: null },
      { version: 1, status: 'ended', ended_at: expect.any(String) },
    ]);
    expect(items[1].figures.trades_count).toBeGreaterThanOrEqual(former.trades_count);
    const ended = { record_id: String(items[1].record_id) };
    expect((await recordOf(own.user_id, own.strategy_id, ended)).trades.total).toBe(
      items[1].figures.trades_count,
    );
    expect((await verifyRecord(await exportOf(own.user_id, own.strategy_id, ended))).finding).toBeUndefined();
  });

  test('changes the rules before a bad day is taken: the day counts for the former record', async () => {
    const own = await published();
    hub.advance(30 * DAY_MS);
    await appendBars(hub.runtime.store, DAILY, own.bars.after(hub.runtime.clock().getTime() - DAY_MS));
    await setRules(hub, own, crossRules(3, 9));
    await passDays(own, 5);
    const { items } = await authorRecords(own.user_id);
    expect(items[1].figures.trades_count).toBeGreaterThan(3);
  });

  test('changes the rules while no bars come: those of the time before count for the former record', async () => {
    const own = await published();
    await passDays(own, 20);
    const { figures } = (await authorRecords(own.user_id)).items[0];
    await passTime(hub, 12 * DAY_MS);
    await setRules(hub, own, crossRules(3, 9));
    await passTime(hub, 1);
    await passDays(own, 5);
    const former = (await authorRecords(own.user_id)).items[1];
    expect(former).toMatchObject({ version: 1, status: 'ended' });
    expect(former.figures.trades_count).toBeGreaterThan(figures.trades_count + 1);
  });

  test('deploys, trades and closes by hand: the figures stay those of the bars', async () => {
    const { user_id } = await person(hub);
    const { strategy_id, keygen } = (await build(hub, { user_id, symbol: 'SPY' })).body;
    // Without rules, an engine outside reports what it likes.
    const paper = await deployTrading(hub, keygen, { starting_capital: '100' });
    const own = { ...(await published()), user_id, strategy_id };
    await setRules(hub, own, RULES);
    await setState(hub, user_id, strategy_id, 1);
    await workOffEvents(hub);
    await passDays(own, 20);
    const before = await performanceOf(own.user_id, own.strategy_id);
    expect(before).toMatchObject({ source: 'record', trades_count: expect.any(Number) });
    const id = paper.body.deployment_id;
    const order = { symbol: 'SPY', quantity: '10', filled_quantity: '10' };
    await reportOrder(hub, id, { client_order_id: 'a', ...order, average_price: '1' });
    hub.advance(1000);
    await reportOrder(hub, id, { client_order_id: 'b', ...order, side: 'sell', average_price: '1000' });
    await enterAll(hub);
    await runJob(hub.runtime, { job: 'close-equity-days', by_hand: true });
    expect(await performanceOf(own.user_id, own.strategy_id)).toEqual(before);
  });

  test('archives and publishes again: the record goes on with the time between', async () => {
    const own = await published();
    await passDays(own, 10);
    const query = { user_id: own.user_id, strategy_id: String(own.strategy_id) };
    await hub.call('POST /archive_strategy', { query: { ...query, archived: 'true' } });
    expect((await authorRecords(own.user_id)).items).toMatchObject([{ hidden_at: expect.any(String) }]);
    await passDays(own, 30);
    await hub.call('POST /archive_strategy', { query: { ...query, archived: 'false' } });
    await setState(hub, own.user_id, own.strategy_id, 1);
    await passDays(own, 5);
    const { items, total } = await authorRecords(own.user_id);
    expect([total, items.length]).toEqual([1, 1]);
    const shown = await performanceOf(own.user_id, own.strategy_id);
    expect(shown).toMatchObject({ version: 1, since: new Date(own.start).toISOString() });
    expect(shown.trades_count).toBeGreaterThan(4);
  });

  test('changes a withdrawn strategy and publishes it, or rebuilds it: each begins a record that counts', async () => {
    const own = await published();
    await passDays(own, 10);
    await setState(hub, own.user_id, own.strategy_id, 0);
    await setRules(hub, own, crossRules(3, 9));
    await setState(hub, own.user_id, own.strategy_id, 1);
    const again = await ruleTrader(hub, { user_id: own.user_id, rules: RULES });
    await setState(hub, again.user_id, again.strategy_id, 1);
    await workOffEvents(hub);
    const { items, total } = await authorRecords(own.user_id);
    expect(total).toBe(3);
    expect(items).toHaveLength(3);
    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ strategy_id: again.strategy_id, version: 1, ended_at: null }),
        expect.objectContaining({ strategy_id: own.strategy_id, version: 2, ended_at: null }),
        expect.objectContaining({ strategy_id: own.strategy_id, version: 1, ended_at: expect.any(String) }),
      ]),
    );
  });

  test('renames the strategy, or edits shares: only the shares begin another record', async () => {
    const own = await published();
    const query = { user_id: own.user_id, strategy_id: String(own.strategy_id) };
    const edit = (json: unknown) => hub.call('POST /update_strategy', { query, json });
    expect((await edit({ strategy_name: 'Another name' })).status).toBe(200);
    expect(await performanceOf(own.user_id, own.strategy_id)).toMatchObject({ version: 1 });
    expect((await edit({ timeframe: '1w' })).status).toBe(200);
    expect(await performanceOf(own.user_id, own.strategy_id)).toMatchObject({ version: 2 });
  });

  test('changes the rules and changes them back after a loss: each start counts, and the card says so', async () => {
    const own = await published();
    await passDays(own, 10);
    expect(await performanceOf(own.user_id, own.strategy_id)).toMatchObject({ author_records: 1 });
    await setRules(hub, own, crossRules(3, 9));
    // Keeps the records in order, as those of one millisecond have none.
    hub.advance(1);
    await setRules(hub, own, RULES);
    await workOffEvents(hub);
    await passDays(own, 10);
    expect(await performanceOf(own.user_id, own.strategy_id)).toMatchObject({
      version: 3,
      author_records: 3,
    });
    const { total, items } = await authorRecords(own.user_id);
    expect([total, items.map(({ version }: { version: number }) => version)]).toEqual([3, [3, 2, 1]]);
  });

  test('changes the rules all day: the records count, and only some have a backtest of before', async () => {
    const own = await published();
    for (let length = 10; length < 32; length += 1) await setRules(hub, own, crossRules(3, length));
    await workOffEvents(hub);
    const { items, total } = await authorRecords(own.user_id);
    expect(total).toBe(23);
    const figures = await Promise.all(
      items.map(async ({ record_id }: { record_id: number }) => {
        const record = await recordOf(own.user_id, own.strategy_id, { record_id: String(record_id) });
        return record.backtest.figures;
      }),
    );
    expect(figures.filter((one) => one !== null)).toHaveLength(20);
    hub.advance(DAY_MS);
    await setRules(hub, own, crossRules(3, 40));
    await workOffEvents(hub);
    expect((await performanceOf(own.user_id, own.strategy_id)).backtest.figures).not.toBeNull();
  });

  test('begins other records that rise: those of before say at their next day that they are one of more', async () => {
    const own = await published();
    await passDays(own, 10);
    const other = await ruleTrader(hub, { user_id: own.user_id, rules: crossRules(3, 9) });
    await setState(hub, other.user_id, other.strategy_id, 1);
    await workOffEvents(hub);
    await setState(hub, other.user_id, other.strategy_id, 0);
    await passDays(own, 10);
    expect(await performanceOf(own.user_id, own.strategy_id)).toMatchObject({ author_records: 2 });
  });

  test('shares by link, or copies: neither has a record before it is public', async () => {
    const own = await published();
    const link = await ruleTrader(hub, { rules: RULES });
    await setState(hub, link.user_id, link.strategy_id, 2);
    expect(await performanceOf(link.user_id, link.strategy_id)).toMatchObject({ source: null, since: null });
    const query = { user_id: link.user_id, strategy_id: String(link.strategy_id) };
    expect((await hub.call('GET /get_track_record', { query })).status).toBe(404);
    expect((await authorRecords(own.user_id)).total).toBe(1);
  });

  test('has candles imported again: what the record took stays as it was', async () => {
    const own = await published();
    await passDays(own, 20);
    const before = await recordOf(own.user_id, own.strategy_id);
    const [series] = await findSeries(hub.runtime.store, 'SPY', ['1d']);
    if (!series) throw new Error('there is no series');
    const all = await readBars(hub.runtime.store, series, { from: 0, to: Number.MAX_SAFE_INTEGER });
    const rising = { ...all, close: all.close.map((close, index) => close + (index % 2)) };
    await importBars(hub.runtime.store, DAILY, rising);
    await passTime(hub, DAY_MS);
    const { record_hash, figures } = await recordOf(own.user_id, own.strategy_id);
    expect({ record_hash, figures }).toEqual({ record_hash: before.record_hash, figures: before.figures });
    expect((await verifyRecord(await exportOf(own.user_id, own.strategy_id))).finding).toBeUndefined();
  });

  test('cannot remove or read the backtest of before as an own one', async () => {
    const own = await published();
    const items = await hub.runtime.store.queryItems({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.trackRecord(await authorOf(own.user_id), '').pk },
    });
    const backtest_id = String(items.find(({ backtest_id: id }) => id !== undefined)?.backtest_id);
    const query = { user_id: own.user_id, backtest_id };
    expect((await hub.call('POST /remove_backtest', { query })).status).toBe(404);
    expect((await hub.call('GET /get_backtest', { query })).status).toBe(404);
  });
});
