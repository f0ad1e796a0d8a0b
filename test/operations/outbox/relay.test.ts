import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod';
import { createRelay, LEFT_TO_SWEEP } from '../../../functions/relay/relay.ts';
import { LANES, type RelayedLane } from '../../../shared/data/outbox/lanes.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { json, type Received, startUpstream, type Upstream } from '../../support/upstream.ts';

const USER = 'a-user-id-that-nobody-may-see';
const SECOND = 1000;

const callSchema = z.object({
  QueueUrl: z.string(),
  Entries: z.array(
    z.object({
      Id: z.string(),
      MessageBody: z.string(),
      MessageGroupId: z.string().optional(),
      MessageDeduplicationId: z.string().optional(),
    }),
  ),
});
type Call = z.output<typeof callSchema>;
type Fault = { readonly Code: string; readonly SenderFault: boolean } | undefined;

const environment = { ...process.env };
let sqs: Upstream;
let hub: TestHub;
let relay: ReturnType<typeof createRelay>;
/** Says of an entry why its queue does not accept it. */
let faultOf: (lane: string, deliveryId: string) => Fault;
/** Lanes whose calls fail as a whole. */
let down: readonly string[];

const callOf = ({ body }: Received): Call => callSchema.parse(JSON.parse(body));
const laneOf = ({ QueueUrl }: Call): string => /\/([a-z]+)[^/]*$/.exec(QueueUrl)?.[1] ?? '';
const calls = (): Call[] => sqs.received.map(callOf);
const idOf = ({ MessageBody }: Call['Entries'][number]): string => JSON.parse(MessageBody).delivery_id;
const handedTo = (lane: string): string[] =>
  calls()
    .filter((call) => laneOf(call) === lane)
    .flatMap(({ Entries }) => Entries.map(idOf));

const answer = (received: Received, response: ServerResponse): void => {
  const call = callOf(received);
  const lane = laneOf(call);
  if (down.includes(lane)) {
    const error = { __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: 'no such queue' };
    json(error, 400)(received, response);
    return;
  }
  const judged = call.Entries.map((entry) => ({ entry, fault: faultOf(lane, idOf(entry)) }));
  json({
    Successful: judged.flatMap(({ entry: { Id, MessageBody }, fault }) =>
      fault
        ? []
        : [{ Id, MessageId: Id, MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') }],
    ),
    Failed: judged.flatMap(({ entry: { Id }, fault }) => (fault ? [{ Id, ...fault }] : [])),
  })(received, response);
};

beforeAll(async () => {
  sqs = await startUpstream(answer);
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_MAX_ATTEMPTS: '1',
    AWS_ENDPOINT_URL_SQS: sqs.url,
  });
  hub = await startHub();
});
beforeEach(() => {
  sqs.received.length = 0;
  hub.log.length = 0;
  faultOf = () => undefined;
  down = [];
  const urls = {
    orders: `${sqs.url}/0/orders`,
    main: `${sqs.url}/0/main.fifo`,
    push: `${sqs.url}/0/push`,
    bulk: `${sqs.url}/0/bulk`,
  };
  relay = createRelay(hub.with({ HUB_QUEUES: JSON.stringify(urls) }).runtime);
});
afterEach(() => expect(JSON.stringify(hub.log)).not.toContain(USER));
afterAll(async () => {
  process.env = environment;
  await Promise.all([hub.close(), sqs.close()]);
});

/** Builds a record of the stream, as Lambda passes it, for a new message that is so old. */
const record = (
  lane: RelayedLane,
  id: string,
  { kind = 'domain_event', ageMs = 0, group }: { kind?: string; ageMs?: number; group?: string } = {},
): DynamoDBStreamEvent['Records'][number] => ({
  eventName: 'INSERT',
  dynamodb: {
    SequenceNumber: `at-${id}`,
    ApproximateCreationDateTime: Math.floor((hub.runtime.clock().getTime() - ageMs) / 1000),
    NewImage: {
      entity: { S: LANES[lane].entity },
      delivery_id: { S: id },
      attempts: { N: '0' },
      ...(group !== undefined && { group: { S: group } }),
      message: { M: { kind: { S: kind }, user_id: { S: USER }, secret: { S: 'content' } } },
    },
  },
});

