import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import type { JobReport } from '../../../functions/jobs/job.ts';
import { loadCatalogue, readCatalogue } from '../../../infra/catalogue/load.ts';
import { deploymentList } from '../../../shared/data/deployments/deployments.ts';
import { notificationList } from '../../../shared/data/deployments/notifications.ts';
import { addEntry, removeEntry } from '../../../shared/data/numbered-list/list-changes.ts';
import { commit, editKeys, ListEdit } from '../../../shared/data/numbered-list/list-edit.ts';
import { type Head, headSchema, storedHead } from '../../../shared/data/numbered-list/list-head.ts';
import {
  chunkKey,
  entryKey,
  headKey,
  type NumberedList,
  readHead,
  readPage,
} from '../../../shared/data/numbered-list/numbered-list.ts';
import { reconcileList } from '../../../shared/data/reconcile/lists.ts';
import { Tally } from '../../../shared/data/reconcile/tally.ts';
import { EXPLORE_LIST, profileList } from '../../../shared/data/strategies/listings.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { takeEvent } from '../../support/functions/execution-events.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { furnish } from '../../support/people.ts';
import {
  build,
  categoryCounts,
  copy,
  like,
  list,
  person,
  profile,
  search,
  setState,
} from '../../support/strategies.ts';
import { deployTrading, enterAll, reportOrder, undeployTrading } from '../../support/trading.ts';
import { undamaged } from '../../support/undamaged.ts';

let hub: TestHub;
beforeEach(async () => {
  hub = await startHub();
});
afterEach(() => hub.close());

const anything = z.record(z.string(), z.unknown());
const itemOf = async (key: Key) => (await hub.runtime.store.getMany([key], { consistent: true }))[0] ?? {};
const set = (key: Key, name: string, value: unknown) =>
  hub.runtime.store.update(
    key,
    {
      update: 'SET #n = :v',
      condition: 'attribute_exists(pk)',
      names: { '#n': name },
      values: { ':v': value },
    },
    anything,
  );

const run = (remainingMs?: () => number): Promise<JobReport> =>
  runJob(hub.runtime, { job: 'reconcile-lists', by_hand: true }, remainingMs);

/** Repairs of the last round, by kind. */
const repairs = ({ round }: JobReport): Record<string, number> =>
  Object.fromEntries(
    Object.entries(round?.counts ?? {}).flatMap(([name, count]) =>
      /\.(repaired|busy|unreadable|too_large)$/.test(name) ? [[name, count]] : [],
    ),
  );

const raise = async (deployment_id: number, n: number): Promise<void> => {
  const detail = {
    version: 1,
    deployment_id,
    occurred_at: hub.runtime.clock().toISOString(),
    symbol: 'AAPL',
    side: 'buy',
    price: n + 1,
    title: `Signal ${n}`,
    body: 'now',
  };
  await takeEvent(hub.runtime, { 'detail-type': 'Signal Raised', source: 'engine', detail });
};

const deploy = async (keygen: string): Promise<number> =>
  (await hub.call('POST /deploy_notification_strategy', { query: { keygen }, form: {} })).body.deployment_id;

/** Returns an author with three listed strategies, two of them liked and copied, three deployments, notifications. */
const populate = async () => {
  await furnish(hub);
  const { instruments } = readCatalogue();
  await loadCatalogue(hub.runtime.store, {
    instruments: instruments.filter(({ symbol }) => symbol === 'AAPL'),
    brokers: [],
    universes: [],
  });
  const [author, reader] = [await person(hub, 'Ada Author'), await person(hub, 'Bob Reader')];
  const made = [];
  for (const timeframe of ['1d', '1m', '1h'])
    made.push((await build(hub, { user_id: author.user_id, timeframe })).body);
  for (const { strategy_id } of made) await list(hub, author.user_id, strategy_id);
  const [one, two, three] = made;
  await setState(hub, author.user_id, three.strategy_id, 0);
  for (const user of [author, reader]) await like(hub, user.user_id, one.strategy_id);
  await like(hub, reader.user_id, two.strategy_id);
  await copy(hub, reader.user_id, one.strategy_key);
  const deployments = [];
  for (let n = 0; n < 3; n++) deployments.push(await deploy(one.keygen));
  const [first = 0, second = 0, third = 0] = deployments;
  for (let n = 0; n < 4; n++) await raise(first, n);
  await raise(second, 9);
  await hub.call('POST /undeploy_notification_strategy', {
    query: { user_id: author.user_id, deployment_id: String(third) },
  });
  return { author, reader, one, two, first, second };
};

