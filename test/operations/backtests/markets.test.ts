import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import type { SeriesFacts } from '../../../shared/data/candles/series.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { type BarColumns, columnsOf } from '../../../shared/domain/candles/bars.ts';
import { runBacktest } from '../../support/backtests.ts';
import { DAILY, sessionBars } from '../../support/candles.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { crossRules, rulesWith } from '../../support/rules.ts';
import { furnishWithInstruments, person } from '../../support/strategies.ts';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2020, 0, 6);

/** Hours of a market that never closes. */
const hourBars = (count: number): BarColumns =>
  columnsOf(
    Array.from({ length: count }, (_, hour) => {
      const open = 1.1 + 0.01 * Math.sin(hour / 9);
      return {
        start: START + hour * HOUR_MS,
        open,
        high: open + 0.002,
        low: open - 0.002,
        close: open + 0.001,
        volume: 10,
      };
    }),
  );

const CRYPTO: SeriesFacts = {
  symbol: 'BTCUSD',
  timeframe: '1h',
  asset_class: 'crypto',
  calendar: 'always',
  source: 'test',
  adjustment: 'none',
};
const FOREX: SeriesFacts = { ...CRYPTO, symbol: 'EURUSD', asset_class: 'forex' };
const SHORT = rulesWith(
  {
    left: { indicator: 'sma', length: 3 },
    op: 'crosses_below',
    right: { indicator: 'sma', length: 9 },
  },
  {},
);
const SHORT_RULES = {
  ...SHORT,
  entries: [{ ...SHORT.entries[0], side: 'short' }],
  exits: [{ side: 'short', when: { bars_in_trade: 5 } }],
};

let hub: TestHub;
let user_id: string;

beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['SPY', 'QQQ', 'EURUSD', 'BTCUSD', 'USDJPY']);
  const { store } = hub.runtime;
  const daily = sessionBars('2018-01-02', 700);
  await importBars(store, DAILY, daily);
  await importBars(store, { ...DAILY, symbol: 'QQQ' }, sessionBars('2019-01-02', 400));
  await importBars(store, CRYPTO, hourBars(2400));
  await importBars(store, FOREX, hourBars(100));
  await importBars(store, { ...FOREX, symbol: 'USDJPY' }, hourBars(100));
  user_id = (await person(hub)).user_id;
});
afterAll(() => hub.close());

const codesOf = (body: { readonly warnings: readonly { readonly code: string }[] }): string[] =>
  body.warnings.map(({ code }) => code);

describe('a backtest', () => {
  test('of several symbols shares the capital, in any order of the symbols', async () => {
    const ask = (symbols: string[]) =>
      runBacktest(hub, user_id, { symbol: undefined, symbols, account: { starting_capital: 20_000 } });
    const { status, body } = await ask(['SPY', 'QQQ']);
    expect(status).toBe(200);
    expect(body).toMatchObject({ symbol: 'SPY,QQQ', symbols: ['SPY', 'QQQ'] });
    const query = { user_id, backtest_id: String(body.backtest_id), size: '100' };
    const { items } = (await hub.call('GET /get_backtest_trades', { query })).body;
    const traded = new Set(items.map((item: { symbol: string }) => item.symbol));
    expect(traded).toEqual(new Set(['SPY', 'QQQ']));
    const [first] = items;
    expect(first.quantity * first.entry_price).toBeLessThanOrEqual(10_000);
    const { statistics } = (await ask(['QQQ', 'SPY'])).body;
    expect(statistics.final_equity).toBeCloseTo(body.statistics.final_equity, 6);
    expect(statistics.trades_count).toBe(body.statistics.trades_count);
  });

  test('of symbols in different currencies is refused', async () => {
    const answer = await runBacktest(hub, user_id, {
      symbol: 'EURUSD,USDJPY',
      timeframe: '1h',
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'symbol'], type: 'value_error.currency' }] },
    });
  });

  test('of crypto counts 365 days a year, and derives four hours from hours', async () => {
    const { body } = await runBacktest(hub, user_id, {
      rules: crossRules(2, 6),
      symbol: 'BTCUSD',
      timeframe: '4h',
      account: { starting_capital: 1_000_000, size_step: 0.0001 },
    });
    expect(body).toMatchObject({ status: 'done', currency: 'USD', bars: 600, timeframe: '4h' });
    expect(codesOf(body)).not.toContain('gaps');
  });

  test('charges the swap of the instrument on request', async () => {
    const ask = async (financing: string) => {
      const { body } = await runBacktest(hub, user_id, {
        rules: rulesWith({ left: { price: 'close' }, op: 'gt', right: 0 }),
        symbol: 'EURUSD',
        timeframe: '1h',
        account: { starting_capital: 1_000_000, financing },
      });
      return body.statistics.final_equity;
    };
    expect(await ask('none')).not.toBe(await ask('instrument'));
  });

  test('leaves shorts out where the instrument does not allow them', async () => {
    const before = await runBacktest(hub, user_id, { rules: SHORT_RULES });
    expect(before.body.trades_count).toBeGreaterThan(5);
    const { store } = hub.runtime;
    await store.transact([{ key: keys.instrument('SPY'), set: { short_allowed: false } }]);
    const { body } = await runBacktest(hub, user_id, { rules: SHORT_RULES });
    await store.transact([{ key: keys.instrument('SPY'), set: { short_allowed: undefined } }]);
    expect(body.trades_count).toBe(0);
    expect(codesOf(body)).toContain('side_not_allowed');
  });

  test('tells of few trades, too little capital, and a warm-up that is longer than the data', async () => {
    const { body: few } = await runBacktest(hub, user_id, { to: '2018-06-01' });
    expect(codesOf(few)).toContain('few_trades');
    const { body: poor } = await runBacktest(hub, user_id, { account: { starting_capital: 50 } });
    expect(codesOf(poor)).toContain('capital_too_small');
    const { body: short } = await runBacktest(hub, user_id, { rules: crossRules(5, 500), to: '2018-06-01' });
    expect(codesOf(short)).toContain('never_evaluated');
    expect(short.first_evaluated_bar).toBeNull();
  });

  test('tells of gaps and of suspicious bars', async () => {
    const bars = sessionBars('2015-01-02', 300);
    const holes = { ...DAILY, symbol: 'HOLES' };
    const kept = Array.from(bars.start.keys()).filter((index) => index < 100 || index >= 110);
    const pick = (column: Float64Array) => Float64Array.from(kept, (index) => column[index] ?? 0);
    const close = pick(bars.close);
    close[50] = 900;
    const high = pick(bars.high);
    high[50] = 901;
    await importBars(hub.runtime.store, holes, {
      start: pick(bars.start),
      open: pick(bars.open),
      high,
      low: pick(bars.low),
      close,
      volume: pick(bars.volume),
    });
    const { body } = await runBacktest(hub, user_id, { symbol: 'HOLES' });
    expect(body.warnings).toContainEqual(
      expect.objectContaining({ code: 'gaps', symbols: ['HOLES'], count: 10 }),
    );
    expect(codesOf(body)).toContain('suspicious_bars');
  });
});
