import { describe, expect, test } from '@jest/globals';
import { sweepVerdict } from '../../functions/console/app/backtests/verdict.ts';
import {
  bestOf,
  STATISTIC_GROUPS,
  STATISTICS,
  statisticText,
} from '../../functions/console/app/statistics.ts';
import { reportSchema } from '../../shared/domain/engine/backtest/report.ts';

describe('statistics of a backtest', () => {
  const ofService = Object.keys(reportSchema.shape.statistics.unwrap().shape).sort();

  test('every figure of the service has a name, an explanation and one place', () => {
    expect(Object.keys(STATISTICS).sort()).toEqual(ofService);
    expect(STATISTIC_GROUPS.flatMap(({ keys }) => keys).sort()).toEqual(ofService);
    const labels = Object.values(STATISTICS).map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
  });

  test('are written by their kind', () => {
    expect(statisticText('total_return_pct', 1, 'USD')).toMatch(/^\+1\D00/);
    expect(statisticText('kelly', 0.25, 'USD')).toMatch(/^25/);
    expect(statisticText('sample_sufficient', false, 'USD')).toBe('No');
    expect(statisticText('sharpe_ratio', null, 'USD')).toBe('–');
    expect(statisticText('period_end', '2026-01-02T00:00:00Z', 'USD')).toContain('2026');
  });

  test('the best of several is marked, by the direction of the figure', () => {
    expect([...bestOf('sharpe_ratio', [1, null, 2])]).toEqual([2]);
    expect([...bestOf('max_drawdown_equity_pct', [30, 10, 10])]).toEqual([1, 2]);
    expect([...bestOf('largest_loss', [-500, -20])]).toEqual([1]);
    for (const values of [[1], [2, 2], [null, 3], []]) expect(bestOf('sharpe_ratio', values).size).toBe(0);
    expect(bestOf('trades_count', [10, 20]).size).toBe(0);
  });
});

describe('the verdict on a combination of a sweep', () => {
  const figures = (trades_count: number, total_return_pct: number | null) => ({
    total_return_pct,
    cagr_pct: null,
    sharpe_ratio: null,
    sortino_ratio: null,
    calmar_ratio: null,
    max_drawdown_equity_pct: null,
    win_rate_pct: null,
    profit_factor: null,
    expectancy_pct: null,
    sqn: null,
    exposure_pct: null,
    trades_count,
    final_equity: 0,
  });
  type Sample = ReturnType<typeof figures> | null;
  const verdict = (in_sample: Sample, out_of_sample: Sample, collapsed = false) =>
    sweepVerdict({ in_sample, out_of_sample, collapsed }).text;
  const gains = figures(9, 4);

  test('is yes only with trades and gains in both samples', () => {
    expect(verdict(gains, gains)).toBe('✓ Yes');
    expect(verdict(gains, figures(9, 0.5), true)).toBe('× Collapses');
    expect(verdict(figures(0, 0), figures(0, 0))).toBe('No closed trades in and out of sample');
    expect(verdict(gains, figures(0, 0), true)).toBe('No closed trades out of sample');
    expect(verdict(figures(5, -3), gains)).toBe('× Loses in sample');
    expect(verdict(gains, figures(5, -3), true)).toBe('× Loses out of sample');
    expect(verdict(figures(5, -3), figures(5, -1))).toBe('× Loses in and out of sample');
    expect(verdict(figures(5, 0), gains)).toBe('No gain in sample');
    expect(verdict(gains, null, true)).toBe('No prices out of sample');
  });
});
