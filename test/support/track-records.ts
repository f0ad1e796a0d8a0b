import { appendBars } from '../../shared/data/candles/append-bars.ts';
import { importBars } from '../../shared/data/candles/import-bars.ts';
import type { SeriesFacts } from '../../shared/data/candles/series.ts';
import { type BarColumns, firstBarFrom, sliceBars } from '../../shared/domain/candles/bars.ts';
import { type ExportLine, exportLineSchema } from '../../shared/domain/track-records/export.ts';
import { takeJobEvents } from './backtest-jobs.ts';
import { DAILY, sessionBars } from './candles.ts';
import { takeJobEvent } from './functions/backtest-jobs.ts';
import type { TestHub } from './hub.ts';
import { runJob } from './jobs.ts';
import { ruleTrader } from './rule-strategies.ts';
import { rulesWith } from './rules.ts';
import { setState } from './strategies.ts';

const DAY_MS = 86_400_000;

/** Rules that trade every few days. */
export const FREQUENT_RULES = rulesWith(
  { weekday: ['mon', 'wed'] },
  { exits: [{ side: 'long', when: { bars_in_trade: 1 } }] },
);

/** Lets workers do all work on track records and backtests for which there are events. */
export const workOffEvents = async (hub: TestHub): Promise<void> => {
  for (;;) {
    const events = await takeJobEvents(hub);
    if (events.length === 0) return;
    for (const event of events) await takeJobEvent(hub.runtime, event, () => Number.POSITIVE_INFINITY);
  }
};

/** Advances the clock, and lets workers advance the track records that are due then. */
export const passTime = async (hub: TestHub, ms: number): Promise<void> => {
  hub.advance(ms);
  await runJob(hub.runtime, { job: 'sweep-records' });
  await workOffEvents(hub);
};

/** Returns bars of every session around a moment, divided at it. @param shape changes the bars. */
export const barsUntil = (at: number, shape = (bars: BarColumns) => bars) => {
  const from = new Date(at - 400 * DAY_MS).toISOString().slice(0, 10);
  const bars = shape(sessionBars(from, 700));
  const index = firstBarFrom(bars, at);
  return {
    before: sliceBars(bars, 0, index),
    after: (to: number) => sliceBars(bars, index, firstBarFrom(bars, to)),
  };
};

export type BarsAround = ReturnType<typeof barsUntil>;

/** Publishes a strategy with rules over the bars before the present. */
export const publishedTrader = async (
  hub: TestHub,
  {
    rules = FREQUENT_RULES,
    shape,
  }: { readonly rules?: unknown; readonly shape?: (bars: BarColumns) => BarColumns } = {},
) => {
  const start = hub.runtime.clock().getTime();
  const bars = barsUntil(start, shape);
  await importBars(hub.runtime.store, DAILY, bars.before);
  const trader = await ruleTrader(hub, { rules });
  await setState(hub, trader.user_id, trader.strategy_id, 1);
  await workOffEvents(hub);
  return { ...trader, start, bars };
};

/** Lets days pass, with a bar of each session, and no work. */
export const passBars = async (
  hub: TestHub,
  { bars }: { readonly bars: BarsAround },
  days: number,
  facts: SeriesFacts = DAILY,
): Promise<void> => {
  hub.advance(days * DAY_MS);
  await appendBars(hub.runtime.store, facts, bars.after(hub.runtime.clock().getTime() - DAY_MS));
};

/** Lets days pass, with a bar of each session. */
export const passSessions = async (
  hub: TestHub,
  own: { readonly bars: BarsAround },
  days: number,
): Promise<void> => {
  await passBars(hub, own, days);
  await passTime(hub, 1);
};

/** Reads all lines of an export, as texts. */
export const exportedTexts = async (
  hub: TestHub,
  { user_id, strategy_id }: { readonly user_id: string; readonly strategy_id: number },
  more: Readonly<Record<string, string>> = {},
): Promise<string[]> => {
  const lines: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { status, body, text } = await hub.call('GET /export_track_record', {
      query: { user_id, strategy_id: String(strategy_id), ...more, ...(cursor && { cursor }) },
    });
    if (status !== 200) throw new Error(text);
    lines.push(...body.lines);
    cursor = body.next;
  }
  return lines;
};

/** Reads all lines of an export. */
export const exportedLines = async (...input: Parameters<typeof exportedTexts>): Promise<ExportLine[]> =>
  (await exportedTexts(...input)).map((line) => exportLineSchema.parse(JSON.parse(line)));
