import * as talib from 'talib-web';
import { compare } from '../../../../support/indicator-references.ts';

compare('psar equals TA-Lib', {
  operand: () => ({ indicator: 'psar' }),
  values: ({ high, low }) => talib.SAR({ high, low }).output,
  begin: () => 1,
});
