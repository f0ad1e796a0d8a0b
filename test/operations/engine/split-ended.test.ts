import { expect, test } from '@jest/globals';
import { barAt, sliceBars } from '../../../shared/domain/candles/bars.ts';
import { dayOf } from '../../../shared/domain/periods.ts';
import { closeEquityDays } from '../../../shared/lifecycle/close-equity-days.ts';
import { endEngine, startEngine, worker } from '../../support/hub-engine.ts';
import { barsUpTo } from '../../support/live-deployments.ts';
import { openHub } from '../../support/open-hub.ts';
import { randomBars } from '../../support/random-bars.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { rulesWith } from '../../support/rules.ts';
import { SplitMarket } from '../../support/splits.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, undeployTrading } from '../../support/trading.ts';

const WARM = 30;
const COUNT = 50;
const DAY_MS = 86_400_000;

const hub = await openHub((own) => furnishWithInstruments(own, ['BTCUSD']));

const RULES = rulesWith({ left: { price: 'close' }, op: 'gt', right: { price: 'open' } });
const SHORT = {
  schema: 'hub.rules/1',
  entries: [{ side: 'short', when: { left: { price: 'close' }, op: 'lt', right: { price: 'open' } } }],
};

const get = async (path: string, query: Readonly<Record<string, string>>) => {
  const { status, body } = await hub.call(`GET /${path}`, { query });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};

test.each(['4:1', '1:4'])(
  'the books of an ended deployment stay at a split %s, and its position is valued in their units',
  async (text) => {
    const [units = 1, of = 1] = text.split(':').map(Number);
    const market = new SplitMarket(hub, barsUpTo(hub, randomBars(7, COUNT), WARM), { units, of });
    await market.begin(WARM);
    const one = worker(hub);
    const runs: { id: number; user_id: string; isLong: boolean }[] = [];
    for (const isLong of [true, false]) {
      const { keygen, user_id } = await ruleTrader(hub, { symbol: 'BTCUSD', rules: isLong ? RULES : SHORT });
      const { body } = await deployTrading(hub, keygen);
      runs.push({ id: body.deployment_id, user_id, isLong });
      await startEngine(one, body.deployment_id);
    }
    const shownOf = async ({ id, user_id }: { id: number; user_id: string }) => {
      const { items } = await get('get_all_live_deployments_v2', { user_id });
      return items.find(({ deployment_id }: { deployment_id: number }) => deployment_id === id);
    };
    hub.advance(COUNT * DAY_MS);
    while ((await Promise.all(runs.map(shownOf))).some(({ positions }) => positions.length === 0)) {
      await market.feed([one]);
    }
    for (const { id, user_id } of runs) {
      await undeployTrading(hub, user_id, id);
      await endEngine(one, id);
    }
    const before = await Promise.all(runs.map(shownOf));
    await market.feed([one]);
    await market.declare();
    for (let bars = 0; bars < 4; bars += 1) await market.feed([one]);

    const last = market.next - 1;
    const close = (index: number) => barAt(sliceBars(market.bars, index, index + 1), 0)?.close ?? 0;
    for (const [number, ended] of runs.entries()) {
      const [was, is] = [before[number], await shownOf(ended)];
      const [held] = was.positions;
      expect(is.status).toBe('stopped');
      const price = (close(last) * units) / of;
      const result = (price - held.average_price) * held.quantity * (ended.isLong ? 1 : -1);
      expect(is.positions).toMatchObject([
        {
          quantity: held.quantity,
          average_price: held.average_price,
          last_price: expect.closeTo(price, 9),
          unrealized_pnl: expect.closeTo(result, 1),
        },
      ]);
      expect(is.total_pnl).toBeCloseTo(result, 1);
      const query = { user_id: ended.user_id, deployment_id: String(ended.id) };
      const curveOf = async () => (await get('get_deployment_performance', query)).equity_curve;
      expect((await curveOf()).at(-1).equity).toBeCloseTo(10_000 + result, 1);
      // The job closes the days at prices of candles.
      await closeEquityDays(hub.runtime, ended.id, dayOf(hub.runtime.clock().getTime()));
      const curve: { day: string; equity: number }[] = await curveOf();
      for (const back of [1, 2, 3]) {
        const day = dayOf(market.bars.start[last - back] ?? 0);
        const then = ((close(last - back) * units) / of - held.average_price) * held.quantity;
        const point = curve.find((each) => each.day === day);
        expect([day, point?.equity]).toEqual([
          day,
          expect.closeTo(10_000 + (ended.isLong ? then : -then), 1),
        ]);
      }
      const risk = await get('get_risk_limits', query);
      expect(risk.state.equity).toBeCloseTo(10_000 + result, 1);
    }
    expect(hub.log.filter(({ level }) => level === 'error')).toEqual([]);
  },
);
