import { expect, test } from '@jest/globals';
import { takeEngineEvent } from '../../support/functions/engine.ts';
import { BITCOIN, hubDeployed, setupOf } from '../../support/hub-deployments.ts';
import { startEngine, worker } from '../../support/hub-engine.ts';
import { barsUpTo } from '../../support/live-deployments.ts';
import { openHub } from '../../support/open-hub.ts';
import { randomBars } from '../../support/random-bars.ts';
import { rulesWith } from '../../support/rules.ts';
import { SplitMarket } from '../../support/splits.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { trader } from '../../support/trading.ts';

const WARM = 30;
const hub = await openHub((own) => furnishWithInstruments(own, ['BTCUSD', 'ETHUSD']));

const PYRAMID = rulesWith(
  { left: { price: 'close' }, op: 'gt', right: { price: 'open' } },
  { pyramid: true, max_trades: 20, exits: [{ side: 'long', when: { bars_in_trade: 6 } }] },
);

test('a close by hand before a split counts in old units, though another symbol has later bars', async () => {
  const one = worker(hub);
  const sized = {
    ...PYRAMID,
    entries: PYRAMID.entries.map((entry) => ({ ...entry, size: { type: 'units', units: 3 } })),
  };
  const ratio = { units: 4, of: 1 };
  const [split, other] = ['BTCUSD', 'ETHUSD'].map(
    (symbol) =>
      new SplitMarket(hub, barsUpTo(hub, randomBars(7, 80), WARM - 1), ratio, { ...BITCOIN, symbol }),
  ) as [SplitMarket, SplitMarket];
  for (const market of [split, other]) await market.begin(WARM);
  const { user_id, ...owner } = await trader(hub, { symbol: 'BTCUSD' });
  const id = await hubDeployed(hub, { user_id, ...owner }, setupOf(sized, ['BTCUSD', 'ETHUSD']));
  await startEngine(one, id);
  const query = { user_id, deployment_id: String(id) };
  const shown = async () =>
    (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } })).body.items[0];
  const orders = async (symbol: string) =>
    (await hub.call('GET /get_live_strategy_order_book', { query })).body.items.filter(
      (order: { symbol: string }) => order.symbol === symbol,
    );
  hub.advance(49 * 86_400_000);
  while ((await orders('BTCUSD')).length < 2) {
    for (const market of [split, other]) await market.feed([one]);
  }

  await split.declare();
  const booked = (await orders('ETHUSD')).length;
  while ((await orders('ETHUSD')).length === booked) await other.feed([one]);
  await other.feed([one]);
  const [order, rest] = await orders('BTCUSD');
  const closing = { user_id, order_id: String(order.order_id), close_value: '100' };
  expect((await hub.call('POST /update_live_trade', { query: closing })).status).toBe(200);
  const quantityOf = async () =>
    (await shown()).positions.find(({ symbol }: { symbol: string }) => symbol === 'BTCUSD')?.quantity;
  const before = await quantityOf();
  expect(before).toBe(rest.quantity * ((await orders('BTCUSD')).length - 2));
  const { realized_pnl } = await shown();
  await takeEngineEvent(one.engine, split.event());
  const after = await shown();
  expect([after.status, after.realized_pnl]).toEqual(['active', realized_pnl]);
  expect(await quantityOf()).toBeGreaterThanOrEqual(before * 4);
});
