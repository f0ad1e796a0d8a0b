import type { Store } from '../../../shared/data/table/store.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import type { ResolvedRules } from '../../../shared/domain/engine/rules/params.ts';
import type { LegBars } from './candles.ts';
import { type RunAtOnce, runAtOnce } from './run-at-once.ts';

/** Tells that smaller bars were not read. The figures are not better than those of the whole backtest. */
const LEFT_OUT = {
  code: 'smaller_bars_left_out',
  message:
    'The preview decides fills within a bar for the worse, without the smaller bars. The backtest itself reads them.',
};

/**
 * Runs a backtest that is not stored. One that needs more smaller bars than a request reads is decided without them, with a
 * warning.
 */
export const runPreview = async (
  store: Store,
  setup: BacktestSetup,
  rules: ResolvedRules,
  candles: readonly (LegBars | undefined)[],
  mostTrades: number,
): Promise<RunAtOnce> => {
  const most = { most_trades: mostTrades, tally: { bars: 0 } };
  const whole = await runAtOnce(store, setup, rules, candles, most);
  if (whole) return whole;
  const legs = setup.legs.map(({ smaller: _, ...leg }) => leg);
  const plain = await runAtOnce(store, { ...setup, legs }, rules, candles, most);
  if (!plain) throw new Error('a backtest without smaller bars has read some');
  return { ...plain, report: { ...plain.report, warnings: [...plain.report.warnings, LEFT_OUT] } };
};
