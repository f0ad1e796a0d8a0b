import { describe, expect, test } from '@jest/globals';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { rollSwaps } from '../../../shared/lifecycle/rollover.ts';
import { openHub } from '../../support/open-hub.ts';
import { outbox } from '../../support/people.ts';
import { copy, furnishWithInstruments, setState } from '../../support/strategies.ts';
import { deployTrading, report, reportOrder, trader } from '../../support/trading.ts';

const hub = await openHub(furnishWithInstruments);

const tradingOf = async (id: number) => {
  const [deployment] = await findDeployments(hub.runtime.store, [id]);
  if (deployment?.kind !== 'live') throw new Error('there is no such deployment');
  return deployment;
};
const ledgerOf = async (id: number) => unpackLedger((await tradingOf(id)).ledger);

/** Fields of a paper deployment of USDJPY in dollars, whose engine reports rates. */
const yenTrader = async (symbol = 'USDJPY') => {
  const { user_id, keygen } = await trader(hub, { symbol });
  const { body } = await deployTrading(hub, keygen, { engine_rates: 'true' });
  return { user_id, id: body.deployment_id as number };
};

let orders = 0;
const fill = async (id: number, side: 'buy' | 'sell', price: string, more: Record<string, unknown> = {}) => {
  hub.advance(1000);
  const client_order_id = `o-${++orders}`;
  await reportOrder(hub, id, { client_order_id, symbol: 'USDJPY', side, average_price: price, ...more });
  return client_order_id;
};
const quote = (id: number, price: string, rate?: string) => {
  hub.advance(1000);
  return report(hub, 'Quote Marked', id, { symbol: 'USDJPY', price, ...(rate !== undefined && { rate }) });
};

describe('deploying to trade', () => {
  test.each([
    ['USDJPY', {}, /USDJPY is quoted in JPY, not in USD/],
    ['AAPL,USDJPY', {}, /USDJPY is quoted in JPY, not in USD/],
    ['AAPL', { currency: 'EUR' }, /AAPL is quoted in USD, not in EUR/],
    ['BTCUSDT', {}, /BTCUSDT is quoted in USDT, not in USD/],
  ])('%s with %j is refused', async (symbol, form, msg) => {
    const { keygen } = await trader(hub, { symbol });
    const answer = await deployTrading(hub, keygen, form);
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        detail: [
          { loc: ['body', 'currency'], msg: expect.stringMatching(msg), type: 'value_error.currency' },
        ],
      },
    ]);
  });

  test('is refused for a copy as for its original', async () => {
    const { user_id, strategy_id } = await trader(hub, { symbol: 'USDJPY' });
    await setState(hub, user_id, strategy_id, 1);
    const other = await trader(hub);
    const { body } = await hub.call('GET /get_strategies_by_user', { query: { user_id } });
    const copied = await copy(hub, other.user_id, body.items[0].strategy_key);
    expect((await deployTrading(hub, copied.body.keygen)).status).toBe(422);
    expect((await deployTrading(hub, copied.body.keygen, { currency: 'JPY' })).status).toBe(200);
  });

  test('is possible in the quote currency, for matching symbols, and with an engine that reports rates', async () => {
    const { keygen } = await trader(hub, { symbol: 'AAPL,USDJPY' });
    for (const form of [
      { symbols: 'AAPL' },
      { symbols: 'USDJPY', currency: 'JPY' },
      { engine_rates: 'true' },
    ]) {
      expect((await deployTrading(hub, keygen, form)).status).toBe(200);
    }
    const messages = (await outbox(hub)).map(({ message }) => message);
    expect(JSON.stringify(messages)).toContain('"quote_currencies":{"USDJPY":"JPY"}');
  });
});

