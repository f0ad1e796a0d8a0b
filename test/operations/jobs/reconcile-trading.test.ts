import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { JobReport } from '../../../functions/jobs/job.ts';
import { activeKey } from '../../../shared/data/books/active-deployments.ts';
import { endedList } from '../../../shared/data/books/ended-entries.ts';
import {
  addTotals,
  asEndedTotals,
  groupOf,
  marketTotalsKey,
  NO_TOTALS,
  strategyTotalsKey,
  type Totals,
  totalsOfOne,
} from '../../../shared/data/books/ended-totals.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { summaryItemSchema, summaryOf } from '../../../shared/data/books/summary.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { entryKey } from '../../../shared/data/numbered-list/numbered-list.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { isFinalDeploymentStatus } from '../../../shared/domain/deployments/deployment-states.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { register } from '../../support/people.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, enterAll, reportOrder, trader, undeployTrading } from '../../support/trading.ts';

let hub: TestHub;
let store: Store;
// A round reads the whole table.
beforeEach(async () => {
  hub = await startHub();
  ({ store } = hub.runtime);
  await furnishWithInstruments(hub, ['AAPL', 'MSFT']);
});
afterEach(() => hub.close());

const run = (): Promise<JobReport> => runJob(hub.runtime, { job: 'reconcile-lists', by_hand: true });

/** Repairs of the last round, by kind. */
const repairs = ({ round }: JobReport): Record<string, number> =>
  Object.fromEntries(
    Object.entries(round?.counts ?? {}).flatMap(([name, count]) =>
      /\.(repaired|busy|unreadable|too_large)$/.test(name) ? [[name, count]] : [],
    ),
  );

const itemOf = async (key: Key) => (await store.getMany([key], { consistent: true }))[0];
const set = (key: Key, values: Record<string, unknown>) => store.transact([{ key, set: values }]);
const remove = (key: Key) => store.transact([{ delete: key }]);

const deploy = async (keygen: string): Promise<number> =>
  (await deployTrading(hub, keygen)).body.deployment_id;

let orders = 0;
/** Buys and sells at a profit of 5. */
const trade = async (id: number): Promise<void> => {
  const client_order_id = `o-${++orders}`;
  await reportOrder(hub, id, { client_order_id });
  await reportOrder(hub, id, { client_order_id: `${client_order_id}-x`, side: 'sell', average_price: '105' });
};

/** Returns a trader with a running deployment, an ended one and one that ended with an open position. */
const threeDeployments = async () => {
  const owner = await trader(hub);
  const ids = [await deploy(owner.keygen), await deploy(owner.keygen), await deploy(owner.keygen)] as const;
  const [running, ended, exposed] = ids;
  for (const id of ids) await trade(id);
  await reportOrder(hub, exposed, { client_order_id: `open-${exposed}` });
  for (const id of [ended, exposed]) await undeployTrading(hub, owner.user_id, id);
  await enterAll(hub);
  return { ...owner, running, ended, exposed };
};

/** Adds up the ended deployments, read one by one. */
const plainTotals = async (ids: readonly number[]): Promise<Record<string, Totals>> => {
  const sums: Record<string, Totals> = {};
  for (const deployment of await findDeployments(store, ids)) {
    if (deployment.kind !== 'live' || !isFinalDeploymentStatus(deployment.status)) continue;
    const summary = summaryOf(deployment, unpackLedger(deployment.ledger));
    const group = groupOf(summary);
    sums[group] = addTotals(sums[group] ?? NO_TOTALS, totalsOfOne(summary));
  }
  return sums;
};

const codeOf = async (user_id: string): Promise<string> =>
  String((await itemOf(keys.user(user_id)))?.referral_code);

const storedTotals = async (key: Key): Promise<Record<string, Totals>> =>
  asEndedTotals(await itemOf(key)).groups;