const several = (lane: RelayedLane, count: number, options?: Parameters<typeof record>[2]) =>
  Array.from({ length: count }, (_, n) => record(lane, `${lane}-${n}`, options));
const run = async (...Records: DynamoDBStreamEvent['Records']): Promise<string[]> =>
  (await relay({ Records })).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);

test('hands each new message to the queue of its lane: a pointer, without content or user', async () => {
  const failed = await run(record('push', 'p'), record('main', 'm'), record('orders', 'o'));
  expect(failed).toEqual([]);
  expect(['orders', 'main', 'push'].map((lane) => [lane, handedTo(lane)])).toEqual([
    ['orders', ['o']],
    ['main', ['m']],
    ['push', ['p']],
  ]);
  const sent = sqs.received.map(({ body }) => body).join();
  expect(sent).not.toContain(USER);
  expect(sent).not.toContain('content');
  expect(JSON.parse(calls()[0]?.Entries[0]?.MessageBody ?? '')).toEqual({ delivery_id: 'o', attempts: 0 });
});

test('mails and text messages of notifications, and analytics, do not share the queue of codes', async () => {
  expect(await run(record('main', 'code'), record('bulk', 'notification'))).toEqual([]);
  expect([handedTo('main'), handedTo('bulk')]).toEqual([['code'], ['notification']]);
  down = ['bulk'];
  expect(await run(record('main', 'a'), record('bulk', 'b'))).toEqual(['at-b']);
});

test('calls take ten messages, and requests of orders go first', async () => {
  await run(...several('push', 12), ...several('main', 25), ...several('orders', 11));
  expect(Math.max(...calls().map(({ Entries }) => Entries.length))).toBe(10);
  expect(calls().map(laneOf).slice(0, 2)).toEqual(['orders', 'orders']);
  expect(handedTo('main')).toEqual(
    several('main', 25).map(({ dynamodb }) => dynamodb?.SequenceNumber?.slice(3)),
  );
  expect([handedTo('push').length, handedTo('orders').length]).toEqual([12, 11]);
});

test('messages for the lists of a user share a group, and a repeat is recognised by its id', async () => {
  await run(
    record('main', 'a', { kind: 'live_entries' }),
    record('main', 'b', { kind: 'live_entries' }),
    record('main', 'c'),
    record('main', 'd', { group: 'given' }),
    record('push', 'e', { kind: 'device_push' }),
  );
  const entries = calls().flatMap(({ Entries }) => Entries);
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((id) => entries.find((entry) => idOf(entry) === id));
  expect(a?.MessageGroupId).toHaveLength(22);
  expect(b?.MessageGroupId).toBe(a?.MessageGroupId);
  expect(c?.MessageGroupId).toBe('c');
  expect(d?.MessageGroupId).not.toBe(a?.MessageGroupId);
  expect([a, b, c, d, e].map((entry) => entry?.MessageDeduplicationId)).toEqual([
    'a',
    'b',
    'c',
    'd',
    undefined,
  ]);
  // Consumers keep the order of a group on a FIFO queue. On others it is for fairness only.
  expect(JSON.parse(a?.MessageBody ?? '').group).toBe(a?.MessageGroupId);
  expect(e?.MessageGroupId).toBe(a?.MessageGroupId);
  expect(JSON.parse(e?.MessageBody ?? '').group).toBeUndefined();
});

test('the parts of a walk over deployments run in turn, apart from the lists of the user', async () => {
  await run(
    record('main', 'a', { kind: 'change_listeners' }),
    record('main', 'b', { kind: 'change_listeners' }),
    record('main', 'c', { kind: 'risk_limits' }),
    record('main', 'd', { kind: 'live_entries' }),
  );
  const entries = calls().flatMap(({ Entries }) => Entries);
  const groups = ['a', 'b', 'c', 'd'].map(
    (id) => entries.find((entry) => idOf(entry) === id)?.MessageGroupId,
  );
  expect(groups[0]).toBe(groups[1]);
  expect(new Set(groups).size).toBe(3);
});

test('a message that a queue does not accept is sent again, and then left to the stream alone', async () => {
  const busy = { Code: 'ServiceUnavailable', SenderFault: false };
  let refusals = 0;
  faultOf = (_, id) => (id === 'push-1' && refusals++ === 0 ? busy : undefined);
  expect(await run(...several('push', 3))).toEqual([]);
  expect(handedTo('push')).toEqual(['push-0', 'push-1', 'push-2', 'push-1']);
  faultOf = (_, id) => (id === 'push-1' ? busy : undefined);
  expect(await run(...several('push', 3))).toEqual(['at-push-1']);
});

