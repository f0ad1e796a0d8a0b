import { once } from 'node:events';
import { get as httpGet, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type EngineState, openState } from '../../../infra/local/database/state.ts';
import { type LocalServer, openServer } from '../../../infra/local/gateway/server.ts';
import { FunctionFailedError } from '../../../infra/local/lambda/functions.ts';
import { givenUp } from '../../../infra/local/lambda/triggers.ts';
import { type Bus, createBus } from '../../../infra/local/services/bus.ts';
import type { BusEvent, BusRule } from '../../../infra/local/services/bus-event.ts';
import { type EventPattern, matchesPattern } from '../../../infra/local/services/event-pattern.ts';
import { engineClient } from '../../support/engine.ts';

let server: LocalServer | undefined;
let bus: Bus | undefined;

afterEach(async () => {
  await bus?.close();
  await server?.close();
});

const open = async (
  rules: readonly BusRule[],
  onDeadLetter: (rule: string, event: BusEvent, error: unknown) => void = () => undefined,
  state: EngineState = openState(undefined),
) => {
  const printed: string[] = [];
  server = await openServer();
  bus = createBus({
    name: 'the-bus',
    hubPath: '/hub',
    rules,
    region: 'eu-west-1',
    state,
    onDeadLetter,
    print: (line) => printed.push(line),
    attempts: 3,
    backoffMs: 1,
  });
  server.serve(bus.listener);
  const client = new EventBridgeClient(engineClient(`http://127.0.0.1:${server.port}`));
  const put = (...Entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries }));
  return { put, bus, state, printed };
};

const entry = (detail: object): PutEventsRequestEntry => ({
  EventBusName: 'the-bus',
  Source: 'engine',
  DetailType: 'Order Updated',
  Detail: JSON.stringify(detail),
});

const collect = (name = 'all', pattern: EventPattern = {}) => {
  const events: BusEvent[] = [];
  const rule: BusRule = {
    name,
    pattern,
    deliver: async (event) => {
      events.push(event);
    },
  };
  return { rule, events };
};

