import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';

/** Stream record in the format that Lambda passes to a function. */
export interface StreamEventRecord {
  readonly eventID: string;
  readonly eventName: string;
  readonly dynamodb: { readonly SequenceNumber: string; readonly [part: string]: unknown };
  readonly [part: string]: unknown;
}

export interface BatchOptions {
  readonly invoke: (event: { readonly Records: readonly StreamEventRecord[] }) => Promise<unknown>;
  readonly maxRetries: number;
  /** Called with records whose last retry failed. */
  readonly onDeadLetter: (records: readonly StreamEventRecord[], error: unknown) => void;
  readonly signal: AbortSignal;
  readonly backoffMs?: number;
}

const MAX_BACKOFF_MS = 10_000;

const batchResponse = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish() })
  .nullish();

/** Returns the identifiers that a function reported as failed. @throws ZodError if it answered something else. */
export const failedItems = (response: unknown): string[] =>
  (batchResponse.parse(response)?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);

/** Returns the records of a batch to retry after a response: all from the first failed record on. */
const unprocessed = (
  records: readonly StreamEventRecord[],
  response: unknown,
): readonly StreamEventRecord[] => {
  const failures = failedItems(response);
  if (failures.length === 0) return [];
  const positions = failures.map((identifier) =>
    records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === identifier),
  );
  // An identifier that is not in this batch fails the whole batch.
  return records.slice(Math.max(0, Math.min(...positions)));
};

/**
 * Delivers a batch like an event source mapping of Lambda with ReportBatchItemFailures and BisectBatchOnFunctionError.
 * The batch of a failed invocation is split in two, which does not count as a retry. A reported failure is retried from
 * the failed record on. After `maxRetries`, the records are given up. Rejects with the reason of the signal when
 * aborted.
 */
export const deliverBatch = async (
  batch: readonly StreamEventRecord[],
  options: BatchOptions,
): Promise<void> => {
  const { invoke, maxRetries, onDeadLetter, signal, backoffMs = 200 } = options;
  let records = batch;
  for (let retries = 0; records.length > 0; retries += 1) {
    signal.throwIfAborted();
    let failure: unknown = new Error('the function reported the record as failed');
    try {
      const left = unprocessed(records, await invoke({ Records: records }));
      if (left.length === 0) return;
      if (left.length < records.length) retries = 0;
      records = left;
    } catch (error) {
      failure = error;
      if (records.length > 1) {
        const middle = Math.ceil(records.length / 2);
        await deliverBatch(records.slice(0, middle), options);
        return deliverBatch(records.slice(middle), options);
      }
    }
    if (retries >= maxRetries) return onDeadLetter(records, failure);
    await wait(Math.min(backoffMs * 2 ** retries, MAX_BACKOFF_MS), undefined, { signal });
  }
};
