import type { Series } from '../../../shared/data/candles/series.ts';
import { type Match, type MatchScope, writeMatches } from '../../../shared/data/engine/matches.ts';
import { feedOf, findScanners, readScannerRun } from '../../../shared/data/engine/scanners.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { closingTime } from '../../../shared/domain/candles/closed.ts';
import type { Frames } from '../../../shared/domain/engine/running/frames.ts';
import { holdingSide } from '../../../shared/domain/engine/running/holding-side.ts';
import type { RunningProgram } from '../../../shared/domain/engine/running/running-program.ts';
import type { Timeframe } from '../../../shared/domain/strategies/strategies.ts';
import { reportDamaged } from '../../../shared/lifecycle/report-damaged.ts';
import { ENGINE } from '../report-bars.ts';
import { reportMatches, type ScanRuntime } from './report-matches.ts';

/** Bars of a program whose matches are kept. */
export interface ObservedBars {
  readonly running: RunningProgram;
  readonly frames: readonly Frames[];
  /** Start of the last bar whose matches are kept already. */
  readonly after: number;
}

/** Series and rules of a program. */
export interface ScanningProgram {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  readonly rules_hash: string;
}

type Bars = Pick<Series, 'timeframe' | 'calendar' | 'source'>;

/** Returns the bars on which the condition of an entry holds, with the watermark that completes each. */
const matchesOf = (
  { symbol, timeframe }: ScanningProgram,
  series: Bars,
  { running, frames, after }: ObservedBars,
): Match[] => {
  const calendar = calendarById(series.calendar);
  const untilOf = (start: number): number =>
    series.timeframe === timeframe ? start + 1 : closingTime(calendar, series.timeframe, timeframe, start);
  return frames.flatMap((each) =>
    Array.from(each.bars.start).flatMap((start, position): Match[] => {
      if (start <= after) return [];
      const side = holdingSide(running, each, position);
      const price = each.bars.close[position];
      return side && price !== undefined ? [{ symbol, start, until: untilOf(start), price, side }] : [];
    }),
  );
};

/**
 * Stores the matches of a program's bars for scanners. Reports those that are late: their scanners have run. Runs before
 * the program's cursor moves, so that a crash loses none.
 *
 * @returns whether there were any.
 */
export const keepMatches = async (
  runtime: ScanRuntime,
  program: ScanningProgram,
  series: Bars,
  observed: ObservedBars,
): Promise<boolean> => {
  const matches = matchesOf(program, series, observed);
  if (matches.length === 0) return false;
  const { rules_hash, timeframe } = program;
  const scope: MatchScope = { rules_hash, timeframe, feed: feedOf(series.timeframe, series.source) };
  await writeMatches(runtime.store, scope, matches, runtime.clock());
  const run = await readScannerRun(runtime.store, scope);
  const late = matches.filter(({ until }) => run && until <= run.closed);
  if (late.length > 0) {
    const scanners = await findScanners(runtime.store, scope, (error) =>
      reportDamaged(runtime, error, ENGINE),
    );
    await reportMatches(
      runtime,
      scope,
      scanners.filter((scanner) => scanner.rules_hash === rules_hash),
      late,
    );
  }
  return true;
};
