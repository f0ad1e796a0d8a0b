import * as talib from 'talib-web';
import { TR } from 'trading-signals';
import { candlesOf, compare } from '../../../../support/indicator-references.ts';

compare('true_range equals trading-signals', {
  operand: () => ({ indicator: 'true_range' }),
  values: (bars) => new TR().updates(candlesOf(bars), false),
});

compare('true_range equals TA-Lib', {
  operand: () => ({ indicator: 'true_range' }),
  values: ({ high, low, close }) => talib.TRANGE({ high, low, close }).output,
  begin: () => 1,
  settled: 1,
});
