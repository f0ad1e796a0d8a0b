import { setTimeout as wait } from 'node:timers/promises';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { RELAY_SOURCE } from '../../../functions/consumers.ts';
import { createRelay } from '../../../functions/relay/relay.ts';
import { openState } from '../../../infra/local/database/state.ts';
import { type StreamPump, startStreamPump } from '../../../infra/local/database/stream-pump.ts';
import { deliverRecords, type LaneEvent } from '../../../shared/deliveries/batch.ts';
import { deliver } from '../../../shared/deliveries/main/deliver-main.ts';
import { engineClient, openEngineClient } from '../../support/engine.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { type LaneQueues, startLaneQueues } from '../../support/lane-queues.ts';
import { furnish, outbox, register } from '../../support/people.ts';
import { until } from '../../support/until.ts';
import { json, startUpstream, type Upstream } from '../../support/upstream.ts';

const environment = { ...process.env };
let mail: Upstream;
let hub: TestHub;
let queues: LaneQueues;
let streams: DynamoDBStreamsClient;
let pump: StreamPump;
/** Places at which the next batch dies, once. */
let crash: 'before handing over' | 'after handing over' | 'of the consumer' | undefined;

const dieAt = (place: typeof crash): void => {
  if (crash !== place) return;
  crash = undefined;
  throw new Error('the process died');
};

beforeAll(async () => {
  mail = await startUpstream(json({ MessageId: 'm-1' }));
  hub = await startHub();
  await furnish(hub);
  queues = await startLaneQueues({
    main: (event) => {
      dieAt('of the consumer');
      return deliverRecords(deliver, hub.runtime, event);
    },
  });
  Object.assign(process.env, queues.environment, {
    AWS_MAX_ATTEMPTS: '1',
    AWS_ENDPOINT_URL_SESV2: mail.url,
  });
  const relay = createRelay({ ...hub.with(queues.environment).runtime, clock: () => new Date() });
  streams = new DynamoDBStreamsClient(engineClient(hub.endpoint));
  const database = openEngineClient(hub.endpoint);
  const { Table } = await database.send(new DescribeTableCommand({ TableName: hub.runtime.store.table }));
  database.destroy();
  pump = await startStreamPump({
    client: streams,
    streamArn: Table?.LatestStreamArn ?? '',
    functionName: 'relay',
    source: RELAY_SOURCE,
    invoke: async (event) => {
      dieAt('before handing over');
      const answer = await relay(JSON.parse(JSON.stringify(event)));
      dieAt('after handing over');
      return answer;
    },
    state: openState(undefined),
    onDeadLetter: (_, error) => {
      throw error;
    },
    onError: (error) => {
      throw error;
    },
    pollMs: 10,
    backoffMs: 1,
  });
});
beforeEach(() => {
  mail.received.length = 0;
  hub.log.length = 0;
});
afterEach(() => expect(crash).toBeUndefined());
afterAll(async () => {
  process.env = environment;
  await pump.close(1000);
  await queues.close();
  streams.destroy();
  await Promise.all([hub.close(), mail.close()]);
});

test.each([undefined, 'before handing over', 'after handing over', 'of the consumer'] as const)(
  'a message goes from the table through the stream and its queue to its recipient, once: crash %s',
  async (place) => {
    crash = place;
    const { body } = await register(hub);
    await hub.call('POST /send_otp_password_reset', { query: { email: body.email } });
    await until(async () => (await outbox(hub)).length === 0);
    // A repeat would have come by now.
    await wait(100);
    await queues.drain();
    expect(await outbox(hub)).toEqual([]);
    const sent = mail.received.filter(({ body }) => body.includes('Your code for a new password'));
    expect(sent).toHaveLength(1);
  },
);

const queued = (messageId: string, group?: string): LaneEvent['Records'][number] => ({
  messageId,
  body: JSON.stringify({ delivery_id: messageId, attempts: 0, ...(group !== undefined && { group }) }),
});

test('after a failure, the rest of its group is retried too, and other groups are delivered', async () => {
  const tried: string[] = [];
  const deliver = async (_: unknown, id: string) => {
    tried.push(id);
    if (id === 'a2') throw new Error('the table cannot be reached');
  };
  const event = {
    Records: [queued('a1', 'a'), queued('b1', 'b'), queued('a2', 'a'), queued('a3', 'a'), queued('c1')],
  };
  expect(await deliverRecords(deliver, hub.runtime, event)).toEqual({
    batchItemFailures: [{ itemIdentifier: 'a2' }, { itemIdentifier: 'a3' }],
  });
  expect(tried.sort()).toEqual(['a1', 'a2', 'b1', 'c1']);
});

test('a message of a newer version is delivered by what is known of it', async () => {
  const tried: unknown[] = [];
  const body = JSON.stringify({ delivery_id: 'm-1', attempts: 2, group: 'g', of_the_next_version: { a: 1 } });
  const deliver = async (_: unknown, id: string, attempts: number) => {
    tried.push([id, attempts]);
  };
  const event = { Records: [{ messageId: 'r-1', body }] };
  expect(await deliverRecords(deliver, hub.runtime, event)).toEqual({ batchItemFailures: [] });
  expect(tried).toEqual([['m-1', 2]]);
});

test('a message of a queue that cannot be read is logged and left to the sweep', async () => {
  const tried: string[] = [];
  const event = {
    Records: [{ messageId: 'm-1', body: 'no JSON' }, { messageId: 'm-2', body: '{}' }, queued('m-3')],
  };
  const deliver = async (_: unknown, id: string) => {
    tried.push(id);
  };
  expect(await deliverRecords(deliver, hub.runtime, event)).toEqual({ batchItemFailures: [] });
  expect(tried).toEqual(['m-3']);
  expect(hub.log.filter(({ level }) => level === 'error').map(({ extra }) => extra)).toEqual([
    { record: 'm-1' },
    { record: 'm-2' },
  ]);
});