test('finds nothing to repair in correct lists, twice', async () => {
  const { one, author } = await populate();
  const before = await itemOf(keys.strategy(one.strategy_id));
  for (let round = 0; round < 2; round++) {
    const report = await run();
    expect(report).toMatchObject({
      more: false,
      round: { name: '2026-03-01', finished_at: expect.any(String) },
    });
    expect(repairs(report)).toEqual({});
    expect(report.round?.counts).toMatchObject({
      'user.checked': 2,
      'list_explore.checked': 1,
      'list_profile.checked': 1,
      'list_deployments.checked': 2,
      'list_notifications.checked': 1,
      'category_counts.checked': 1,
    });
    expect(JSON.stringify([report, hub.log])).not.toContain(author.user_id);
  }
  expect(await itemOf(keys.strategy(one.strategy_id))).toEqual(before);
  // Without a manual start, the next round begins in the next week.
  expect((await runJob(hub.runtime, { job: 'reconcile-lists' })).done).toBe(0);
  hub.advance(7 * 24 * 3_600_000);
  expect((await runJob(hub.runtime, { job: 'reconcile-lists' })).done).toBeGreaterThan(0);
});

test('repairs and reports every broken count and directory, and then finds nothing', async () => {
  const { author, reader, one, two, first, second } = await populate();
  await run();
  const { store } = hub.runtime;
  const lists = [
    EXPLORE_LIST,
    profileList(author.user_key),
    notificationList(author.user_id),
    deploymentList('notification', author.user_id),
  ];
  const items: Key[] = [
    keys.user(author.user_id),
    keys.user(reader.user_id),
    keys.strategy(one.strategy_id),
    keys.strategy(two.strategy_id),
    keys.strategyMarks(reader.user_id),
    keys.categories(),
    entryKey(EXPLORE_LIST, 0),
    entryKey(profileList(author.user_key), 1),
    ...lists.filter((one) => one.pk !== profileList(author.user_key).pk).map(headKey),
    chunkKey(EXPLORE_LIST, 0),
  ];
  const right = await store.getMany(items, { consistent: true });
  const unread = async () =>
    Promise.all([first, second].map(async (id) => (await itemOf(keys.deployment(id))).unread));
  const rightUnread = await unread();

  await set(keys.user(author.user_id), 'deploy_used', 5);
  await set(keys.user(reader.user_id), 'strategies_count', 999);
  await set(keys.strategy(one.strategy_id), 'like_count', 17);
  await set(keys.strategy(one.strategy_id), 'copy_count', 0);
  await set(keys.strategy(two.strategy_id), 'deployment_count', 4);
  await set(entryKey(profileList(author.user_key), 1), 'like_count', 3);
  await set(keys.categories(), 'equity', 40);
  await set(keys.categories(), 'scalping', -1);
  await set(keys.strategyMarks(reader.user_id), 'liked', new Set([two.strategy_id, 12345]));
  await set(keys.deployment(first), 'unread', { mark: 0, count: 99 });
  await set(keys.deployment(second), 'unread', { mark: 0, count: 0 });
  // A head without a removal, one without its last entries, one that counts too many, and a missing one.
  await set(headKey(EXPLORE_LIST), 'head', storedHead({ next: 3, gone: 0, base: 0, counts: [] }));
  await set(
    headKey(profileList(author.user_key)),
    'head',
    storedHead({ next: 1, gone: 0, base: 0, counts: [] }),
  );
  await set(
    headKey(notificationList(author.user_id)),
    'head',
    storedHead({ next: 5, gone: 3, base: 0, counts: [3] }),
  );
  await store.delete(headKey(deploymentList('notification', author.user_id)));
  await store.delete(chunkKey(EXPLORE_LIST, 0));

  const report = await run();
  expect(repairs(report)).toEqual({
    'deploy_used.repaired': 1,
    'strategies_count.repaired': 1,
    'like_count.repaired': 1,
    'copy_count.repaired': 1,
    'deployment_count.repaired': 1,
    'card_counts.repaired': expect.any(Number),
    'category_counts.repaired': 2,
    'favourite_marks.repaired': 2,
    'unread_count.repaired': 2,
    'list_explore.repaired': 1,
    // First its end, then its removals.
    'list_profile.repaired': 2,
    'list_notifications.repaired': 1,
    'list_deployments.repaired': 1,
  });
  const now = await store.getMany(items, { consistent: true });
  expect(now).toEqual(right);
  expect(await unread()).toEqual(rightUnread);
  // It no longer knows that its last number was used and removed; its total is right.
  expect(await profile(hub, author.user_key)).toMatchObject({ body: { total: 2 } });
  expect(JSON.stringify([report, hub.log])).not.toMatch(new RegExp(`${author.user_id}|${reader.user_id}`));
  expect((await categoryCounts(hub)).equity).toBe(2);
  expect(
    (await search(hub, 'Strategy')).body.map((found: { like_count: number }) => found.like_count),
  ).toEqual([1, 1]);

  expect(repairs(await run())).toEqual({});
  expect(await store.getMany(items, { consistent: true })).toEqual(now);
});

