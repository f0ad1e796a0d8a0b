import { describe, expect, test } from '@jest/globals';
import { backtestIn } from '../../functions/backtests/forms/body.ts';
import { sweepIn } from '../../functions/backtests/forms/sweep-body.ts';
import { costsText } from '../../functions/console/app/backtests/costs.ts';
import {
  accountDraft,
  backtestBody,
  countValues,
  type Draft,
  NEW_TERMS,
  suggestedValues,
  sweepBody,
  typedValues,
  withDefaults,
} from '../../functions/console/app/backtests/draft.ts';
import { newestDone } from '../../functions/console/app/backtests/newest.ts';
import { formatsFor } from '../../functions/console/app/format.ts';
import { typedNumber } from '../../functions/console/app/typed-decimal.ts';
import type { BacktestItem, Rules } from '../../infra/client/package/src/index.ts';

const rules: Rules = {
  schema: 'hub.rules/1',
  params: { fast: { default: 10, min: 2 }, slow: { default: 30 } },
  entries: [{ side: 'long', when: { left: { price: 'close' }, op: 'gt', right: { param: 'fast' } } }],
};

const draft: Draft = {
  symbols: ['SPY', 'AAPL'],
  timeframe: '1d',
  candles: 'hub',
  from: '2020-01-01',
  to: '2020-12-31',
  account: NEW_TERMS.account,
  params: { fast: '12', slow: '30' },
};

describe('form of a backtest', () => {
  test('makes the request that the service takes', () => {
    const checked = backtestBody({ rules }, draft);
    expect(backtestIn.parse(checked.body)).toMatchObject({
      symbols: ['SPY', 'AAPL'],
      from: expect.stringContaining('2020-01-01'),
      to: expect.stringContaining('2021-01-01'),
      params: { fast: 12 },
      account: { starting_capital: 10_000, commission_rate: 0.0005, slippage_rate: 0.0002, margin: 1 },
    });
  });

  test('names the strategy instead of its rules', () => {
    const checked = backtestBody({ strategy_id: 7, rules }, { ...draft, from: '', to: '' });
    expect(checked).toMatchObject({ body: { strategy_id: 7 } });
    expect(Object.keys(checked.body ?? {})).not.toEqual(expect.arrayContaining(['rules', 'from', 'to']));
  });

  test('names the fields with problems', () => {
    const account = { ...NEW_TERMS.account, margin: 'half', spread_rate: '-1' };
    const wrong = { ...draft, symbols: [], to: '2019-01-01', account, params: { fast: 'quick' } };
    expect(Object.keys(backtestBody({ rules }, wrong).problems ?? {}).sort()).toEqual([
      'fast',
      'margin',
      'spread_rate',
      'symbols',
      'to',
    ]);
  });

  test('shows the account of an earlier backtest', () => {
    const stored = {
      starting_capital: 5000,
      commission_rate: 0.0007,
      commission_fixed: 1,
      commission_per_unit: 0.005,
      commission_min: 2,
      spread_rate: 0,
      slippage_rate: 0.0002,
      margin: 0.05,
      maintenance: 0.02,
      size_step: 1,
      financing: 'instrument',
      fill_at: 'next_open',
      stop_basis: 'fill',
      entry_bar: 'next_bar',
      close_at_end: 'mark',
    } as const;
    const shown = accountDraft(stored);
    expect(shown).toMatchObject({
      commission_rate: '0.07',
      margin: '5',
      maintenance: '2',
      slippage_rate: '0.02',
    });
    // A point before three digits may separate thousands.
    expect(accountDraft({ ...stored, commission_min: 1.125 }).commission_min).toBe('1.1250');
    const { size_step: _step, ...rest } = stored;
    expect(backtestBody({ rules }, { ...draft, account: shown })).toMatchObject({ body: { account: rest } });
  });

  test('numbers have a point or a comma', () => {
    expect(['0,05', ' 1.5 ', '−2', '.5', '7'].map((text) => typedNumber(text))).toEqual([
      0.05, 1.5, -2, 0.5, 7,
    ]);
    expect(['1,000.5', 'x', '', '1e5', '1 000'].map((text) => typedNumber(text))).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
  });

  test('a comma that may separate thousands is asked about, so that 10,000 is never 10', () => {
    expect(['10,000', '-1,250'].map((text) => typedNumber(text))).toEqual([undefined, undefined]);
    expect(['0,125', '1,25', '1000,125'].map((text) => typedNumber(text))).toEqual([0.125, 1.25, 1000.125]);
    const account = { ...draft.account, starting_capital: '10,000' };
    expect(backtestBody({ rules }, { ...draft, account }).problems).toHaveProperty('starting_capital');
  });
});

describe('a point that may separate thousands', () => {
  const account = { ...draft.account, margin: '1.000', spread_rate: '0.125', commission_min: '2.500' };
  const wrong = { ...draft, account, params: { fast: '1.000', slow: '0.125' } };
  const problemsOf = (locale: string) =>
    Object.keys(backtestBody({ rules }, wrong, locale).problems ?? {}).sort();

  test('is refused in every field of a backtest where a comma is usual for decimals', () => {
    expect(problemsOf('de-DE')).toEqual(['commission_min', 'fast', 'margin']);
    expect(problemsOf('en-GB')).toEqual([]);
  });

  test('is refused in the values of a sweep, so that 1.000 is never 1', () => {
    expect(typedValues('5, 1.000', 'de-DE')).toBeUndefined();
    expect(typedValues('0.5 to 1.500 step 0.5', 'de-DE')).toBeUndefined();
    expect(typedValues('5, 1.000', 'en-GB')).toEqual([5, 1]);
    const [split, rankBy] = ['1.000', 'sharpe_ratio'] as const;
    expect(sweepBody({ rules }, draft, { split, rankBy }, 'de-DE').problems).toHaveProperty('split');
  });

  test('is never in a suggested value', () => {
    const values = suggestedValues({ default: 1.125 });
    expect(typedValues(values, 'de-DE')).toEqual(typedValues(values, 'en-GB'));
    expect(typedValues(values, 'de-DE')).toContain(1.125);
  });
});

