import { describe, expect, test } from '@jest/globals';
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