test('continues after its time was up, and a round repairs as much as an uninterrupted one', async () => {
  const { author, one } = await populate();
  // Enough for several pages of every segment, in any distribution.
  await Promise.all(
    Array.from({ length: 150 }, (_, n) =>
      addEntry(hub.runtime.store, profileList(`x${n}`), { entity: 'strategy_card' }),
    ),
  );
  await set(keys.user(author.user_id), 'deploy_used', 5);
  const whole = (await run()).round?.counts;
  await set(keys.user(author.user_id), 'deploy_used', 5);
  const reports: JobReport[] = [];
  do {
    let looks = 1;
    reports.push(await run(() => (looks-- > 0 ? 60_000 : 5_000)));
  } while (reports.at(-1)?.more);
  expect(reports.length).toBeGreaterThan(3);
  expect(whole).toMatchObject({ 'like_count.checked': 4, 'copy_count.checked': 4 });
  expect(reports.at(-1)?.round?.counts).toEqual(whole);
  expect((await itemOf(keys.user(author.user_id))).deploy_used).toBe(2);
  expect(await itemOf(keys.strategy(one.strategy_id))).toMatchObject({ like_count: 1, copy_count: 1 });
  const [kept] = await hub.runtime.store.query(
    {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: { ':pk': 'JOB#reconcile-lists', ':sk': 'REPORT#' },
    },
    anything,
  );
  expect(kept).toMatchObject({
    counts: { 'deploy_used.repaired': 1 },
    findings: [expect.stringContaining('deploy_used')],
  });
});

test('enters likes again whose items were lost, and leaves their count right', async () => {
  const { one, reader, author } = await populate();
  const { store } = hub.runtime;
  await store.delete({ pk: `LIKES#${one.strategy_id}`, sk: `USER#${reader.user_id}` });
  await store.delete({ pk: `LIKES#${one.strategy_id}`, sk: `USER#${author.user_id}` });
  await store.delete({ pk: `COPIES#${one.strategy_id}`, sk: `USER#${reader.user_id}` });
  for (let round = 0; round < 2; round++) await run();
  expect(repairs(await run())).toEqual({});
  expect(await itemOf(keys.strategy(one.strategy_id))).toMatchObject({ like_count: 1, copy_count: 1 });
});

test('repairs the lists and counts of live deployments', async () => {
  const { author, two } = await populate();
  const { body } = await deployTrading(hub, two.keygen);
  const order = { client_order_id: 'o-1', expected_price: '99' };
  await reportOrder(hub, body.deployment_id, order);
  await reportOrder(hub, body.deployment_id, { ...order, client_order_id: 'o-2', side: 'sell' });
  await undeployTrading(hub, author.user_id, body.deployment_id);
  expect(await enterAll(hub)).toBeGreaterThan(0);
  const report = await run();
  expect(repairs(report)).toEqual({});
  const lists = ['deployments', 'user_orders', 'user_trades', 'slippage', 'live_ended'];
  expect(lists.map((kind) => report.round?.counts[`list_${kind}.checked`])).toEqual([3, 1, 1, 1, 1]);
});

test('an unreadable item is reported and does not stop the round', async () => {
  const { author, one } = await populate();
  await set(headKey(EXPLORE_LIST), 'head', 'nonsense');
  await set(keys.user(author.user_id), 'deploy_used', 5);
  await hub.runtime.store.put({ pk: 'STRANGE', sk: 'LIST', entity: 'list' });
  await set(keys.strategy(one.strategy_id), 'symbols', 5);
  let report = await run();
  for (let more = 0; report.more && more < 3; more++) report = await run();
  expect(repairs(report)).toMatchObject({
    'list_explore.repaired': 1,
    'list_unknown.unreadable': 1,
    'strategy.unreadable': 1,
  });
  expect(report.round?.finished_at).toBeDefined();
});

