import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { type BarColumns, concatBars, sliceBars } from '../../../shared/domain/candles/bars.ts';
import { dayOf } from '../../../shared/domain/periods.ts';
import { closeEquityDays } from '../../../shared/lifecycle/close-equity-days.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { BITCOIN, expectedFills, feed, fillsOf } from '../../support/hub-deployments.ts';
import { startEngine, worker } from '../../support/hub-engine.ts';
import { randomBars } from '../../support/random-bars.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules } from '../../support/rules.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading } from '../../support/trading.ts';

const BARS = randomBars(7, 92);
const WARM = 60;
const YEARS_MS = 1500 * 24 * 3_600_000;

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD']);
});
afterAll(() => hub.close());

const earlier = ({ start, ...bars }: BarColumns): BarColumns => ({
  ...bars,
  start: start.map((at) => at - YEARS_MS),
});

test('a deployment on candles that lack years trades on as its backtest, and its days close', async () => {
  const rules = crossRules(2, 5, { exits: [{ side: 'long', when: { bars_in_trade: 3 } }] });
  const { user_id, keygen } = await ruleTrader(hub, { symbol: 'BTCUSD', rules });
  const warm = earlier(sliceBars(BARS, 0, WARM));
  await appendBars(hub.runtime.store, BITCOIN, warm);
  const id = Number((await deployTrading(hub, keygen, { size_step: '1' })).body.deployment_id);
  const one = worker(hub);
  await startEngine(one, id);
  for (let bar = WARM; bar < BARS.start.length; bar++) await feed(hub, sliceBars(BARS, bar, bar + 1), [one]);
  const expected = await expectedFills(hub, id, concatBars([warm, sliceBars(BARS, WARM)]));
  expect(expected.length).toBeGreaterThan(5);
  expect(await fillsOf(hub, id)).toEqual(expected);
  await closeEquityDays(hub.runtime, id, dayOf(hub.runtime.clock().getTime()));
  const query = { user_id };
  const { body } = await hub.call('GET /get_all_live_deployments_v2', { query });
  expect(body.items[0]).toMatchObject({ status: 'active', trades_count: expected.length >> 1 });
});
