import {
  compareSpan,
  endOfSpan,
  importSpan,
  splitConflictOf,
} from '../../shared/data/candles/import-bars.ts';
import type { Series, SeriesFacts } from '../../shared/data/candles/series.ts';
import type { Store } from '../../shared/data/table/store.ts';
import type { Findings } from '../../shared/domain/candle-files/findings.ts';
import type { BarLine } from '../../shared/domain/candle-files/read-bars.ts';
import { type Bar, columnsOf } from '../../shared/domain/candles/bars.ts';
import type { SeriesKind } from '../../shared/domain/candles/checks.ts';
import { type Quality, QualityReport } from '../../shared/domain/candles/quality.ts';

/** Counts of an import. */
export interface Summary {
  readonly lines: number;
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly quality: Quality;
}

export interface Import {
  readonly store: Store;
  readonly facts: SeriesFacts;
  readonly kind: SeriesKind;
  /** Start of the last bar that may be imported: later ones would be traded. undefined: all may be. */
  readonly until?: number | undefined;
  /** The stored series, whose splits refuse bars. */
  readonly stored?: Series | undefined;
  /** Counts changes without writing them. */
  readonly dryRun: boolean;
  /** Gets the lines after a gap, and those of suspicious bars. */
  readonly findings: Findings;
  readonly onProblem: (line: number, problem: string) => void;
  /** Gets the number of lines after each part of the file. */
  readonly onProgress: (lines: number) => void;
  /** Stops the import after the current line. */
  readonly signal?: AbortSignal;
}

const PROGRESS_LINES = 500;

const IN_USE = 'the bar is after the newest stored one, and active deployments would trade it';

/**
 * Imports bars in constant memory: those of one stored item at a time. Idempotent, so repeat it to continue an
 * interrupted import.
 */
export const importBarLines = async (task: Import, lines: AsyncIterable<BarLine>): Promise<Summary> => {
  const { store, facts } = task;
  const counts = { lines: 0, added: 0, replaced: 0, unchanged: 0, failed: 0 };
  const report = new QualityReport(task.kind);
  let held: Bar[] = [];
  let end = Number.NEGATIVE_INFINITY;

  const write = async (): Promise<void> => {
    if (held.length === 0) return;
    const bars = columnsOf(held);
    const { added, replaced } = await (task.dryRun ? compareSpan : importSpan)(store, facts, bars);
    counts.added += added;
    counts.replaced += replaced;
    counts.unchanged += held.length - added - replaced;
    held = [];
  };

  for await (const one of lines) {
    if (task.signal?.aborted) break;
    counts.lines += 1;
    if (counts.lines % PROGRESS_LINES === 0) task.onProgress(counts.lines);
    if ('fault' in one) {
      counts.failed += 1;
      task.onProblem(one.line, one.fault);
      continue;
    }
    if (one.bar.start > (task.until ?? Number.POSITIVE_INFINITY)) {
      counts.failed += 1;
      task.onProblem(one.line, IN_USE);
      continue;
    }
    const conflict = task.stored && splitConflictOf(task.stored, one.bar.start);
    if (conflict !== undefined) {
      counts.failed += 1;
      task.onProblem(one.line, conflict);
      continue;
    }
    if (one.bar.start >= end) {
      await write();
      end = endOfSpan(facts, one.bar.start);
    }
    held.push(one.bar);
    const { missing, suspicion } = report.add(one.bar);
    if (missing > 0) task.findings.add('gap', one.line);
    if (suspicion) task.findings.add(suspicion, one.line);
  }
  await write();
  return { ...counts, quality: report.result() };
};
