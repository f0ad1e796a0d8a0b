import { setTimeout as wait } from 'node:timers/promises';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type EngineState, openState } from '../../../infra/local/database/state.ts';
import { type StreamPump, startStreamPump } from '../../../infra/local/database/stream-pump.ts';
import { type Engine, engineClient, startEngine } from '../../support/engine.ts';
import { until } from '../../support/until.ts';

interface Batch {
  readonly Records: readonly { readonly dynamodb: { readonly [part: string]: unknown } }[];
}

let engine: Engine;
let documents: DynamoDBDocumentClient;
let streams: DynamoDBStreamsClient;
let streamArn: string;
let state: EngineState;
let pump: StreamPump | undefined;
let next = 0;

beforeAll(async () => {
  engine = await startEngine();
  const client = new DynamoDBClient(engineClient(engine.endpoint));
  documents = DynamoDBDocumentClient.from(client);
  streams = new DynamoDBStreamsClient(engineClient(engine.endpoint));
  const { Table } = await client.send(new DescribeTableCommand({ TableName: engine.table }));
  streamArn = Table?.LatestStreamArn ?? '';
});
afterAll(() => engine.stop());
beforeEach(() => {
  state = openState(undefined);
});
afterEach(() => pump?.close(1000));

const put = async (entity: string, sk = String(next++), more: Record<string, unknown> = {}) => {
  await documents.send(new PutCommand({ TableName: engine.table, Item: { pk: 'p', sk, entity, ...more } }));
  return sk;
};

const start = async (invoke: (batch: Batch) => Promise<unknown>, maxRetries = 2) => {
  const dead: unknown[] = [];
  const errors: unknown[] = [];
  pump = await startStreamPump({
    client: streams,
    streamArn,
    functionName: 'deliver-main',
    source: { entities: ['outbox'], batchSize: 3, maxRetries },
    invoke,
    state,
    onDeadLetter: (records) => dead.push(...keys({ Records: records })),
    onError: (error) => errors.push(error),
    pollMs: 10,
    backoffMs: 1,
  });
  return { dead, errors };
};

const keys = ({ Records }: Batch): unknown[] =>
  Records.map(({ dynamodb }) => JSON.parse(JSON.stringify(dynamodb.Keys)).sk.S);

describe('the stream pump', () => {
  it('passes on new items of its entities like Lambda', async () => {
    const batches: Batch[] = [];
    const { errors } = await start(async (batch) => batches.push(batch) && undefined);
    await put('other');
    const sk = await put('outbox', undefined, {
      n: 1.5,
      bytes: new Uint8Array([0, 255]),
      list: [{ a: true }],
    });
    await put('outbox', sk, { changed: true });
    await until(() => batches.length > 0);
    await wait(50);
    expect(batches).toEqual([
      {
        Records: [
          {
            eventID: expect.any(String),
            eventName: 'INSERT',
            eventVersion: '1.1',
            eventSource: 'aws:dynamodb',
            awsRegion: expect.any(String),
            eventSourceARN: streamArn,
            dynamodb: {
              ApproximateCreationDateTime: expect.any(Number),
              Keys: { pk: { S: 'p' }, sk: { S: sk } },
              NewImage: {
                pk: { S: 'p' },
                sk: { S: sk },
                entity: { S: 'outbox' },
                n: { N: '1.5' },
                bytes: { B: 'AP8=' },
                list: { L: [{ M: { a: { BOOL: true } } }] },
              },
              SequenceNumber: expect.any(String),
              SizeBytes: expect.any(Number),
              StreamViewType: 'NEW_AND_OLD_IMAGES',
            },
          },
        ],
      },
    ]);
    expect(errors).toEqual([]);
  });

  it('keeps the order and the batch size', async () => {
    const seen: unknown[][] = [];
    const gate = Promise.withResolvers<void>();
    await start(async (batch) => {
      seen.push(keys(batch));
      await gate.promise;
    });
    const written: string[] = [];
    for (let i = 0; i < 8; i += 1) written.push(await put('outbox'));
    gate.resolve();
    await until(() => seen.flat().length === 8);
    expect(seen.flat()).toEqual(written);
    expect(Math.max(...seen.map(({ length }) => length))).toBeLessThanOrEqual(3);
  });

  it('retries from the first record that the function reports as failed', async () => {
    const seen: unknown[][] = [];
    let failed = false;
    const hold = Promise.withResolvers<void>();
    await start(async (batch) => {
      await hold.promise;
      seen.push(keys(batch));
      const second = batch.Records[1];
      if (failed || !second) return { batchItemFailures: [] };
      failed = true;
      return { batchItemFailures: [{ itemIdentifier: second.dynamodb.SequenceNumber }] };
    });
    const [first] = [await put('outbox')];
    const rest = [await put('outbox'), await put('outbox'), await put('outbox')];
    hold.resolve();
    await until(() => seen.length >= 3 && new Set(seen.flat()).size === 4);
    const batch = seen.findIndex(({ length }) => length > 1);
    expect(seen[batch + 1]).toEqual(seen[batch]?.slice(1));
    expect([...new Set(seen.flat())]).toEqual([first, ...rest]);
  });

  it('finds the one bad record of a batch, abandons it and delivers the others', async () => {
    const good: unknown[] = [];
    let bad = '';
    const hold = Promise.withResolvers<void>();
    const { dead } = await start(async (batch) => {
      await hold.promise;
      if (keys(batch).includes(bad)) throw new Error('poison');
      good.push(...keys(batch));
    });
    const written: string[] = [];
    for (let i = 0; i < 6; i += 1) written.push(await put('outbox'));
    bad = written[4] ?? '';
    hold.resolve();
    await until(() => good.length === 5);
    expect(dead).toEqual([bad]);
    expect(good).toEqual(written.filter((sk) => sk !== bad));
  });

  it('continues after a restart', async () => {
    const seen: unknown[] = [];
    const remember = async (batch: Batch) => {
      seen.push(...keys(batch));
    };
    await start(remember);
    const before = await put('outbox');
    await until(() => seen.length === 1);
    await pump?.close(1000);
    const meanwhile = [await put('outbox'), await put('outbox')];
    await start(remember);
    await until(() => seen.length === 3);
    expect(seen).toEqual([before, ...meanwhile]);
  });

  it('delivers records again that were in flight when it was ended', async () => {
    const seen: unknown[] = [];
    const passed = Promise.withResolvers<void>();
    await start(async () => passed.resolve());
    await put('outbox');
    await passed.promise;
    await pump?.close(1000);
    const taken = Promise.withResolvers<void>();
    await start(() => {
      taken.resolve();
      return new Promise(() => undefined);
    });
    const sk = await put('outbox');
    await taken.promise;
    await pump?.close();
    await start(async (batch) => {
      seen.push(...keys(batch));
    });
    await until(() => seen.length > 0);
    expect(seen).toEqual([sk]);
  });
});