describe('a list that is compared', () => {
  const LIST: NumberedList = { pk: 'NOTIFICATIONS#somebody', span: 8 };
  const check = async (maxChunks = 1000, checked = LIST, store = hub.runtime.store) => {
    const tally = new Tally();
    let from: number | undefined;
    do from = await reconcileList(store, checked, { kind: 'list', from, maxChunks }, tally);
    while (from !== undefined);
    return tally.counts;
  };
  const fill = async (count: number, gone: readonly number[], filled = LIST) => {
    const { store } = hub.runtime;
    const edit = new ListEdit(filled, await store.getMany(editKeys(filled), { consistent: true }));
    for (let n = 0; n < count; n++) edit.append({ n });
    await commit(store, [edit]);
    if (gone.length === 0) return;
    const removing = new ListEdit(filled, await store.getMany(editKeys(filled, gone), { consistent: true }));
    for (const seq of gone) removing.remove(seq);
    await commit(store, [removing]);
  };
  const entries = async (read = LIST) => {
    const found = await hub.runtime.store.query(
      {
        KeyConditionExpression: 'pk = :pk AND sk < :l',
        ExpressionAttributeValues: { ':pk': read.pk, ':l': 'A' },
      },
      z.object({ n: z.number() }),
    );
    return found.map(({ n }) => n).reverse();
  };
  const paged = async (list = LIST) => {
    const found: number[] = [];
    for (let page = 1; ; page++) {
      const read = await readPage(
        hub.runtime.store,
        list,
        { page, size: 3 },
        z.object({ n: z.number() }),
        undamaged,
      );
      found.push(...read.entries.map(({ n }) => n));
      if (read.entries.length < 3) return { found, total: read.total };
    }
  };

  test('gives no number again whose entry was removed before its head was damaged', async () => {
    const { store } = hub.runtime;
    for (const gone of [[19], [15, 16, 17, 18, 19], Array.from({ length: 20 }, (_, seq) => seq)]) {
      const list = { ...LIST, pk: `${LIST.pk}-removed-${gone.length}` };
      await fill(20, gone, list);
      const head = await readHead(store, list);
      await set(headKey(list), 'head', 'nonsense');
      await expect(addEntry(store, list, { n: 20 })).rejects.toThrow();
      expect(await check(1000, list)).toEqual({ 'list.checked': 1, 'list.repaired': 1 });
      expect(await readHead(store, list)).toEqual(head);
      expect(await addEntry(store, list, { n: 20 })).toBe(20);
    }
  });

  test('is correct again after any damage to its head and bitmaps', async () => {
    const { store } = hub.runtime;
    const gone = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 17, 33];
    type Damage = (list: NumberedList, head: Head) => Promise<unknown>;
    const damages: readonly Damage[] = [
      (list, head) => set(headKey(list), 'head', storedHead({ ...head, gone: 5 })),
      (list, head) => set(headKey(list), 'head', storedHead({ ...head, next: 20 })),
      (list) => set(headKey(list), 'head', storedHead({ next: 36, gone: 32, base: 4, counts: [] })),
      (list) =>
        set(headKey(list), 'head', storedHead({ next: 36, gone: 12, base: 0, counts: [8, 0, 3, 0, 1] })),
      (list) => store.delete(headKey(list)),
      (list) => set(headKey(list), 'head', 'nonsense'),
      (list) => set(headKey(list), 'head', null),
      (list, head) => set(headKey(list), 'head', { ...storedHead(head), counts: 'x' }),
      (list, head) => set(headKey(list), 'head', { ...storedHead(head), next: 'x' }),
      (list) => set(chunkKey(list, 2), 'removed', 'x'),
      async (list) => {
        await set(headKey(list), 'head', 'nonsense');
        await set(chunkKey(list, 2), 'removed', 'x');
      },
      (list) => store.delete(chunkKey(list, 1)),
      (list) => set(chunkKey(list, 2), 'removed', new Uint8Array([1])),
      (list) => store.put({ ...chunkKey(list, 3), entity: 'list_removals', removed: new Uint8Array([1]) }),
    ];
    // Each on a list of its own, as every repair pauses between two measurements.
    const repair = async (damage: Damage, number: number): Promise<void> => {
      const list = { ...LIST, pk: `${LIST.pk}-${number}` };
      await fill(36, gone, list);
      const head = await readHead(store, list);
      expect(await check(1000, list)).toEqual({ 'list.checked': 1 });
      expect(await readHead(store, list)).toEqual(head);
      await damage(list, head);
      const counts = await check(2, list);
      expect(counts['list.repaired']).toBeGreaterThan(0);
      expect(counts['list.busy']).toBeUndefined();
      expect(await readHead(store, list)).toEqual(head);
      expect(await paged(list)).toEqual({ found: await entries(list), total: 24 });
      expect(await check(1000, list)).toEqual({ 'list.checked': 1 });
      expect(await removeEntry(store, list, 18)).toBe(true);
    };
    await Promise.all(damages.map(repair));
  });

  test('that is changed at the same time is neither disturbed nor reported as wrong', async () => {
    const { store } = hub.runtime;
    await fill(20, [3]);
    let queries = 0;
    const added: number[] = [];
    const write = async (writer: number): Promise<void> => {
      const seq = await addEntry(store, LIST, { n: queries * 10 + writer });
      if (writer === 0) await removeEntry(store, LIST, seq);
      else added.push(seq);
    };
    // Others change the list after its head was read and before its entries are, in two of three measurements.
    const changing: Store = Object.create(store, {
      query: {
        value: async (...query: Parameters<Store['query']>) => {
          queries += 1;
          if (queries % 3 !== 0) await Promise.all([0, 1, 2].map(write));
          return store.query(...query);
        },
      },
    });
    for (let round = 0; round < 4; round++) {
      expect(await check(1000, LIST, changing)).toEqual({ 'list.checked': 1 });
    }
    expect(added.length).toBeGreaterThan(0);
    expect(await paged()).toEqual({ found: await entries(), total: 19 + added.length });
  });

  test('is repaired while others change it, and none of their changes is lost', async () => {
    const { store } = hub.runtime;
    await fill(40, [3, 20]);
    const broken = headSchema.parse(storedHead({ next: 40, gone: 9, base: 0, counts: [4, 0, 5] }));
    await set(headKey(LIST), 'head', storedHead(broken));
    const added: number[] = [];
    const writer = (async () => {
      for (let n = 0; n < 25; n++) added.push(await addEntry(store, LIST, { n: 1000 + n }));
    })();
    await check();
    await writer;
    expect((await check())['list.busy']).toBeUndefined();
    expect(await check()).toEqual({ 'list.checked': 1 });
    expect(new Set(added).size).toBe(25);
    expect(await paged()).toEqual({ found: await entries(), total: 38 + 25 });
  });
});

