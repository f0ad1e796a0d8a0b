import { CMF } from 'trading-signals';
import { candlesOf, compare, rolling, sumOf, zip } from '../../../../support/indicator-references.ts';
import { flowsOf } from '../../../../support/range-references.ts';

const operand = (length: number) => ({ indicator: 'chaikin_money_flow', length });

compare('chaikin_money_flow equals its formula', {
  operand,
  values: (bars, n) =>
    zip(rolling(flowsOf(bars), n, sumOf), rolling(bars.volume, n, sumOf), (flow, volume) => flow / volume),
});

compare('chaikin_money_flow equals trading-signals', {
  operand,
  values: (bars, n) => new CMF(n).updates(candlesOf(bars), false),
});
