import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import { firstBarFrom, sliceBars } from '../../../shared/domain/candles/bars.ts';
import { type ExportLine, exportLineSchema } from '../../../shared/domain/track-records/export.ts';
import { verifyRecord } from '../../../shared/domain/track-records/verify.ts';
import { DAILY, sessionBars } from '../../support/candles.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules, rulesWith } from '../../support/rules.ts';
import { furnishWithInstruments, setRules, setState } from '../../support/strategies.ts';
import { passTime, workOffEvents } from '../../support/track-records.ts';

const DAY_MS = 86_400_000;
/** Rules that trade every few days. */
const RULES = rulesWith(
  { weekday: ['mon', 'wed'] },
  { exits: [{ side: 'long', when: { bars_in_trade: 1 } }] },
);

let hub: TestHub;

beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['SPY']);
});
afterAll(() => hub.close());

/** Returns bars of every session around the present, divided at a moment. */
const barsUntil = (at: number) => {
  const from = new Date(at - 400 * DAY_MS).toISOString().slice(0, 10);
  const bars = sessionBars(from, 700);
  const index = firstBarFrom(bars, at);
  return {
    before: sliceBars(bars, 0, index),
    after: (to: number) => sliceBars(bars, index, firstBarFrom(bars, to)),
  };
};

const performanceOf = async (user_id: string, strategy_id: number) => {
  const { body } = await hub.call('GET /get_strategies_performance_metrics', {
    query: { user_id, strategy_ids: String(strategy_id) },
  });
  return body.metrics[0];
};

const exportOf = async (user_id: string, strategy_id: number, more: Record<string, string> = {}) => {
  const lines: ExportLine[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { status, body, text } = await hub.call('GET /export_track_record', {
      query: { user_id, strategy_id: String(strategy_id), ...more, ...(cursor && { cursor }) },
    });
    if (status !== 200) throw new Error(text);
    lines.push(...body.lines.map((line: string) => exportLineSchema.parse(JSON.parse(line))));
    cursor = body.next;
  }
  return lines;
};

const recordOf = async (user_id: string, strategy_id: number, more: Record<string, string> = {}) =>
  (await hub.call('GET /get_track_record', { query: { user_id, strategy_id: String(strategy_id), ...more } }))
    .body;

describe('the track record of a strategy', () => {
  test('begins with its publication, and shows what the rules make of the bars after it', async () => {
    const start = hub.runtime.clock().getTime();
    const bars = barsUntil(start);
    await importBars(hub.runtime.store, DAILY, bars.before);
    const { user_id, strategy_id } = await ruleTrader(hub, { rules: RULES });
    expect((await setState(hub, user_id, strategy_id, 1)).status).toBe(200);
    expect(await performanceOf(user_id, strategy_id)).toMatchObject({
      source: 'record',
      since: new Date(start).toISOString(),
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
    hub.advance(60 * DAY_MS);
    await appendBars(hub.runtime.store, DAILY, bars.after(hub.runtime.clock().getTime() - DAY_MS));
    await passTime(hub, 1);
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
    expect(
      record.trades.items.every(({ entry_at }: { entry_at: string }) => Date.parse(entry_at) > start),
    ).toBe(true);
    const lines = await exportOf(user_id, strategy_id);
    expect(await verifyRecord(lines)).toEqual({
      finding: undefined,
      days: lines.filter(({ type }) => type === 'day').length,
      record_hash: record.record_hash,
      is_recomputed: true,
    });
    await setRules(hub, { user_id, strategy_id }, crossRules(3, 9));
    expect(await performanceOf(user_id, strategy_id)).toMatchObject({
      version: 2,
      trades_count: 0,
      total_return_pct: null,
    });
    await workOffEvents(hub);
  });
});
