import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { findPrograms } from '../../../shared/data/engine/programs.ts';
import { listSeriesInUse } from '../../../shared/data/engine/series-in-use.ts';
import { sliceBars } from '../../../shared/domain/candles/bars.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import {
  BITCOIN,
  expectedFills,
  feed,
  fillsOf,
  hubDeployed,
  setupOf,
  subsOf,
} from '../../support/hub-deployments.ts';
import { endEngine, startEngine, worker } from '../../support/hub-engine.ts';
import { randomBars } from '../../support/random-bars.ts';
import { crossRules } from '../../support/rules.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { trader, undeployTrading } from '../../support/trading.ts';

const BARS = randomBars(7, 120);
const WARM = 60;
const RULES = crossRules(2, 5, {
  exits: [{ side: 'long', when: { bars_in_trade: 3 } }],
});

let hub: TestHub;
let owner: Awaited<ReturnType<typeof trader>>;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD']);
  owner = await trader(hub, { symbol: 'BTCUSD' });
});
afterAll(() => hub.close());

const running = async (): Promise<{ deployment_id: number }[]> =>
  (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id: owner.user_id } })).body.items;

beforeEach(async () => {
  await removeSeries(hub.runtime.store, BITCOIN);
  await appendBars(hub.runtime.store, BITCOIN, sliceBars(BARS, 0, WARM));
});

afterEach(async () => {
  const one = worker(hub);
  for (const { deployment_id: id } of await running()) {
    await undeployTrading(hub, owner.user_id, id);
    await endEngine(one, id);
  }
});

test('a paper deployment fed bar by bar has the fills of its backtest', async () => {
  const id = await hubDeployed(hub, owner, setupOf(RULES));
  const one = worker(hub);
  await startEngine(one, id);
  await startEngine(one, id);
  expect(await findDeployments(hub.runtime.store, [id])).toMatchObject([
    { status: 'active', started_at: new Date(BARS.start[WARM - 1] ?? 0).toISOString() },
  ]);
  for (let bar = WARM; bar < BARS.start.length; bar++) await feed(hub, sliceBars(BARS, bar, bar + 1), [one]);
  const expected = await expectedFills(hub, id, BARS);
  expect(expected.length).toBeGreaterThan(5);
  expect(await fillsOf(hub, id)).toEqual(expected);
});

test('a program works for nobody once its deployments have ended, and is removed with the last one', async () => {
  const setup = setupOf(RULES);
  const ids = [await hubDeployed(hub, owner, setup), await hubDeployed(hub, owner, setup)];
  const one = worker(hub);
  for (const id of ids) await startEngine(one, id);
  expect(await subsOf(hub, setup)).toHaveLength(2);
  expect(await listSeriesInUse(hub.runtime.store)).toMatchObject([{ symbol: 'BTCUSD', programs: 1 }]);
  for (const id of ids) {
    // An event that overtook the end of its deployment changes nothing.
    await endEngine(one, id);
    await undeployTrading(hub, owner.user_id, id);
    await endEngine(one, id);
    await endEngine(one, id);
  }
  expect(await subsOf(hub, setup)).toEqual([]);
  expect(await listSeriesInUse(hub.runtime.store)).toEqual([]);
  expect((await findPrograms(hub.runtime.store, 'BTCUSD', '1d', 0)).programs).toEqual([]);
});
