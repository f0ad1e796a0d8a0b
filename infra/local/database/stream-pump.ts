import { setTimeout as wait } from 'node:timers/promises';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { StreamSource } from '../../../functions/declaration.ts';
import type { EngineState } from './state.ts';
import { type BatchOptions, deliverBatch } from './stream-batches.ts';
import { entityOf, toEventRecord } from './stream-records.ts';

export interface StreamPumpOptions {
  readonly client: DynamoDBStreamsClient;
  readonly streamArn: string;
  readonly functionName: string;
  readonly source: StreamSource;
  readonly invoke: BatchOptions['invoke'];
  readonly state: Pick<EngineState, 'checkpoint' | 'saveCheckpoint'>;
  readonly onDeadLetter: BatchOptions['onDeadLetter'];
  /** Called when reading the stream fails. Reading continues. */
  readonly onError: (error: unknown) => void;
  readonly pollMs?: number;
  readonly backoffMs?: number;
}

export interface StreamPump {
  /** Stops reading and waits at most `graceMs` for the current batch. */
  readonly close: (graceMs?: number) => Promise<void>;
}

const ERROR_PAUSE_MS = 2000;
/** Records of one read of the stream: several batches of a function, but little memory. */
const PAGE_SIZE = 200;

const startsOver = (error: unknown): boolean =>
  error instanceof ExpiredIteratorException || error instanceof TrimmedDataAccessException;

/**
 * Delivers new items of the table to a function like an event source mapping of Lambda: records in order, filtered by
 * event name and entity, in batches.
 *
 * Starts after the last delivered record, or at the end of a stream that was never read. Delivery is at least once. If
 * the stream no longer holds unread items, the job that sweeps undelivered messages finds them.
 */
export const startStreamPump = async (options: StreamPumpOptions): Promise<StreamPump> => {
  const { client, streamArn, functionName, source, state, pollMs = 150 } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const iterators = new Map<string, string>();
  const finished = new Set<string>();

  const keyOf = (shardId: string): string => `${functionName} ${streamArn} ${shardId}`;

  const shards = async (): Promise<readonly Shard[]> => {
    const found: Shard[] = [];
    let last: string | undefined;
    do {
      const { StreamDescription } = await client.send(
        new DescribeStreamCommand({ StreamArn: streamArn, ...(last && { ExclusiveStartShardId: last }) }),
      );
      found.push(...(StreamDescription?.Shards ?? []));
      last = StreamDescription?.LastEvaluatedShardId;
    } while (last);
    return found;
  };

  const iteratorOf = async (
    ShardId: string,
    fallback: 'LATEST' | 'TRIM_HORIZON',
  ): Promise<string | undefined> => {
    const sequence = state.checkpoint(keyOf(ShardId));
    const from = sequence
      ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: sequence }
      : { ShardIteratorType: fallback };
    const start = { StreamArn: streamArn, ShardId };
    try {
      return (await client.send(new GetShardIteratorCommand({ ...start, ...from }))).ShardIterator;
    } catch (error) {
      if (!startsOver(error)) throw error;
      const oldest = new GetShardIteratorCommand({ ...start, ShardIteratorType: 'TRIM_HORIZON' });
      return (await client.send(oldest)).ShardIterator;
    }
  };

  /** Finds shards that are not read yet. A shard that follows a finished one is read from its start. */
  const discover = async (fallback: 'LATEST' | 'TRIM_HORIZON'): Promise<void> => {
    for (const { ShardId } of await shards()) {
      if (!ShardId || iterators.has(ShardId) || finished.has(ShardId)) continue;
      const iterator = await iteratorOf(ShardId, fallback);
      if (iterator) iterators.set(ShardId, iterator);
    }
  };

  /** Reads the next page of a shard. Keeps only what the function gets, as delivering takes much longer than reading. */
  const readPage = async (ShardIterator: string) => {
    const { Records = [], NextShardIterator } = await client.send(
      new GetRecordsCommand({ ShardIterator, Limit: PAGE_SIZE }),
    );
    const wanted = Records.filter(
      (record) => record.eventName === 'INSERT' && source.entities.includes(entityOf(record) ?? ''),
    );
    return {
      count: Records.length,
      last: Records.at(-1)?.dynamodb?.SequenceNumber,
      next: NextShardIterator,
      wanted: wanted.map((record) => toEventRecord(record, streamArn)),
    };
  };

  const readShard = async (shardId: string, iterator: string): Promise<number> => {
    const { count, last, next, wanted } = await readPage(iterator);
    for (let at = 0; at < wanted.length; at += source.batchSize) {
      const batch = wanted.slice(at, at + source.batchSize);
      await deliverBatch(batch, { ...options, maxRetries: source.maxRetries, signal });
    }
    if (last) state.saveCheckpoint(keyOf(shardId), last);
    if (next) iterators.set(shardId, next);
    else {
      iterators.delete(shardId);
      finished.add(shardId);
      await discover('TRIM_HORIZON');
    }
    return count;
  };

  const readAll = async (): Promise<number> => {
    let read = 0;
    for (const [shardId, iterator] of [...iterators]) {
      try {
        read += await readShard(shardId, iterator);
      } catch (error) {
        if (!startsOver(error)) throw error;
        iterators.delete(shardId);
        await discover('TRIM_HORIZON');
      }
    }
    return read;
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      let pause = pollMs;
      try {
        if ((await readAll()) > 0) pause = 0;
      } catch (error) {
        if (signal.aborted) return;
        options.onError(error);
        pause = ERROR_PAUSE_MS;
      }
      await wait(pause, undefined, { signal }).catch(() => undefined);
    }
  };

  await discover('LATEST');
  const running = run();
  return {
    close: async (graceMs = 0) => {
      closing.abort();
      await Promise.race([running, wait(graceMs, undefined, { ref: false })]);
    },
  };
};
