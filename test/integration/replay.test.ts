import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { replayBars } from '../../infra/candles/replay-bars.ts';
import { loadMarket, startMarket } from '../../infra/local/market/market.ts';
import { appendBar } from '../../shared/data/candles/append-bar.ts';
import { findSeries, type SeriesFacts } from '../../shared/data/candles/series.ts';
import type { Bar } from '../../shared/domain/candles/bars.ts';
import { openStore } from '../support/open-store.ts';

const { store } = await openStore();

const entries = z.array(
  z.object({
    Source: z.string(),
    DetailType: z.string(),
    Detail: z.string().transform((text) => JSON.parse(text)),
  }),
);

/** Returns a bus that keeps what it gets, and hands it to a consumer. */
const busFor = (
  consume: (type: string, detail: Record<string, unknown>) => Promise<void> = async () => undefined,
) => {
  const events: {
    readonly source: string;
    readonly type: string;
    readonly detail: Record<string, unknown>;
  }[] = [];
  const send = async (command: { readonly input: object }) => {
    const found = 'Entries' in command.input ? entries.parse(command.input.Entries) : [];
    for (const { Source: source, DetailType: type, Detail: detail } of found) {
      events.push({ source, type, detail });
      await consume(type, detail);
    }
    return { FailedEntryCount: 0, $metadata: {} };
  };
  return { events, send };
};

const DAY = 24 * 3_600_000;
const MONDAY = Date.parse('2024-01-01T00:00:00Z');
const facts: SeriesFacts = {
  symbol: 'BTCUSD',
  timeframe: '1d',
  asset_class: 'crypto',
  calendar: 'always',
  source: 'replay',
  adjustment: 'none',
};
const dailyBars = (count: number): Bar[] =>
  Array.from({ length: count }, (_, index) => {
    const price = 100 + index;
    return {
      start: MONDAY + index * DAY,
      open: price,
      high: price + 1,
      low: price - 1,
      close: price,
      volume: 5,
    };
  });

async function* each(bars: readonly Bar[]): AsyncGenerator<Bar> {
  yield* bars;
}

describe('a replay', () => {
  test('sends batches of 500 bars, each after the one before was stored', async () => {
    const bars = dailyBars(1200);
    const stored: number[] = [];
    const { events, send } = busFor(async (type, detail) => {
      if (type !== 'Bars Closed') return;
      const batch = z.array(z.object({ start: z.string() })).parse(detail.bars);
      stored.push(batch.length);
      const last = bars.find(({ start }) => new Date(start).toISOString() === batch.at(-1)?.start);
      // The newest bar is all that the replay looks at.
      if (last) await appendBar(store, facts, last);
    });
    const sent = await replayBars(
      {
        store,
        client: { send },
        bus: 'bus',
        symbol: 'BTCUSD',
        timeframe: '1d',
        calendar: facts.calendar,
        source: 'replay',
        speed: Number.POSITIVE_INFINITY,
        newest: undefined,
        onProgress: () => undefined,
      },
      each(bars),
    );
    expect(sent).toBe(1200);
    expect(stored).toEqual([500, 500, 200]);
    const closed = events.filter(({ type }) => type === 'Bars Closed');
    expect(closed.map(({ detail }) => detail.previous)).toEqual([
      undefined,
      new Date(MONDAY + 499 * DAY).toISOString(),
      new Date(MONDAY + 999 * DAY).toISOString(),
    ]);
  });
});

test('a replay declares the anchor of its bars', async () => {
  const { events, send } = busFor(async () => undefined);
  const [bar] = dailyBars(1);
  const session: SeriesFacts = {
    ...{ ...facts, symbol: 'SPY', timeframe: '1h', asset_class: 'equity' },
    calendar: 'us@09:30',
  };
  const start = Date.parse('2024-01-02T14:30Z');
  if (bar) await appendBar(store, session, { ...bar, start });
  await replayBars(
    {
      ...{ ...session, store, client: { send }, bus: 'bus', speed: 1000, newest: undefined },
      onProgress: () => undefined,
    },
    each(bar ? [{ ...bar, start }] : []),
  );
  expect(events[0]).toMatchObject({
    type: 'Bars Closed',
    detail: { symbol: 'SPY', timeframe: '1h', anchor: 'session', session_open: '09:30' },
  });
});

describe('the demo market', () => {
  test('begins with two days of bars, and continues after the newest one', async () => {
    const now = Date.parse('2026-11-22T10:00:30Z');
    await loadMarket(store, now);
    await loadMarket(store, now + DAY);
    const [series] = await findSeries(store, 'NOVA.DEMO', ['1m']);
    expect(series?.count).toBe(2880);
    const { events, send } = busFor();
    const ticked = Promise.withResolvers<void>();
    const market = await startMarket({
      store,
      client: {
        send: async (command: { readonly input: object }) => {
          const answer = await send(command);
          ticked.resolve();
          return answer;
        },
      },
      bus: 'bus',
      everyMs: 5,
      onError: ticked.reject,
    });
    await ticked.promise;
    await market.close();
    const first = events.find(({ detail }) => detail.symbol === 'NOVA.DEMO');
    expect(first).toMatchObject({
      source: 'demo-market',
      type: 'Bar Closed',
      detail: {
        version: 1,
        timeframe: '1m',
        previous: new Date(series?.last ?? 0).toISOString(),
        start: new Date((series?.last ?? 0) + 60_000).toISOString(),
      },
    });
  });
});
