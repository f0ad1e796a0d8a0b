import { calendarById } from '../../../../shared/domain/candles/calendar.ts';
import { tradingDaysOf } from '../../../../shared/domain/candles/trading-days.ts';
import { plainSettings } from '../../../../shared/domain/engine/account/settings.ts';
import { runBacktest } from '../../../../shared/domain/engine/backtest/backtest.ts';
import { marketTimeOf } from '../../../../shared/domain/engine/market-time.ts';
import { resolveParams } from '../../../../shared/domain/engine/rules/params.ts';
import { strategyTemplates } from '../../../../shared/domain/engine/rules/templates.ts';
import { randomBars } from '../../../support/random-bars.ts';

test.each(strategyTemplates())('the template $key trades', ({ rules, timeframes }) => {
  const resolved = resolveParams(rules);
  if (!('rules' in resolved)) throw new Error('the template does not resolve');
  // The suggestion for intraday rules is shorter than a session.
  const timeframe = timeframes.includes('15m') ? '15m' : '1d';
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
    [randomBars(7, 3000, timeframe)],
  );
  expect(trades.length + open.length).toBeGreaterThan(0);
});