describe('the lists and sums of trading deployments', () => {
  test('are right as they are, twice', async () => {
    const { user_id, ended, exposed } = await threeDeployments();
    for (let round = 0; round < 2; round++) {
      const report = await run();
      expect(repairs(report)).toEqual({});
      expect(report.round?.counts).toMatchObject({
        'deployment.checked': expect.any(Number),
        'ended_totals.checked': expect.any(Number),
        'referred_count.checked': expect.any(Number),
      });
    }
    expect(await storedTotals(marketTotalsKey(user_id, { prediction_market: false }))).toEqual(
      await plainTotals([ended, exposed]),
    );
  });

  test('are mended after any damage, and then nothing is wrong', async () => {
    const { user_id, strategy_id, running, ended, exposed } = await threeDeployments();
    const other = await threeDeployments();
    const market = marketTotalsKey(user_id, { prediction_market: false });
    const strategy = strategyTotalsKey(user_id, strategy_id);
    const list = endedList(user_id, { prediction_market: false });
    const places = [
      activeKey('LIVE', running),
      activeKey('LIVE', exposed),
      keys.listedTrading(user_id, false, running),
      keys.listedTrading(user_id, true, exposed),
      keys.listedTrading(user_id, false, ended),
      entryKey(list, 0),
      market,
      strategy,
      keys.listedTrading(other.user_id, false, other.running),
    ];
    const referral_code = await codeOf(user_id);
    const referral = keys.referral(referral_code);
    await register(hub, { referral_code });
    const read = async () =>
      (await store.getMany([...places, referral], { consistent: true })).map(
        (item) => item && { ...item, version: 0, revision: 0 },
      );
    const right = await read();

    await remove(activeKey('LIVE', running));
    await remove(activeKey('LIVE', exposed));
    await set(activeKey('LIVE', 12345), { entity: 'active_live', deployment_id: 12345 });
    await remove(keys.listedTrading(user_id, false, running));
    await remove(keys.listedTrading(user_id, true, exposed));
    const summary = summaryItemSchema.parse(await itemOf(entryKey(list, 0))).summary;
    const wrong = { ...summary, totals: { ...summary.totals, realized_pnl: '77' } };
    await set(keys.listedTrading(user_id, false, ended), {
      entity: 'live_summary',
      summary,
    });
    await set(entryKey(list, 0), { summary: wrong });
    await set(keys.listedTrading(other.user_id, false, other.running), { summary: wrong });
    const kept = asEndedTotals(await itemOf(market));
    await set(market, { groups: { ...kept.groups, 'USD|': NO_TOTALS, 'EUR|9': kept.groups['USD|'] } });
    await remove(strategy);
    await set(referral, { referred_count: 40 });

    expect(repairs(await run())).toEqual({
      'active_deployments.repaired': 3,
      'live_summaries.repaired': 4,
      'ended_summaries.repaired': 1,
      'ended_totals.repaired': 3,
      'referred_count.repaired': 1,
    });
    expect(await itemOf(activeKey('LIVE', 12345))).toBeUndefined();
    expect(await storedTotals(market)).toMatchObject(await plainTotals([ended, exposed]));
    const now = await read();
    const plain = (items: typeof right) => items.map((item, index) => (index === 6 ? undefined : item));
    expect(plain(now)).toEqual(plain(right));
    expect(repairs(await run())).toEqual({});
  });

  test('hold the results of a late event once, whether its message waits or is lost', async () => {
    const { user_id, strategy_id, ended, exposed } = await threeDeployments();
    const market = marketTotalsKey(user_id, { prediction_market: false });
    const strategy = strategyTotalsKey(user_id, strategy_id);
    await reportOrder(hub, exposed, {
      client_order_id: `close-${exposed}`,
      side: 'sell',
      average_price: '90',
    });
    const before = await plainTotals([ended, exposed]);
    expect(await storedTotals(market)).not.toEqual(before);
    expect(repairs(await run())).toEqual({ 'ended_totals.repaired': 1 });
    expect(await storedTotals(market)).toEqual(before);
    expect(await storedTotals(strategy)).toEqual(before);
    expect(await enterAll(hub)).toBe(1);
    expect(await storedTotals(market)).toEqual(before);
    expect(repairs(await run())).toEqual({});
  });

  test('lose no change that is made during a repair', async () => {
    const { user_id, strategy_id, keygen, running, ended, exposed } = await threeDeployments();
    const market = marketTotalsKey(user_id, { prediction_market: false });
    const strategy = strategyTotalsKey(user_id, strategy_id);
    const kept = asEndedTotals(await itemOf(market));
    await set(market, { groups: { ...kept.groups, 'USD|': { ...NO_TOTALS, wins: 9 } } });
    await remove(keys.listedTrading(user_id, false, running));
    await remove(activeKey('LIVE', running));
    const ids = [running, ended, exposed];
    const changes = async () => {
      for (let index = 0; index < 4; index++) {
        const id = await deploy(keygen);
        ids.push(id);
        await trade(id);
        await trade(exposed);
        await undeployTrading(hub, user_id, id);
        await enterAll(hub);
      }
      await trade(running);
    };
    await Promise.all([run(), changes()]);
    const report = await run();
    expect(Object.keys(repairs(report)).filter((name) => !name.endsWith('.repaired'))).toEqual([]);
    expect(repairs(await run())).toEqual({});
    const expected = await plainTotals(ids);
    expect(await storedTotals(market)).toEqual(expected);
    expect(await storedTotals(strategy)).toEqual(expected);
    expect(await itemOf(activeKey('LIVE', running))).toBeDefined();
    expect(expected['USD|']).toMatchObject({ deployments: { stopped: 6 }, trades: 2 + 4 + 4 });
  });
});

describe('the active notification deployments', () => {
  test('are mended by the deployments', async () => {
    const { user_id, keygen } = await trader(hub);
    const begin = async (): Promise<number> =>
      (await hub.call('POST /deploy_notification_strategy', { query: { keygen }, form: {} })).body
        .deployment_id;
    const [active, ended] = [await begin(), await begin()];
    const place = (id: number) => activeKey('WATCH', id);
    await hub.call('POST /undeploy_notification_strategy', {
      query: { user_id, deployment_id: String(ended) },
    });
    expect(repairs(await run())).toEqual({});
    const right = await itemOf(place(active));
    await remove(place(active));
    await set(place(ended), { entity: 'active_watcher', deployment_id: ended });
    await set(place(777), { entity: 'active_watcher', deployment_id: 777 });
    expect(repairs(await run())).toEqual({ 'active_deployments.repaired': 3 });
    expect(await itemOf(place(active))).toEqual(right);
    expect([await itemOf(place(ended)), await itemOf(place(777))]).toEqual([undefined, undefined]);
  });
});

describe('the number of referred users', () => {
  const referrer = async () => {
    const { body } = await register(hub);
    return { user_id: body.user_id, code: await codeOf(body.user_id) };
  };
  const counted = async (user_id: string): Promise<number> =>
    (await hub.call('GET /get_referred_user_count', { query: { user_id } })).body.referred_user_count;

  test('is counted from their items, also while another one registers', async () => {
    const { user_id, code } = await referrer();
    await register(hub, { referral_code: code });
    await set(keys.referral(code), { referred_count: 0 });
    await Promise.all([run(), register(hub, { referral_code: code })]);
    await run();
    expect(await counted(user_id)).toBe(2);
    expect(repairs(await run())).toEqual({});
  });
});