test('a message that a queue will never accept is not repeated', async () => {
  faultOf = (_, id) => (id === 'push-1' ? { Code: 'InvalidMessageContents', SenderFault: true } : undefined);
  expect(await run(...several('push', 3))).toEqual([]);
  expect(handedTo('push')).toEqual(['push-0', 'push-1', 'push-2']);
  expect(hub.log.map(({ message, extra }) => [message, extra])).toEqual([
    [LEFT_TO_SWEEP, { lane: 'push', messages: 1, reasons: ['InvalidMessageContents'] }],
  ]);
});

test('a lane that fails holds up the others for ten seconds at most', async () => {
  down = ['push'];
  const batch = (ageMs: number) => [record('orders', 'o', { ageMs }), record('push', 'p', { ageMs })];
  expect(await run(...batch(0))).toEqual(['at-p']);
  expect(await run(...batch(5 * SECOND))).toEqual(['at-p']);
  expect(await run(...batch(11 * SECOND))).toEqual([]);
  expect(handedTo('orders')).toEqual(['o', 'o', 'o']);
  const lines = hub.log.map(({ level, message }) => [level, message]);
  expect(lines.at(-1)).toEqual(['error', LEFT_TO_SWEEP]);
  expect(lines.filter(([level]) => level === 'error')).toHaveLength(1);
});

test('a lane that takes nothing for long holds up nothing any more, and is tried every ten seconds', async () => {
  down = ['push'];
  const repeated: string[][] = [];
  for (let second = 0; second < 40; second++) {
    repeated.push(await run(record('orders', `o-${second}`), record('push', `p-${second}`)));
    hub.advance(SECOND);
  }
  expect(repeated.findLastIndex((failed) => failed.length > 0)).toBe(9);
  expect(handedTo('orders')).toHaveLength(40);
  // A call each second for ten seconds, then one every ten seconds.
  expect(handedTo('push')).toHaveLength(10 + 3);
  down = [];
  hub.advance(10 * SECOND);
  expect(await run(record('push', 'later'))).toEqual([]);
  expect(await run(record('push', 'last'))).toEqual([]);
  expect(handedTo('push').slice(-2)).toEqual(['later', 'last']);
});

test('a lane that takes some messages is not given up, nor is that of orders', async () => {
  down = ['orders'];
  faultOf = (_, id) => (id.startsWith('bad') ? { Code: 'Busy', SenderFault: false } : undefined);
  for (let second = 0; second < 15; second++) {
    const batch = [record('orders', 'o'), record('main', `bad-${second}`), record('main', `good-${second}`)];
    expect([second, await run(...batch)]).toEqual([second, ['at-o', `at-bad-${second}`]]);
    hub.advance(SECOND);
  }
  expect(handedTo('main')).toContain('good-14');
});

test('a lane that failed is not called for old messages for ten seconds, and then is again', async () => {
  down = ['push'];
  const old = () => several('push', 2, { ageMs: 11 * SECOND });
  await run(...old());
  const before = handedTo('push').length;
  await run(...old());
  expect(handedTo('push')).toHaveLength(before);
  down = [];
  hub.advance(11 * SECOND);
  expect(await run(...old())).toEqual([]);
  expect(handedTo('push')).toHaveLength(before + 2);
});

test('after a failure, a lane that runs in turn gets none of the later messages', async () => {
  faultOf = (_, id) => (id === 'main-3' ? { Code: 'Busy', SenderFault: false } : undefined);
  const failed = await run(...several('main', 25));
  expect(failed[0]).toBe('at-main-3');
  expect(failed.slice(1)).toEqual(
    several('main', 25)
      .slice(10)
      .map(({ dynamodb }) => dynamodb?.SequenceNumber),
  );
});

test('a record that is no message is skipped, and logged without its content', async () => {
  expect(await run({ dynamodb: { SequenceNumber: 's-1', NewImage: { entity: { S: 'user' } } } })).toEqual([]);
  expect(hub.log).toEqual([expect.objectContaining({ level: 'error', extra: { sequence: 's-1' } })]);
  expect(sqs.received).toEqual([]);
});
