import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type EngineState, openState } from '../../../infra/local/database/state.ts';
import { type LocalServer, openServer } from '../../../infra/local/gateway/server.ts';
import { createAws } from '../../../infra/local/services/aws.ts';
import { loadKey } from '../../../infra/local/services/kms.ts';
import { createMessages } from '../../../infra/local/services/messages.ts';
import type { QueueOptions } from '../../../infra/local/services/queue.ts';
import { createQueues, type Queues } from '../../../infra/local/services/queues.ts';
import { secretReader } from '../../../infra/local/services/secrets.ts';
import { engineClient } from '../../support/engine.ts';
import { until } from '../../support/until.ts';

interface Batch {
  readonly Records: readonly {
    readonly messageId: string;
    readonly body: string;
    readonly [part: string]: unknown;
  }[];
}

let state: EngineState;
let server: LocalServer;
let client: SQSClient;
let queues: Queues;
let batches: Batch[];
let dead: string[];
let invoke: QueueOptions['invoke'];

const start = (options: Partial<QueueOptions> = {}): void => {
  const one = {
    region: 'eu-west-1',
    batchSize: 3,
    concurrency: 4,
    maxReceives: 2,
    visibilityMs: 30,
    invoke: async (event: Batch) => {
      batches.push(event);
      return invoke(event);
    },
    onDeadLetter: (body: string) => dead.push(body),
    ...options,
  };
  queues = createQueues(
    [
      { ...one, name: 'parallel', fifo: false },
      { ...one, name: 'turns.fifo', fifo: true },
    ],
    state,
  );
  server.serve(
    createAws({
      messages: createMessages(() => undefined),
      secret: secretReader(undefined),
      secretId: 's',
      key: loadKey('k', undefined),
      queues,
    }),
  );
};

beforeEach(async () => {
  state = openState(undefined);
  server = await openServer();
  client = new SQSClient({ ...engineClient(`http://127.0.0.1:${server.port}`), maxAttempts: 1 });
  batches = [];
  dead = [];
  invoke = async () => ({ batchItemFailures: [] });
});
afterEach(async () => {
  await queues.close();
  client.destroy();
  await server.close();
  state.close();
});

const url = (name: string): string => `http://127.0.0.1:${server.port}/000000000000/${name}`;
const send = (name: string, Entries: SendMessageBatchRequestEntry[]) =>
  client.send(new SendMessageBatchCommand({ QueueUrl: url(name), Entries }));
const plain = (...bodies: string[]): SendMessageBatchRequestEntry[] =>
  bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody }));
const grouped = (group: string, ...bodies: string[]): SendMessageBatchRequestEntry[] =>
  bodies.map((MessageBody) => ({
    Id: MessageBody,
    MessageBody,
    MessageGroupId: group,
    MessageDeduplicationId: MessageBody,
  }));
const bodies = (): string[] => batches.flatMap(({ Records }) => Records.map(({ body }) => body));