describe('form of a sweep', () => {
  const choices = { split: '70', rankBy: 'sharpe_ratio' } as const;

  test('reads ranges and lists', () => {
    expect(typedValues('5-50 step 5')).toEqual({ from: 5, to: 50, step: 5 });
    expect(typedValues('0.5 to 1.5 by 0.25')).toEqual({ from: 0.5, to: 1.5, step: 0.25 });
    expect(typedValues('5, 10; 20')).toEqual([5, 10, 20]);
    expect(['', 'a', '5-1 step 1', '1-5 step 0', '1, b'].map((text) => typedValues(text))).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
    expect(countValues({ from: 0.1, to: 0.5, step: 0.1 })).toBe(5);
    expect(countValues([1, 1, 2])).toBe(2);
  });

  test('makes the request that the service takes', () => {
    const checked = sweepBody({ rules }, { ...draft, params: { fast: '5-15 step 5', slow: '30' } }, choices);
    expect(sweepIn.parse(checked.body)).toMatchObject({
      params: { fast: { from: 5, to: 15, step: 5 }, slow: [30] },
      split: 0.7,
    });
  });

  test('refuses too few and too many combinations, and a split without a sample', () => {
    const problems = (params: Record<string, string>, split = '70') =>
      Object.keys(sweepBody({ rules }, { ...draft, params }, { ...choices, split }).problems ?? {});
    expect(problems({ fast: '5' })).toEqual(['params']);
    expect(problems({ fast: '1-100 step 1', slow: '1-100 step 1' })).toEqual(['params']);
    expect(problems({ fast: '5, 6' }, '100')).toEqual(['split']);
    expect(problems({ fast: 'x' })).toEqual(['fast']);
  });

  test('suggests values around the default, within the bounds', () => {
    expect(suggestedValues({ default: 10 })).toBe('6, 8, 10, 12, 14');
    expect(suggestedValues({ default: 10, min: 9, max: 12 })).toBe('10, 12');
    expect(suggestedValues({ default: 1.5 })).toBe('0.9, 1.2, 1.5, 1.8, 2.1');
    expect(suggestedValues({ default: 2 })).toBe('1, 2, 3, 4');
  });

  test('puts parameters into rules that have them', () => {
    expect(withDefaults(rules, { fast: 5 })?.params).toEqual({
      fast: { default: 5, min: 2 },
      slow: { default: 30 },
    });
    expect(withDefaults(rules, { stop: 5 })).toBeUndefined();
  });
});

describe('the costs of a test', () => {
  const format = formatsFor('en-US', 'UTC');
  const none = {
    commission_rate: 0,
    commission_fixed: 0,
    commission_per_unit: 0,
    commission_min: 0,
    spread_rate: 0,
    slippage_rate: 0,
    financing: 'none',
  } as const;

  test('are missed at figures that have none', () => {
    expect(costsText(none, 'USD', format)).toBe('Without costs: real trading earns less.');
  });

  test('are named at figures that have some', () => {
    const account = { ...none, commission_rate: 0.0005, commission_fixed: 1, slippage_rate: 0.0002 };
    expect(costsText(account, 'USD', format)).toBe(
      'With costs: commission 0.05%, commission $1.00 an order, slippage 0.02%.',
    );
    for (const cost of ['commission_per_unit', 'commission_min', 'spread_rate'] as const) {
      expect(costsText({ ...none, [cost]: 0.5 }, 'USD', format)).toMatch(/^With costs: /);
    }
    expect(costsText({ ...none, financing: 'instrument' }, 'USD', format)).toMatch(/overnight/);
  });

  test('are those of the form in a new test', () => {
    const { body } = backtestBody({ rules }, { ...NEW_TERMS, symbols: ['SPY'], timeframe: '1d', params: {} });
    expect(body?.account).toMatchObject({ commission_rate: 0.0005, slippage_rate: 0.0002 });
  });
});

test('the newest backtest with figures is not one that runs or has failed', () => {
  const item = (backtest_id: number, status: BacktestItem['status']): BacktestItem => ({
    backtest_id,
    backtest_name: null,
    strategy_id: 7,
    status,
    progress: 1,
    error: null,
    symbol: 'SPY',
    symbols: ['SPY'],
    timeframe: '1d',
    candles: 'hub',
    rules_hash: 'h',
    created_at: '2026-01-01T00:00:00.000Z',
    finished_at: null,
    summary:
      status === 'done'
        ? {
            total_return_pct: 4,
            max_drawdown_equity_pct: 2,
            sharpe_ratio: 1,
            win_rate_pct: 50,
            trades_count: 8,
            final_equity: 10_400,
          }
        : null,
  });
  expect(newestDone([item(4, 'running'), item(3, 'failed'), item(2, 'done'), item(1, 'done')])).toMatchObject(
    {
      backtest_id: 2,
    },
  );
  expect(newestDone([item(4, 'queued')])).toBeUndefined();
});
