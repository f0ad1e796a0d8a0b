import type { Timeframe } from '../strategies/strategies.ts';
import { type Bar, type BarColumns, barAt, barCount } from './bars.ts';
import type { Calendar } from './calendar.ts';
import { type SeriesKind, type Suspicion, suspicionOf } from './checks.ts';
import { expectedBars } from './sessions.ts';
import { INTRADAY_MS } from './timeframes.ts';

/** The most gaps and suspicious bars that a report names. */
const MAX_NAMED = 20;
const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;
/** Days without a daily bar that count as a gap where the holidays are not known. */
const MAX_CLOSED_DAYS = 6;

/** Bars that are missing between two others. */
interface Gap {
  /** Starts of the bars around it. */
  readonly after: number;
  readonly before: number;
  readonly missing: number;
}

/** Gaps and suspicious bars of a series. Names at most 20 of each, the largest gaps and the first suspicious bars. */
export interface Quality {
  readonly bars: number;
  /** Bars that sessions should have and the series lacks. */
  readonly missing: number;
  readonly gapCount: number;
  readonly gaps: readonly Gap[];
  readonly suspiciousCount: number;
  readonly suspicious: readonly { readonly start: number; readonly reason: Suspicion }[];
}

/** Returns the number of bars that sessions should have between two others. */
export const missingBetween = (
  calendar: Calendar,
  timeframe: Timeframe,
  after: number,
  before: number,
): number => {
  if (before - after === INTRADAY_MS[timeframe]) return 0;
  if (timeframe === '1w') return Math.round((before - after) / WEEK_MS) - 1;
  if (calendar.sessionsKnown) return expectedBars(calendar, timeframe, after + 1, before);
  const days = Math.round((before - after) / DAY_MS);
  return timeframe === '1d' && days > MAX_CLOSED_DAYS ? days - 1 : 0;
};

/** Collects the gaps and suspicious bars of a series, bar by bar, in constant memory. */
export class QualityReport {
  readonly #series: SeriesKind;
  #previous: Bar | undefined;
  #bars = 0;
  #missing = 0;
  #gapCount = 0;
  #gaps: Gap[] = [];
  #suspiciousCount = 0;
  readonly #suspicious: { start: number; reason: Suspicion }[] = [];

  constructor(series: SeriesKind) {
    this.#series = series;
  }

  /** Adds the next bar. @returns the number of bars that are missing before it, and why it may be wrong. */
  add(bar: Bar): { readonly missing: number; readonly suspicion: Suspicion | undefined } {
    const { calendar, timeframe, assetClass } = this.#series;
    const previous = this.#previous;
    this.#previous = bar;
    this.#bars += 1;
    const suspicion = suspicionOf(bar, previous, assetClass);
    if (suspicion) {
      this.#suspiciousCount += 1;
      if (this.#suspicious.length < MAX_NAMED) this.#suspicious.push({ start: bar.start, reason: suspicion });
    }
    const missing = previous ? missingBetween(calendar, timeframe, previous.start, bar.start) : 0;
    if (previous && missing > 0) this.#addGap({ after: previous.start, before: bar.start, missing });
    return { missing, suspicion };
  }

  #addGap(gap: Gap): void {
    this.#missing += gap.missing;
    this.#gapCount += 1;
    const smallest = this.#gaps.at(-1);
    if (this.#gaps.length >= MAX_NAMED && smallest && smallest.missing >= gap.missing) return;
    this.#gaps = [...this.#gaps, gap].toSorted((a, b) => b.missing - a.missing).slice(0, MAX_NAMED);
  }

  /** Returns the report so far. */
  result(): Quality {
    return {
      bars: this.#bars,
      missing: this.#missing,
      gapCount: this.#gapCount,
      gaps: this.#gaps,
      suspiciousCount: this.#suspiciousCount,
      suspicious: this.#suspicious,
    };
  }
}

/** Reports the gaps and suspicious bars of a series. */
export const qualityOf = (bars: BarColumns, series: SeriesKind): Quality => {
  const report = new QualityReport(series);
  for (let index = 0; index < barCount(bars); index++) {
    const bar = barAt(bars, index);
    if (bar) report.add(bar);
  }
  return report.result();
};
