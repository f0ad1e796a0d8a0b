import type { ListLine } from '../../shared/domain/csv/cells.ts';
import {
  noLines,
  prepareBatch,
  type Ready,
  type Source,
  type Summary,
  type Writing,
} from './prepare-batch.ts';
import type { Writer } from './writer.ts';

export interface Import extends Source {
  readonly writer: Writer;
  readonly onProblem: (line: number, problem: string) => void;
  /** Gets the counts so far after each batch. */
  readonly onProgress: (summary: Summary) => void;
  /** Stops the import after the current batch. */
  readonly signal?: AbortSignal;
}

const batchesOf = async function* <T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[], undefined> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
  return undefined;
};

const sumOf = (a: Summary, b: Summary): Summary => ({
  lines: a.lines + b.lines,
  created: a.created + b.created,
  updated: a.updated + b.updated,
  unchanged: a.unchanged + b.unchanged,
  skipped: a.skipped + b.skipped,
  failed: a.failed + b.failed,
});

/**
 * Imports a list in constant memory: reads a batch while the one before it is being written. Idempotent, so repeat it
 * to continue an interrupted import.
 */
export const importLines = async (task: Import, lines: AsyncIterable<ListLine>): Promise<Summary> => {
  let summary: Summary = noLines();

  const write = async ({ counts, problems }: Ready, commit: () => Promise<void>): Promise<void> => {
    await commit();
    summary = sumOf(summary, counts);
    for (const { at, message } of problems.toSorted((a, b) => a.at - b.at)) task.onProblem(at, message);
    task.onProgress(summary);
  };

  const batches = batchesOf(lines, task.writer.lines);
  let writing: Writing | undefined;
  const prepareNext = async () => {
    if (task.signal?.aborted) return undefined;
    const { value: batch } = await batches.next();
    if (!batch) return undefined;
    const ready = await prepareBatch(task, batch, writing);
    return { ready, commit: await task.writer.stage(ready.changes) };
  };
  try {
    for (;;) {
      const [next] = await Promise.all([prepareNext(), writing?.done]);
      if (!next || task.signal?.aborted) break;
      const { ready, commit } = next;
      writing = {
        symbols: new Set(ready.changes.map(({ next }) => next.symbol)),
        done: write(ready, commit),
      };
    }
  } finally {
    // A list that fails leaves its last batch written.
    await Promise.allSettled([writing?.done]);
    await batches.return(undefined);
  }
  return summary;
};
