import { listShipped, readShipped } from '../../../../infra/candles/load.ts';
import type { BarColumns } from '../../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../../shared/domain/candles/calendar.ts';
import { tradingDaysOf } from '../../../../shared/domain/candles/trading-days.ts';
import { plainSettings } from '../../../../shared/domain/engine/account/settings.ts';
import { runBacktest } from '../../../../shared/domain/engine/backtest/backtest.ts';
import { marketTimeOf } from '../../../../shared/domain/engine/market-time.ts';
import { resolveParams } from '../../../../shared/domain/engine/rules/params.ts';
import type { Rules } from '../../../../shared/domain/engine/rules/shape.ts';
import { strategyTemplates } from '../../../../shared/domain/engine/rules/templates.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';
import { randomBars } from '../../../support/random-bars.ts';

const templates = strategyTemplates();

/** Returns the trades of a template's rules over bars of the United States. */
const tradesOf = (rules: Rules, bars: BarColumns, timeframe: Timeframe): number => {
  const resolved = resolveParams(rules);
  if (!('rules' in resolved)) throw new Error('the template does not resolve');
  const { trades, open_trades: open } = runBacktest(
    {
      rules: resolved.rules,
      timeframe,
      account: plainSettings(10_000),
      currency: 'USD',
      days: tradingDaysOf(['us']),
      legs: [
        {
          symbol: 'ANY',
          share: 1,
          time: marketTimeOf(calendarById('us')),
          size_step: 0.001,
          contract_size: 1,
          direction: 'both',
        },
      ],
    },
    [bars],
  );
  return trades.length + open.length;
};

test.each(templates)('the template $key trades', ({ rules, timeframes }) => {
  // The suggestion for intraday rules is shorter than a session.
  const timeframe = timeframes.includes('15m') ? '15m' : '1d';
  expect(tradesOf(rules, randomBars(7, 3000, timeframe), timeframe)).toBeGreaterThan(0);
});

test.each(templates)('the template $key trades on the candles of the demo', ({ rules, timeframes }) => {
  const timeframe = timeframes.includes('1d') ? '1d' : '1h';
  const series = listShipped().find((each) => each.symbol === 'SPY' && each.timeframe === timeframe);
  if (!series) throw new Error('there are no candles of SPY');
  expect(tradesOf(rules, readShipped(series), timeframe)).toBeGreaterThan(0);
});

test('there are twenty templates, each with a key and a sentence of its own', () => {
  expect(templates).toHaveLength(20);
  expect(new Set(templates.map(({ key }) => key)).size).toBe(20);
  for (const { sentence } of templates) expect(sentence).toMatch(/^[A-Z].{40,}\.$/);
});