describe('a queue', () => {
  it('takes messages of a real client and delivers them in batches, like Lambda', async () => {
    start();
    const { Successful = [], Failed } = await send('parallel', plain('a', 'b', 'c', 'd'));
    await queues.drain();
    expect(Failed).toEqual([]);
    expect(batches.map(({ Records }) => Records.map(({ body }) => body))).toEqual([['a', 'b', 'c'], ['d']]);
    expect(batches[0]?.Records[0]).toEqual({
      messageId: Successful[0]?.MessageId,
      receiptHandle: expect.any(String),
      body: 'a',
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: expect.stringMatching(/^\d{13}$/),
        SenderId: '000000000000',
        ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
      },
      messageAttributes: {},
      md5OfBody: '0cc175b9c0f1b6a831c399e269772661',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:eu-west-1:000000000000:parallel',
      awsRegion: 'eu-west-1',
    });
    expect(state.messages()).toEqual([]);
  });

  it('delivers only failed messages again, after the visibility timeout', async () => {
    start();
    invoke = async ({ Records }) => ({
      batchItemFailures: Records.filter(({ body }) => body === 'b' && batches.length === 1).map(
        ({ messageId }) => ({ itemIdentifier: messageId }),
      ),
    });
    await send('parallel', plain('a', 'b', 'c'));
    await queues.drain();
    expect(batches.map(({ Records }) => Records.map(({ body }) => body))).toEqual([['a', 'b', 'c'], ['b']]);
    expect(batches[1]?.Records[0]?.attributes).toMatchObject({ ApproximateReceiveCount: '2' });
  });

  it('gives up a message that keeps failing', async () => {
    start();
    invoke = async () => {
      throw new Error('broken');
    };
    await send('parallel', plain('a'));
    await queues.drain();
    expect(bodies()).toEqual(['a', 'a']);
    expect(dead).toEqual(['a']);
    expect(state.messages()).toEqual([]);
  });

  it('keeps messages that were not delivered when the engine ends', async () => {
    start();
    invoke = () => new Promise(() => undefined);
    await send('parallel', plain('a', 'b', 'c', 'd'));
    await queues.close();
    expect(state.messages()).toHaveLength(4);
    invoke = async () => undefined;
    batches = [];
    start();
    await queues.drain();
    expect(bodies()).toEqual(['a', 'b', 'c', 'd']);
    expect(state.messages()).toEqual([]);
  });

  it('keeps a message whose delivery ends after the queue was closed', async () => {
    start();
    const { promise, resolve } = Promise.withResolvers<void>();
    invoke = () => promise;
    await send('parallel', plain('a'));
    await queues.close();
    resolve();
    await queues.drain();
    expect(state.messages()).toHaveLength(1);
  });

  it('refuses calls and entries as SQS does', async () => {
    start();
    await expect(send('unknown', plain('a'))).rejects.toThrow(/does not exist/);
    await expect(send('parallel', plain(...'abcdefghijk'))).rejects.toThrow(/10/);
    await expect(send('parallel', [])).rejects.toThrow();
    const twice = [...plain('a'), ...plain('b')];
    await expect(send('parallel', twice)).rejects.toThrow(/repeated/);
    const { Failed = [], Successful = [] } = await send('turns.fifo', [
      ...grouped('g', 'good'),
      { Id: 'bad', MessageBody: 'bad' },
    ]);
    expect(Successful.map(({ Id }) => Id)).toEqual(['good']);
    expect(Failed).toEqual([expect.objectContaining({ Id: 'bad', SenderFault: true })]);
  });
});

describe('a FIFO queue', () => {
  it('runs the messages of a group in order and one batch at a time, other groups meanwhile', async () => {
    start();
    const gate = Promise.withResolvers<void>();
    invoke = async ({ Records }) => {
      if (Records.some(({ body }) => body === 'a1')) await gate.promise;
    };
    await send('turns.fifo', grouped('a', 'a1', 'a2', 'a3', 'a4'));
    await send('turns.fifo', grouped('b', 'b1', 'b2'));
    await until(() => bodies().includes('b2'));
    expect(bodies()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
    gate.resolve();
    await queues.drain();
    expect(bodies()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'a4']);
  });

  it('holds back a group until its failed message comes back', async () => {
    start({ batchSize: 1 });
    invoke = async () => {
      if (batches.length === 1) throw new Error('broken');
    };
    await send('turns.fifo', grouped('a', 'a1', 'a2'));
    await queues.drain();
    expect(bodies()).toEqual(['a1', 'a1', 'a2']);
  });

  it('drops a repeat, and answers it with the id of the first', async () => {
    start();
    const first = await send('turns.fifo', grouped('a', 'a1'));
    const second = await send('turns.fifo', grouped('a', 'a1'));
    await queues.drain();
    expect(second.Successful?.[0]?.MessageId).toBe(first.Successful?.[0]?.MessageId);
    expect(bodies()).toEqual(['a1']);
  });
});