describe('PutEvents with the SDK', () => {
  it('passes an event to the matching rules, in EventBridge’s envelope', async () => {
    const orders = collect('orders', { 'detail-type': ['Order Updated'], detail: { version: [1] } });
    const quotes = collect('quotes', { 'detail-type': ['Quote Marked'] });
    const { put, bus } = await open([orders.rule, quotes.rule]);
    const time = new Date('2026-01-02T03:04:05Z');
    const answer = await put({ ...entry({ version: 1 }), Time: time, Resources: ['a'] });
    await bus.drain();
    expect(answer).toMatchObject({ FailedEntryCount: 0, Entries: [{ EventId: orders.events[0]?.id }] });
    expect(orders.events).toEqual([
      {
        version: '0',
        id: expect.any(String),
        'detail-type': 'Order Updated',
        source: 'engine',
        account: '000000000000',
        time: '2026-01-02T03:04:05Z',
        region: 'eu-west-1',
        resources: ['a'],
        detail: { version: 1 },
      },
    ]);
    expect(quotes.events).toEqual([]);
  });

  it('reports the error of an entry and accepts the others', async () => {
    const { rule, events } = collect();
    const { put, bus } = await open([rule]);
    const answer = await put(
      { DetailType: 'a', Detail: '{}' },
      { Source: 'a', Detail: '{}' },
      { Source: 'a', DetailType: 'a' },
      { ...entry({}), Detail: '[1' },
      { ...entry({}), Detail: '"text"' },
      { ...entry({}), Source: 'aws.s3' },
      entry({ fine: true }),
    );
    await bus.drain();
    expect(answer.FailedEntryCount).toBe(6);
    expect(answer.Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual([
      'InvalidArgument',
      'InvalidArgument',
      'InvalidArgument',
      'MalformedDetail',
      'MalformedDetail',
      'NotAuthorizedForSourceException',
      undefined,
    ]);
    expect(events).toMatchObject([{ detail: { fine: true } }]);
  });

  it('refuses an empty list, more than ten entries, and more than 256 KB', async () => {
    const { put } = await open([]);
    await expect(put()).rejects.toMatchObject({ name: 'ValidationException' });
    await expect(put(...Array.from({ length: 11 }, () => entry({})))).rejects.toMatchObject({
      name: 'ValidationException',
    });
    await expect(put(entry({ a: 'a'.repeat(256 * 1024) }))).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });
});

const ARN = 'arn:aws:events:eu-west-1:000000000000:event-bus/the-bus';

describe('the name of the bus', () => {
  it('is its name or its ARN; any other bus does not exist', async () => {
    const { rule, events } = collect();
    const { put, bus } = await open([rule]);
    const { EventBusName: _, ...unnamed } = entry({ n: 3 });
    const answer = await put(
      entry({ n: 1 }),
      { ...entry({ n: 2 }), EventBusName: ARN },
      unnamed,
      { ...entry({ n: 4 }), EventBusName: 'another' },
      { ...entry({ n: 5 }), EventBusName: ARN.replace('the-bus', 'another') },
    );
    await bus.drain();
    expect(answer.Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual([
      undefined,
      undefined,
      'ResourceNotFoundException',
      'ResourceNotFoundException',
      'ResourceNotFoundException',
    ]);
    expect(answer.Entries?.[3]?.ErrorMessage).toBe(
      'Event bus another does not exist. The bus of this service is the-bus.',
    );
    expect(events.map(({ detail }) => detail.n)).toEqual([1, 2]);
  });
});

it('refuses an event under another name, which the page of a stranger may have made lead here', async () => {
  const { rule, events } = collect();
  const { bus } = await open([rule]);
  const request = httpRequest({
    host: '127.0.0.1',
    port: server?.port,
    method: 'POST',
    headers: { host: 'rebound.example', 'x-amz-target': 'AWSEvents.PutEvents' },
  });
  request.end(JSON.stringify({ Entries: [entry({})] }));
  const [answer] = await once(request, 'response');
  expect(answer.statusCode).toBe(403);
  answer.resume();
  await bus.drain();
  expect(events).toEqual([]);
});

describe('the source of the hub', () => {
  it('is reserved for the hub', async () => {
    const { rule, events } = collect();
    const { put, bus } = await open([rule]);
    const event = { ...entry({}), Source: 'strategy-hub' };
    expect(await put(event)).toMatchObject({
      FailedEntryCount: 1,
      Entries: [{ ErrorCode: 'NotAuthorizedForSourceException' }],
    });
    const own = new EventBridgeClient(engineClient(`http://127.0.0.1:${server?.port}/hub`));
    expect(await own.send(new PutEventsCommand({ Entries: [event] }))).toMatchObject({ FailedEntryCount: 0 });
    own.destroy();
    await bus.drain();
    expect(events.map(({ source }) => source)).toEqual(['strategy-hub']);
  });
});

describe('a misspelt name', () => {
  const of = (type: string, more: object = {}) => ({ ...entry({}), DetailType: type, ...more });
  const taken = {
    source: [{ 'anything-but': ['strategy-hub'] }],
    'detail-type': ['Order Updated', 'Signal Raised'],
  };
  const own = { source: ['strategy-hub'], 'detail-type': ['Order Undated'] };

  it('of an event is on the console, with the nearest one that the source may send', async () => {
    const rules = [collect('engines', taken).rule, collect('hub', own).rule];
    const { put, printed } = await open(rules);
    await put(
      of('Order Updated'),
      of('order undated'),
      of('SignalRaised', { Source: 'a\nb' }),
      of('x'.repeat(999)),
    );
    expect(printed).toEqual([
      'Dropped an event of engine: no function takes the DetailType "order undated". Did you mean "Order Updated"?',
      'Dropped an event of a b: no function takes the DetailType "SignalRaised". Did you mean "Signal Raised"?',
      expect.stringMatching(/ "x{64}"\. Did you mean "/),
    ]);
  });

  it('of the bus or the source is on the console, with the reason', async () => {
    const { put, printed } = await open([collect('engines', taken).rule]);
    await put(
      of('Order Updated', { EventBusName: 'the-bsu' }),
      of('Order Updated', { Source: 'strategy-hub' }),
    );
    expect(printed).toEqual([
      'Refused an event "Order Updated" of "engine": Event bus the-bsu does not exist. The bus of this service is the-bus.',
      'Refused an event "Order Updated" of "strategy-hub": Not authorized for the source.',
    ]);
  });

  it('is not looked for in events of the hub, which engines outside take', async () => {
    const { printed } = await open([collect('engines', taken).rule]);
    await putAsHub('Deployment Requested', {});
    expect(printed).toEqual([]);
  });
});

const putAsHub = async (DetailType: string, detail: object): Promise<void> => {
  const client = new EventBridgeClient(engineClient(`http://127.0.0.1:${server?.port}/hub`));
  const Detail = JSON.stringify(detail);
  await client.send(
    new PutEventsCommand({ Entries: [{ ...entry({}), Source: 'strategy-hub', DetailType, Detail }] }),
  );
  client.destroy();
};

describe('GET /events', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      httpGet({ host: '127.0.0.1', port: server?.port, path, headers }, resolve).once('error', reject);
    });

  it('streams the hub’s events for engines, as EventBridge delivers them', async () => {
    const { put, bus } = await open([]);
    const stream = await get('/events');
    expect([stream.statusCode, stream.headers['content-type']]).toEqual([200, 'text/event-stream']);
    await put({ ...entry({}), DetailType: 'Deployment Requested' });
    await putAsHub('Engine Deployment Requested', {});
    await putAsHub('Deployment Requested', { version: 1, deployment_id: 7 });
    await putAsHub('Deployment Halted', { version: 1, deployment_id: 7, flatten: false });
    await bus.close();
    const events = (await text(stream)).split('\n\n').filter((part) => part !== '');
    expect(events.map((part) => JSON.parse(part.replace(/^data: /, '')))).toEqual([
      {
        version: '0',
        id: expect.any(String),
        'detail-type': 'Deployment Requested',
        source: 'strategy-hub',
        account: '000000000000',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        region: 'eu-west-1',
        resources: [],
        detail: { version: 1, deployment_id: 7 },
      },
      expect.objectContaining({
        'detail-type': 'Deployment Halted',
        detail: { version: 1, deployment_id: 7, flatten: false },
      }),
    ]);
  });

  it('streams the types that are asked for', async () => {
    const { bus } = await open([]);
    const stream = await get('/events?detail-type=Deployment+Halted&detail-type=Position%20Closed');
    for (const type of ['Deployment Requested', 'Deployment Halted', 'Position Closed'])
      await putAsHub(type, {});
    await bus.close();
    const types = [...(await text(stream)).matchAll(/"detail-type":"([^"]+)"/g)].map(([, type]) => type);
    expect(types).toEqual(['Deployment Halted', 'Position Closed']);
  });

  it.each<[string, Record<string, string>, number, string]>([
    ['/events?detail-type=Deployment%20Haltd', {}, 400, 'Did you mean "Deployment Halted"?'],
    ['/events?type=Deployment%20Halted', {}, 400, 'There is no parameter "type"'],
    ['/', {}, 404, 'GET /events'],
    ['//', {}, 404, 'GET /events'],
    ['/events', { host: 'rebound.example' }, 403, 'Forbidden'],
  ])('refuses %s %j', async (path, headers, status, message) => {
    await open([]);
    const answer = await get(path, headers);
    expect([answer.statusCode, await text(answer)]).toEqual([
      status,
      expect.stringContaining(JSON.stringify(message).slice(1, -1)),
    ]);
  });
});

