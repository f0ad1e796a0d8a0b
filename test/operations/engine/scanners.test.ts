import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Store } from '../../../shared/data/table/store.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { matchesOfUser, minute, ScannedFeed } from '../../support/scanners.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';

let hub: TestHub;
let feed: ScannedFeed;
let feeds = 0;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub);
});
afterAll(() => hub.close());

const newFeed = () => {
  feed = new ScannedFeed(hub, `feed-${++feeds}`);
  return feed;
};
const found = ({ user_id }: { user_id: string }) => matchesOfUser(hub, user_id);
const listed = async ({ user_id }: { user_id: string }) =>
  (await hub.call('POST /get_scanner_deployments', { query: { user_id } })).body.items[0];

test('scanners of the same rules each report the matches of their universe, once per bar', async () => {
  newFeed();
  const first = await feed.scanner(['AAA', 'BBB']);
  const second = await feed.scanner(['BBB', 'CCC']);
  await feed.close(1, { AAA: 101, BBB: 102, CCC: 99 });
  expect(await found(first)).toEqual([]);
  await feed.complete(1);
  await feed.complete(1);
  expect(await found(first)).toEqual([{ at: minute(1), symbols: ['AAA', 'BBB'] }]);
  expect(await found(second)).toEqual([{ at: minute(1), symbols: ['BBB'] }]);
  await feed.close(2, { AAA: 99, BBB: 103, CCC: 104 });
  await feed.complete(2);
  expect((await found(first)).slice(1)).toEqual([{ at: minute(2), symbols: ['BBB'] }]);
  expect((await found(second)).slice(1)).toEqual([{ at: minute(2), symbols: ['BBB', 'CCC'] }]);
  expect(await listed(second)).toMatchObject({
    matches_count: 3,
    last_run_at: new Date(minute(2)).toISOString(),
    last_matches: [
      { symbol: 'BBB', price: 103 },
      { symbol: 'CCC', price: 104 },
      { symbol: 'BBB', price: 102 },
    ],
  });
});

test('an instrument that is late is reported alone; one without a bar does not delay the others', async () => {
  newFeed();
  const scanner = await feed.scanner(['AAA', 'BBB', 'CCC']);
  await feed.close(1, { AAA: 101 });
  await feed.complete(1);
  expect(await found(scanner)).toEqual([{ at: minute(1), symbols: ['AAA'] }]);
  await feed.close(1, { BBB: 102 });
  expect((await found(scanner)).slice(1)).toEqual([{ at: minute(1), symbols: ['BBB'] }]);
  await feed.complete(2);
  expect(await found(scanner)).toHaveLength(2);
});

test('workers that run the scanners at the same time report each match once', async () => {
  newFeed();
  const scanner = await feed.scanner(['AAA', 'BBB']);
  await feed.close(1, { AAA: 101 });
  await Promise.all([feed.complete(1), feed.close(1, { BBB: 102 }), feed.complete(1)]);
  await feed.complete(2);
  const all = (await found(scanner)).flatMap(({ symbols }: { symbols: string[] }) => symbols);
  expect(all.toSorted()).toEqual(['AAA', 'BBB']);
});

test('a watermark that closes several bars reports each bar on its own, oldest first', async () => {
  newFeed();
  const scanner = await feed.scanner(['AAA']);
  for (const index of [1, 2, 3]) await feed.close(index, { AAA: index === 2 ? 99 : 101 });
  await feed.complete(3);
  expect((await found(scanner)).map(({ at }: { at: number }) => at)).toEqual([minute(1), minute(3)]);
});

test('a watermark that names symbols completes these; the others follow with the next one', async () => {
  newFeed();
  const scanner = await feed.scanner(['AAA', 'BBB']);
  await feed.close(1, { AAA: 101, BBB: 102 });
  await feed.complete(1, ['AAA']);
  expect(await found(scanner)).toEqual([{ at: minute(1), symbols: ['AAA'] }]);
  await feed.complete(2, ['AAA']);
  expect((await found(scanner)).slice(1)).toEqual([{ at: minute(1), symbols: ['BBB'] }]);
  await feed.complete(2);
  expect(await found(scanner)).toHaveLength(2);
});

test('after a crash between two scanners, a repeat runs the second one only', async () => {
  newFeed();
  const scanners = [await feed.scanner(['AAA']), await feed.scanner(['AAA'])];
  await feed.close(1, { AAA: 101 });
  const { store } = hub.runtime;
  let transactions = 0;
  const crashing = Object.assign(Object.create(Store.prototype), store, {
    transact: (...given: Parameters<Store['transact']>) => {
      transactions += 1;
      if (transactions > 1) throw new Error('crash');
      return store.transact(...given);
    },
  });
  await expect(feed.complete(1, undefined, { store: crashing })).rejects.toThrow('scanners have not run');
  const before = await Promise.all(scanners.map(found));
  expect(before.flat()).toHaveLength(1);
  await feed.complete(1);
  for (const each of scanners) expect(await found(each)).toEqual([{ at: minute(1), symbols: ['AAA'] }]);
});

test('a scanner that has ended reports nothing and costs nothing afterwards', async () => {
  newFeed();
  const scanner = await feed.scanner(['AAA']);
  await hub.call('POST /undeploy_scanner', {
    query: { user_id: scanner.user_id, deployment_id: String(scanner.id) },
  });
  await feed.close(1, { AAA: 101 });
  await feed.complete(1);
  expect(await found(scanner)).toEqual([]);
  // The feed is without scanners from here on.
  await feed.complete(2);
  hub.takeCalls();
  await feed.complete(3);
  expect(hub.takeCalls()).toEqual(['BatchGetItem']);
});

test('of 120 matches a notification shows 100 and their number; none is reported again', async () => {
  newFeed();
  const symbols = Array.from({ length: 120 }, (_, index) => `S${String(index).padStart(3, '0')}`);
  const scanner = await feed.scanner(symbols);
  await feed.close(1, Object.fromEntries(symbols.map((symbol) => [symbol, 101])));
  await feed.complete(1);
  await feed.complete(1);
  const [only, ...more] = await found(scanner);
  expect([only.symbols, more]).toEqual([symbols.slice(0, 100), []]);
  const { body } = await hub.call('GET /get_deployment_notifications', {
    query: { user_id: scanner.user_id },
  });
  expect(body.items[0]).toMatchObject({ title: expect.stringContaining('120 instruments') });
  expect(body.items[0].data.count).toBe(120);
  expect(await listed(scanner)).toMatchObject({ matches_count: 120 });
});

test('idle scanners cost no call: a watermark costs the same with one of them and with ten', async () => {
  newFeed();
  const costs: string[][] = [];
  for (const count of [1, 9]) {
    for (let index = 0; index < count; index++) await feed.scanner(['AAA', 'BBB']);
    hub.takeCalls();
    await feed.complete(count);
    costs.push(hub.takeCalls());
  }
  expect(costs).toEqual([
    ['BatchGetItem', 'Query', 'PutItem', 'Query'],
    ['BatchGetItem', 'Query', 'PutItem', 'Query'],
  ]);
});
