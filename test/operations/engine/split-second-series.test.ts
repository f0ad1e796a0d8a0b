import { expect, test } from '@jest/globals';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { findSeries } from '../../../shared/data/candles/series.ts';
import { takeEngineEvent } from '../../support/functions/engine.ts';
import { BITCOIN } from '../../support/hub-deployments.ts';
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
const HOUR_MS = 3_600_000;
const FOUR = { units: 4, of: 1 };

const hub = await openHub((own) => furnishWithInstruments(own, ['BTCUSD']));

test.each([0, 2])(
  'a series that first gets bars while another one of its symbol waits for a split is split, too (%d bars before it)',
  async (older) => {
    for (const timeframe of ['1d', '1h'] as const) {
      await removeSeries(hub.runtime.store, { ...BITCOIN, timeframe });
    }
    const bars = barsUpTo(hub, randomBars(7, 50), WARM - 1);
    const market = new SplitMarket(hub, bars, FOUR);
    await market.begin(WARM);
    const one = worker(hub);
    const rules = rulesWith({ left: { price: 'close' }, op: 'gt', right: { price: 'open' } });
    const { keygen, user_id } = await ruleTrader(hub, { symbol: 'BTCUSD', rules });
    const id: number = (await deployTrading(hub, keygen)).body.deployment_id;
    await startEngine(one, id);
    hub.advance(200 * 24 * HOUR_MS);
    const position = async () =>
      (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } })).body.items[0].positions[0];
    while (!(await position())) await market.feed([one]);
    const held = await position();
    await market.declare();
    const at = market.at ?? 0;
    const newClose = (bars.close[market.next - 1] ?? 0) * 1.01;
    const hour = (index: number) => {
      const price = index < 0 ? newClose * 4 : newClose;
      return takeEngineEvent(one.engine, {
        'detail-type': 'Bar Closed',
        source: BITCOIN.source,
        time: new Date(hub.runtime.clock().getTime() - 10_000).toISOString(),
        detail: {
          ...{ version: 1, symbol: 'BTCUSD', timeframe: '1h', open: price, high: price, low: price },
          ...{ close: price, volume: 1, start: new Date(at + index * HOUR_MS).toISOString() },
        },
      });
    };
    for (let index = -older; index < 2; index += 1) await hour(index);
    const [hourly] = await findSeries(hub.runtime.store, 'BTCUSD', ['1h']);
    expect(hourly).toMatchObject({ splits: [{ at, ...FOUR }] });
    expect(hourly?.split).toBeUndefined();
    const result = (newClose * 4 - held.average_price) * held.quantity;
    expect(await position()).toMatchObject({
      quantity: held.quantity,
      last_price: expect.closeTo(newClose * 4, 6),
      unrealized_pnl: expect.closeTo(result, 1),
    });
    await market.feed([one]);
    expect(await position()).toMatchObject({
      quantity: held.quantity * 4,
      last_price: expect.closeTo(bars.close[market.next - 1] ?? 0, 6),
    });
    expect(hub.log.filter(({ level }) => level === 'error')).toEqual([]);
    await undeployTrading(hub, user_id, id);
    await endEngine(one, id);
  },
);
