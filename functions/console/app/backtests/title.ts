import type { GetBacktestOutput } from '../../../../infra/client/package/src/index.ts';
import { barsText } from '../strategies/texts.ts';

/** Returns the title of a backtest: its name, or what it tested. */
export const titleOf = ({
  backtest_name,
  symbols,
  timeframe,
}: Pick<GetBacktestOutput, 'backtest_name' | 'symbols' | 'timeframe'>): string =>
  backtest_name ?? `Backtest of ${symbols.join(', ')}, ${barsText(timeframe)}`;