describe('a symbol in another currency', () => {
  test('realises its result at the rate of the closing fill, and keeps unconverted prices', async () => {
    const { user_id, id } = await yenTrader();
    await fill(id, 'buy', '150', { rate: '0.0066' });
    await quote(id, '151.5', '0.0065');
    const { body } = await hub.call('GET /check_trades_position', { query: { user_id } });
    expect(body.positions[0]).toMatchObject({
      average_price: 150,
      last_price: 151.5,
      unrealized_pnl: 975,
    });
    await fill(id, 'sell', '151', { rate: '0.00662251655', fees: '7' });
    const { head } = await ledgerOf(id);
    expect(head).toMatchObject({ gross: '662.251655', fees: '7' });
    // 15,000,000 JPY and 15,100,000 JPY.
    expect(head.traded_value).toBe('198999.999905');
    expect(head.equity.last).toBe('10000');
  });

  test('keeps the rate of each fill, in any order of its reports', async () => {
    const reports = [
      { sequence: 1, status: 'partially_filled', filled_quantity: '1', average_price: '150', rate: '0.0066' },
      {
        sequence: 2,
        status: 'partially_filled',
        filled_quantity: '2',
        average_price: '150.5',
        rate: '0.0067',
      },
      { sequence: 3, status: 'filled', filled_quantity: '2', average_price: '150.5', rate: '0.009' },
    ].map((one, minute) => ({
      ...one,
      quantity: '2',
      side: 'sell',
      occurred_at: new Date(hub.runtime.clock().getTime() + minute * 60_000).toISOString(),
    }));
    const entry = new Date(hub.runtime.clock().getTime() - 60_000).toISOString();
    hub.advance(600_000);
    const grossOf = async (order: readonly number[]) => {
      const { id } = await yenTrader();
      const bought = { quantity: '2', rate: '0.007', side: 'buy', average_price: '149', occurred_at: entry };
      await reportOrder(hub, id, { client_order_id: 'in', symbol: 'USDJPY', ...bought });
      for (const index of order) {
        await reportOrder(hub, id, { client_order_id: 'out', symbol: 'USDJPY', ...reports[index] });
      }
      return (await ledgerOf(id)).head.gross;
    };
    // 100,000 JPY at 0.0066 and 200,000 JPY at 0.0067.
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
      [2, 0, 1],
      [0, 2, 1, 1],
    ]) {
      expect([order, await grossOf(order)]).toEqual([order, '2000']);
    }
  });

  test('is refused without a rate, and one in the same currency with one', async () => {
    const { id } = await yenTrader('AAPL,USDJPY');
    await expect(fill(id, 'buy', '150')).rejects.toThrow('rate is missing: JPY to USD');
    await expect(quote(id, '150')).rejects.toThrow('rate is missing: JPY to USD');
    await expect(quote(id, '150', '0')).rejects.toThrow('must be positive');
    await expect(fill(id, 'buy', '0.9', { symbol: 'USDCHF' })).rejects.toThrow('CHF to USD');
    await expect(fill(id, 'buy', '100', { symbol: 'AAPL', rate: '2' })).rejects.toThrow(
      'rate is for symbols',
    );
    expect((await tradingOf(id)).version).toBe(1);
    await fill(id, 'buy', '150', { status: 'open', filled_quantity: '0', average_price: null });
    await fill(id, 'buy', '100', { symbol: 'AAPL', rate: '1' });
    await fill(id, 'buy', '0.9', { symbol: 'USDCHF', rate: '1.1' });
    expect(Object.keys((await ledgerOf(id)).head.symbols).sort()).toEqual(['AAPL', 'USDCHF']);
  });

  test('fees are compared with the converted value', async () => {
    const { id } = await yenTrader();
    const fees = '200000';
    await expect(fill(id, 'buy', '150', { rate: '0.0066', fees })).rejects.toThrow('fees are more');
    await fill(id, 'buy', '150', { rate: '0.0066', fees: '99999' });
  });

  test('is closed by hand at the last known rate', async () => {
    const { user_id, id } = await yenTrader();
    await fill(id, 'buy', '150', { rate: '0.0066' });
    await quote(id, '151', '0.0065');
    const book = await hub.call('GET /get_live_strategy_order_book', {
      query: { user_id, deployment_id: String(id) },
    });
    const [{ order_id }] = book.body.items ?? book.body;
    const closed = await hub.call('POST /update_live_trade', {
      query: { user_id, order_id: String(order_id), close_value: '152' },
    });
    expect(closed.status).toBe(200);
    expect((await ledgerOf(id)).head.gross).toBe('1300');
  });

  test('is charged swap in the currency of the deployment', async () => {
    const { id } = await yenTrader();
    await fill(id, 'buy', '150', { rate: '0.0066' });
    const day = new Date(hub.runtime.clock().getTime() + 86_400_000).toISOString().slice(0, 10);
    const yen = await trader(hub, { symbol: 'USDJPY' });
    const inYen = (await deployTrading(hub, yen.keygen, { currency: 'JPY' })).body.deployment_id;
    await fill(inYen, 'buy', '150');
    for (const each of [id, inYen]) await rollSwaps(hub.runtime, each, day);
    const [dollars, plain] = [(await ledgerOf(id)).head.swap, (await ledgerOf(inYen)).head.swap];
    expect(Number(plain)).not.toBe(0);
    expect(Number(dollars)).toBeCloseTo(Number(plain) * 0.0066, 9);
  });
});
