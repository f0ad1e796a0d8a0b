import { setTimeout as wait } from 'node:timers/promises';
import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { findSeries } from '../../shared/data/candles/series.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { anchorOf } from '../../shared/domain/candles/anchor.ts';
import type { Bar } from '../../shared/domain/candles/bars.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';

/** The most bars of an event. */
const MAX_BARS = 500;
const POLL_MS = 50;
/** Batches that a service may take to store one; then something is wrong. */
const PATIENCE_MS = 120_000;

/** The service did not store the bars of a batch. */
export class ReplayStuckError extends Error {
  constructor(start: number) {
    super(
      `The service has not stored the bar of ${new Date(start).toISOString()}. It prints the reason where npm start runs.`,
    );
    this.name = 'ReplayStuckError';
  }
}

export interface Replay {
  readonly store: Store;
  readonly client: Pick<EventBridgeClient, 'send'>;
  readonly bus: string;
  readonly symbol: string;
  readonly timeframe: Timeframe;
  /** Id of the calendar, whose anchor a series that does not exist yet begins with. */
  readonly calendar: string;
  readonly source: string;
  /** Bars a second; infinity: as fast as the service stores them. */
  readonly speed: number;
  /** Start of the newest stored bar; undefined without one. */
  readonly newest: number | undefined;
  /** Gets the number of bars stored so far, and the start of the last one. */
  readonly onProgress: (bars: number, start: number) => void;
  readonly signal?: AbortSignal;
}

const isoOf = (start: number): string => new Date(start).toISOString();

/** Waits until a series holds a bar. @throws ReplayStuckError */
const stored = async ({ store, symbol, timeframe, signal }: Replay, start: number): Promise<void> => {
  const deadline = Date.now() + PATIENCE_MS;
  while (!signal?.aborted) {
    const [series] = await findSeries(store, symbol, [timeframe]);
    if (series && series.last >= start) return;
    if (Date.now() > deadline) throw new ReplayStuckError(start);
    await wait(POLL_MS);
  }
};

/**
 * Feeds bars through the service: events of up to 500 bars, each after the one before was stored, so that bars never
 * overtake each other.
 *
 * @returns the number of bars that were stored.
 * @throws ReplayStuckError
 */
export const replayBars = async (replay: Replay, bars: AsyncIterable<Bar>): Promise<number> => {
  const { client, bus, symbol, timeframe, source, speed, onProgress, signal } = replay;
  const size = Math.min(MAX_BARS, Math.max(1, Math.floor(speed)));
  const { anchor, opening } = anchorOf(replay.calendar);
  const begun = Date.now();
  let previous = replay.newest;
  let sent = 0;
  let batch: Bar[] = [];

  const put = async (type: string, detail: object): Promise<void> => {
    const { FailedEntryCount: failed = 0 } = await client.send(
      new PutEventsCommand({
        Entries: [
          {
            EventBusName: bus,
            Source: source,
            DetailType: type,
            Detail: JSON.stringify({ version: 1, timeframe, ...detail }),
          },
        ],
      }),
    );
    if (failed > 0) throw new Error('the bus did not take the bars');
  };

  const send = async (): Promise<void> => {
    const last = batch.at(-1);
    if (!last) return;
    const due = begun + (sent / speed) * 1000;
    if (due > Date.now()) await wait(due - Date.now(), undefined, { signal }).catch(() => undefined);
    if (signal?.aborted) return;
    await put('Bars Closed', {
      symbol,
      anchor,
      ...(opening !== undefined && { session_open: opening }),
      ...(previous !== undefined && { previous: isoOf(previous) }),
      bars: batch.map((bar) => ({ ...bar, start: isoOf(bar.start) })),
    });
    await stored(replay, last.start);
    await put('Bars Complete', { through: isoOf(last.start), symbols: [symbol] });
    sent += batch.length;
    previous = last.start;
    batch = [];
    onProgress(sent, last.start);
  };

  for await (const bar of bars) {
    if (signal?.aborted) break;
    batch.push(bar);
    if (batch.length >= size) await send();
  }
  if (!signal?.aborted) await send();
  return sent;
};
