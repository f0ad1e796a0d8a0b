import { beforeEach, expect, test } from '@jest/globals';
import { readCatalogue } from '../../../infra/catalogue/load.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { asDeployment } from '../../../shared/data/deployments/deployments.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { rollSwaps } from '../../../shared/lifecycle/rollover.ts';
import { openHub } from '../../support/open-hub.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployedTrader, report, reportOrder } from '../../support/trading.ts';

/** Symbols of the catalogue that the deployment does not name. */
const OTHERS = readCatalogue()
  .instruments.filter(
    ({ asset_class, quote_currency }) => asset_class === 'equity' && quote_currency === 'USD',
  )
  .map(({ symbol }) => symbol)
  .filter((symbol) => symbol !== 'AAPL' && symbol !== 'MSFT')
  .slice(0, 40);

const hub = await openHub((own) => furnishWithInstruments(own, ['AAPL', 'MSFT', ...OTHERS]));
beforeEach(() => hub.advance(1000));

const deployed = () => deployedTrader(hub);

const ledgerOf = async (id: number) => {
  const [item] = await hub.runtime.store.getMany([keys.deployment(id)], { consistent: true });
  const deployment = asDeployment(item);
  if (deployment?.kind !== 'live') throw new Error('the deployment of the test is gone');
  return unpackLedger(deployment.ledger);
};

test('fills are accepted after quotes and rejected orders of many other symbols', async () => {
  const { user_id, id } = await deployed();
  await report(hub, 'Quote Marked', id, { symbol: 'AAPL', price: '101' });
  for (const symbol of OTHERS) {
    await report(hub, 'Quote Marked', id, { symbol, price: '100' });
    await reportOrder(hub, id, {
      client_order_id: `no-${symbol}`,
      symbol,
      status: 'rejected',
      filled_quantity: '0',
      average_price: null,
    });
  }
  await reportOrder(hub, id, { client_order_id: 'own' });
  await reportOrder(hub, id, { client_order_id: 'other', symbol: OTHERS[0] });
  const { body } = await hub.call('GET /check_trades_position', { query: { user_id } });
  expect(body.positions).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ symbol: 'AAPL', quantity: 1, unrealized_pnl: 1 }),
      expect.objectContaining({ symbol: OTHERS[0], quantity: 1 }),
    ]),
  );
  expect(Object.keys((await ledgerOf(id)).quotes)).toEqual(['AAPL']);
});

test('the swap of closed symbols stays readable', async () => {
  const { user_id, strategy_id, id } = await deployed();
  for (const symbol of OTHERS) {
    hub.advance(1000);
    await reportOrder(hub, id, { client_order_id: `b-${symbol}`, symbol });
    await report(hub, 'Swap Charged', id, { symbol, charge_id: symbol, amount: '-0.5' });
    await reportOrder(hub, id, { client_order_id: `s-${symbol}`, symbol, side: 'sell' });
  }
  const { body } = await hub.call('GET /get_swap_values', {
    query: { user_id, strategy_id: String(strategy_id), deployment_id: String(id) },
  });
  expect(body.totals).toMatchObject({ total_swap: -OTHERS.length / 2, realized_swap: -OTHERS.length / 2 });
  expect(body.positions.map(({ symbol }: { symbol: string }) => symbol)).toEqual(
    expect.arrayContaining(OTHERS.slice(-32)),
  );
});

test('a rollover charges for any number of symbols, once', async () => {
  const { id } = await deployed();
  for (const symbol of OTHERS) await reportOrder(hub, id, { client_order_id: symbol, symbol });
  const { swap: before } = (await ledgerOf(id)).head;
  const day = hub.runtime.clock().toISOString().slice(0, 10);
  hub.advance(24 * 3_600_000);
  await rollSwaps(hub.runtime, id, day);
  await rollSwaps(hub.runtime, id, day);
  const { swap, symbols } = (await ledgerOf(id)).head;
  expect([before, Number(swap) < 0]).toEqual(['0', true]);
  const charged = OTHERS.filter((symbol) => symbols[symbol]?.position?.swap !== '0');
  expect(charged).toHaveLength(OTHERS.length);
});
