import { takeEngineEvent } from '../../functions/engine/take-event.ts';
import type { Bar } from '../../shared/domain/candles/bars.ts';
import type { TestHub } from '../support/hub.ts';
import { BITCOIN } from '../support/hub-deployments.ts';
import type { Worker } from '../support/hub-engine.ts';

const MINUTE_MS = 60_000;

/** Series of one-minute bars that a {@link MinuteBars} continues. */
export const MINUTE_SERIES = { ...BITCOIN, timeframe: '1m' } as const;

/** Makes one-minute bars of a series, one after another. */
export class MinuteBars {
  /** Start of the first bar. */
  static readonly START = Date.parse('2026-03-02T00:00:00Z');
  #count = 0;

  next(close: number): Bar {
    const start = MinuteBars.START + this.#count * MINUTE_MS;
    this.#count += 1;
    return { start, open: close, high: close + 0.5, low: close - 0.5, close, volume: 1 };
  }

  /** Returns the next bars with the same close. */
  nextMany(count: number, close: number): Bar[] {
    return Array.from({ length: count }, () => this.next(close));
  }

  /** Makes the next bar, and returns a function by which an engine takes it as from the bus. */
  nextEvent({ runtime }: TestHub, close: number): (on: Worker) => Promise<void> {
    const { start, ...prices } = this.next(close);
    const event = {
      'detail-type': 'Bar Closed',
      source: MINUTE_SERIES.source,
      time: runtime.clock().toISOString(),
      detail: {
        version: 1,
        symbol: MINUTE_SERIES.symbol,
        timeframe: MINUTE_SERIES.timeframe,
        start: new Date(start).toISOString(),
        ...prices,
      },
    };
    return ({ engine }) => takeEngineEvent(engine, event);
  }
}
