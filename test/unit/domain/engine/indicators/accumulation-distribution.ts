import * as talib from 'talib-web';
import { AD } from 'trading-signals';
import { candlesOf, compare } from '../../../../support/indicator-references.ts';

compare('accumulation_distribution equals trading-signals', {
  operand: () => ({ indicator: 'accumulation_distribution' }),
  values: (bars) => new AD().updates(candlesOf(bars), false),
  tolerance: 1e-6,
});

compare('accumulation_distribution equals TA-Lib', {
  operand: () => ({ indicator: 'accumulation_distribution' }),
  values: ({ high, low, close, volume }) => talib.AD({ high, low, close, volume }).output,
  tolerance: 1e-6,
});