test('counts stay right when users like, deploy and list during a repair', async () => {
  const { author, one, two } = await populate();
  await run();
  await set(keys.strategy(one.strategy_id), 'like_count', 10);
  await set(keys.user(author.user_id), 'deploy_used', 1);
  const others = [];
  for (let n = 0; n < 4; n++) others.push(await person(hub));
  const busy = (async () => {
    for (const { user_id } of others) await like(hub, user_id, one.strategy_id);
    const id = await deploy(two.keygen);
    await like(hub, others[0]?.user_id ?? '', one.strategy_id, false);
    await hub.call('POST /undeploy_notification_strategy', {
      query: { user_id: author.user_id, deployment_id: String(id) },
    });
    await deploy(two.keygen);
  })();
  await run();
  await busy;
  await run();
  expect(await itemOf(keys.strategy(one.strategy_id))).toMatchObject({ like_count: 4 });
  expect((await itemOf(keys.user(author.user_id))).deploy_used).toBe(3);
  expect(repairs(await run())).toEqual({});
});

test('puts a missing card back and removes a stray one, so that its strategy can be changed again', async () => {
  const { author, one, two } = await populate();
  const listed = await itemOf(keys.strategy(one.strategy_id));
  const card = entryKey(EXPLORE_LIST, z.number().parse(listed.explore_seq));
  await hub.runtime.store.delete(card);
  await hub.runtime.store.put({
    ...entryKey(EXPLORE_LIST, 900),
    entity: 'strategy_card',
    strategy_id: two.strategy_id,
  });
  expect((await like(hub, author.user_id, two.strategy_id)).status).toBe(200);
  expect(repairs(await run())['strategy_cards.repaired']).toBe(2);
  for (let round = 0; round < 2; round++) await run();
  expect(repairs(await run())).toEqual({});
  expect(await itemOf(card)).toMatchObject({ strategy_id: one.strategy_id, like_count: 1 });
  expect(await itemOf(entryKey(EXPLORE_LIST, 900))).toEqual({});
  const withdrawn = await setState(hub, author.user_id, one.strategy_id, 0);
  expect(withdrawn.status).toBe(200);
});