describe('delivery', () => {
  it('is in order for the events of one deployment', async () => {
    const seen: unknown[] = [];
    const rule: BusRule = {
      name: 'slow',
      pattern: {},
      deliver: async ({ detail }) => {
        await wait(detail.n === 1 ? 20 : 0);
        seen.push(detail.n);
      },
    };
    const { put, bus } = await open([rule]);
    await put(entry({ deployment_id: 7, n: 1 }), entry({ deployment_id: 7, n: 2 }));
    await put(entry({ deployment_id: 7, n: 3 }));
    await bus.drain();
    expect(seen).toEqual([1, 2, 3]);
  });

  it('retries without delaying other events', async () => {
    const seen: unknown[] = [];
    let failures = 2;
    const rule: BusRule = {
      name: 'flaky',
      pattern: {},
      deliver: async ({ detail }) => {
        if (detail.n === 1 && failures-- > 0) throw new Error('not yet');
        seen.push(detail.n);
      },
    };
    const { put, bus } = await open([rule]);
    await put(entry({ deployment_id: 7, n: 1 }), entry({ deployment_id: 7, n: 2 }));
    await bus.drain();
    expect(seen).toEqual([2, 1]);
  });

  it('serves several deployments at a time, up to a limit', async () => {
    let [running, most] = [0, 0];
    const rule: BusRule = {
      name: 'slow',
      pattern: {},
      deliver: async () => {
        running += 1;
        most = Math.max(most, running);
        await wait(5);
        running -= 1;
      },
    };
    const { put, bus } = await open([rule]);
    for (const part of [0, 10]) {
      await put(...Array.from({ length: 10 }, (_, n) => entry({ deployment_id: part + n })));
    }
    await bus.drain();
    expect(most).toBe(8);
  });

  it('is not retried after a permanent error', async () => {
    let attempts = 0;
    const dead: unknown[] = [];
    const rule: BusRule = {
      name: 'strict',
      pattern: {},
      deliver: async () => {
        attempts += 1;
        throw new RangeError('never');
      },
      isFinal: (error) => error instanceof RangeError,
    };
    const { put, bus } = await open([rule], (_, { detail }) => dead.push(detail.n));
    await put(entry({ n: 1 }));
    await bus.drain();
    expect([attempts, dead]).toEqual([1, [1]]);
  });

  it('gives an event up after its last attempt and goes on', async () => {
    const dead: unknown[] = [];
    const seen: unknown[] = [];
    const rule: BusRule = {
      name: 'picky',
      pattern: {},
      deliver: async ({ detail }) => {
        seen.push(detail.n);
        if (detail.n === 1) throw new Error('never');
      },
    };
    const { put, bus, state } = await open([rule], (name, { detail }, error) =>
      dead.push([name, detail.n, String(error)]),
    );
    await put(entry({ n: 1 }), entry({ n: 2 }));
    await bus.drain();
    expect(seen.toSorted()).toEqual([1, 1, 1, 2]);
    expect(dead).toEqual([['picky', 1, 'Error: never']]);
    expect(state.queued()).toEqual([]);
  });

  it.each([
    '{"deployment_id":{"toString":1}}',
    '{"deployment_id":["a"]}',
    '{"deployment_id":null}',
    '{"__proto__":{"deployment_id":1}}',
  ])('accepts an event without a deployment id: %s', async (Detail) => {
    const { rule, events } = collect();
    const { put, bus, state } = await open([rule]);
    const answer = await put({ ...entry({}), Detail }, entry({ n: 2 }));
    await bus.drain();
    expect(answer.FailedEntryCount).toBe(0);
    expect(events).toHaveLength(2);
    expect(state.queued()).toEqual([]);
  });

  it('refuses detail that is nested too deep, and accepts the other entries', async () => {
    const { rule, events } = collect();
    const { put, bus } = await open([rule]);
    const Detail = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const answer = await put({ ...entry({}), Detail }, entry({ n: 2 }));
    await bus.drain();
    expect(answer.Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual(['MalformedDetail', undefined]);
    expect(events.map(({ detail }) => detail.n)).toEqual([2]);
  });

  it('continues with accepted events after a restart', async () => {
    const state = openState(undefined);
    const stuck: BusRule = { name: 'all', pattern: {}, deliver: () => new Promise(() => undefined) };
    const { put } = await open([stuck], undefined, state);
    await put(entry({ n: 1 }), entry({ n: 2 }));
    await bus?.close();
    await server?.close();
    const { rule, events } = collect();
    await (await open([rule], undefined, state)).bus.drain();
    expect(events.map(({ detail }) => detail.n)).toEqual([1, 2]);
    expect(state.queued()).toEqual([]);
  });
});

describe('a pattern', () => {
  const event = { source: 'engine.a', detail: { status: 'open', tags: ['x', 'y'], count: 0, none: null } };

  it.each<[EventPattern, boolean]>([
    [{}, true],
    [{ source: ['other', 'engine.a'] }, true],
    [{ source: ['engine'] }, false],
    [{ source: [{ prefix: 'engine.' }] }, true],
    [{ source: [{ prefix: 'other' }] }, false],
    [{ source: [{ 'anything-but': 'engine.a' }] }, false],
    [{ source: [{ 'anything-but': ['a', 'b'] }] }, true],
    [{ detail: { status: ['open'], tags: ['y'] } }, true],
    [{ detail: { status: ['open'], tags: ['z'] } }, false],
    [{ detail: { count: [0], none: [null] } }, true],
    [{ detail: { count: ['0'] } }, false],
    [{ detail: { missing: [{ exists: false }], status: [{ exists: true }] } }, true],
    [{ detail: { missing: [{ 'anything-but': 'a' }] } }, false],
    [{ detail: { missing: { deeper: ['a'] } } }, false],
  ])('%j: %s', (pattern, expected) => {
    expect(matchesPattern(pattern, event)).toBe(expected);
  });
});

describe('an abandoned event', () => {
  const event: BusEvent = {
    version: '0',
    id: 'e',
    'detail-type': 'Order Updated',
    source: 'engine',
    account: '000000000000',
    time: '2026-01-02T03:04:05Z',
    region: 'eu-west-1',
    resources: [],
    detail: { deployment_id: 7 },
  };

  it('is reported in one line, with the reason and without stack frames', () => {
    const refused = new FunctionFailedError('execution-events', {
      name: 'MalformedEventError',
      message: 'more is\nfilled',
    });
    expect(givenUp(event, refused)).toBe('Refused Order Updated of deployment 7: more is filled');
    expect(givenUp(event, new FunctionFailedError('execution-events', 'no answer within 60 s'))).toBe(
      'Gave up Order Updated of deployment 7: FunctionFailedError: execution-events: no answer within 60 s',
    );
    expect(givenUp({ ...event, detail: { deployment_id: { toString: 1 } } }, new TypeError('x'))).toBe(
      'Gave up Order Updated of no deployment: TypeError: x',
    );
    expect(givenUp({ ...event, detail: { deployment_id: 'a\nb' } }, new TypeError('x'))).toBe(
      'Gave up Order Updated of deployment a b: TypeError: x',
    );
  });
});
