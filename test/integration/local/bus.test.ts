import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Bus, type BusEvent, type BusRule, createBus } from '../../../infra/local/bus.ts';
import { type EventPattern, matchesPattern } from '../../../infra/local/event-pattern.ts';
import { type LocalServer, openServer } from '../../../infra/local/server.ts';
import { type EngineState, openState } from '../../../infra/local/state.ts';
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
  server = await openServer();
  bus = createBus({ rules, region: 'eu-west-1', state, onDeadLetter, attempts: 3, backoffMs: 1 });
  server.serve(bus.listener);
  const client = new EventBridgeClient(engineClient(`http://127.0.0.1:${server.port}`));
  const put = (...Entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries }));
  return { put, bus, state };
};

const entry = (detail: object): PutEventsRequestEntry => ({
  EventBusName: 'any-name',
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
  it('hands an event to the rules that match, in EventBridge’s envelope', async () => {
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

  it('names what is wrong with an entry and takes the others', async () => {
    const { rule, events } = collect();
    const { put, bus } = await open([rule]);
    const answer = await put(
      { DetailType: 'a', Detail: '{}' },
      { Source: 'a', Detail: '{}' },
      { Source: 'a', DetailType: 'a' },
      { Source: 'a', DetailType: 'a', Detail: '[1' },
      { Source: 'a', DetailType: 'a', Detail: '"text"' },
      { Source: 'aws.s3', DetailType: 'a', Detail: '{}' },
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

  it('refuses no entries, more than ten, and more than 256 KB', async () => {
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

describe('delivery', () => {
  it('is in order and tries again', async () => {
    const seen: unknown[] = [];
    let failures = 2;
    const rule: BusRule = {
      name: 'flaky',
      pattern: {},
      deliver: async ({ detail }) => {
        if (failures-- > 0) throw new Error('not yet');
        seen.push(detail.n);
      },
    };
    const { put, bus } = await open([rule]);
    await put(entry({ n: 1 }), entry({ n: 2 }));
    await put(entry({ n: 3 }));
    await bus.drain();
    expect(seen).toEqual([1, 2, 3]);
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
    expect(seen).toEqual([1, 1, 1, 2]);
    expect(dead).toEqual([['picky', 1, 'Error: never']]);
    expect(state.queued()).toEqual([]);
  });

  it('goes on with accepted events after a restart', async () => {
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
