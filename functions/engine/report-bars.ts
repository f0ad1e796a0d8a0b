import type { Bar } from '../../shared/domain/candles/bars.ts';
import type { Judged, KnownBars } from '../../shared/domain/candles/judge.ts';
import type { Runtime } from '../../shared/runtime.ts';
import type { GivenBars } from './bar-events.ts';

/** Dimension of the engine's metrics. */
export const ENGINE = { operation: 'engine' } as const;

/** Messages of the log for bars that an operator looks at. An alarm counts them. */
export const DOUBTS = {
  refused: 'bars of a feed are refused',
  dropped: 'held bars are dropped',
  held: 'a bar is held',
} as const;

/** The most refused bars that a line of the log names. */
const MAX_NAMED = 20;

export const isoOf = (at: number): string => new Date(at).toISOString();

const startsOf = (bars: readonly Bar[]): string[] => bars.map(({ start }) => isoOf(start));

interface Outcome extends Judged {
  readonly known: KnownBars | undefined;
  /** Number of bars that became corrections. */
  readonly late: number;
}

/** Logs and counts the bars of an event that were refused, dropped, held or late. */
export const reportBars = (
  { log, metrics }: Pick<Runtime, 'log' | 'metrics'>,
  { symbol, timeframe, source }: Pick<GivenBars, 'symbol' | 'timeframe' | 'source'>,
  { refused, dropped, held, known, late }: Outcome,
): void => {
  const about = { symbol, timeframe, source };
  if (refused.length > 0) {
    const bars = refused
      .slice(0, MAX_NAMED)
      .map(({ start, reason }) => ({ start: start === undefined ? null : isoOf(start), reason }));
    log.warn(DOUBTS.refused, { ...about, count: refused.length, bars });
    metrics.count('BarsRefused', ENGINE);
  }
  if (dropped.length > 0) {
    log.warn(DOUBTS.dropped, { ...about, bars: startsOf(dropped) });
    metrics.count('BarsDropped', ENGINE);
  }
  if (held && held.start !== known?.held?.start) {
    log.warn(DOUBTS.held, { ...about, bars: startsOf([held]) });
    metrics.count('BarsHeld', ENGINE);
  }
  if (late > 0) {
    log.warn('bars arrived late', { ...about, count: late });
    metrics.count('BarsLate', ENGINE);
  }
};
