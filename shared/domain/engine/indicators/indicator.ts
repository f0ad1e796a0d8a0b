import type { Group, Value } from '../group.ts';
import type { IndicatorOperand } from '../rules/indicators.ts';
import type { Resolved } from '../rules/params.ts';
import { ema } from './averages.ts';
import { cci, macd, mfi, roc, rsi, stochastic } from './momentum.ts';
import { price } from './prices.ts';
import { adx, psar } from './trend.ts';
import { atr, band, supertrend } from './volatility.ts';
import { obv, rollingVwap, sessionVwap } from './volume.ts';
import { extreme, sma, stddev, wma } from './windows.ts';

/** Indicator whose arguments are numbers. */
export type ResolvedIndicator = Resolved<IndicatorOperand>;

/**
 * Returns the value of an indicator in its group, `ago` not applied. Adds the nodes that are missing.
 *
 * @param sessionOf tells the session of a bar of the group.
 */
export const indicatorValue = (
  group: Group,
  operand: ResolvedIndicator,
  sessionOf: (start: number) => number,
): Value => {
  switch (operand.indicator) {
    case 'sma':
      return sma(group, price(group, operand.source), operand.length);
    case 'ema':
      return ema(group, price(group, operand.source), operand.length);
    case 'wma':
      return wma(group, price(group, operand.source), operand.length);
    case 'rsi':
      return rsi(group, price(group, operand.source), operand.length);
    case 'macd':
      return macd(group, price(group, operand.source), operand)[operand.output]();
    case 'bollinger': {
      const { length, deviations, output } = operand;
      const sign = output === 'upper' ? 1 : -1;
      return band(group, price(group, operand.source), length, output === 'middle' ? 0 : sign * deviations);
    }
    case 'atr':
      return atr(group, operand.length);
    case 'adx':
      return adx(group, operand.length)[operand.output]();
    case 'stochastic':
      return stochastic(group, operand)[operand.output]();
    case 'supertrend':
      return supertrend(group, operand.length, operand.multiple)[operand.output];
    case 'vwap':
      return operand.length === undefined
        ? sessionVwap(group, price(group, operand.source), sessionOf)
        : rollingVwap(group, price(group, operand.source), operand.length);
    case 'highest':
      return extreme(group, price(group, operand.source), operand.length, 1);
    case 'lowest':
      return extreme(group, price(group, operand.source), operand.length, -1);
    case 'roc':
      return roc(group, price(group, operand.source), operand.length);
    case 'stddev':
      return stddev(group, price(group, operand.source), operand.length);
    case 'cci':
      return cci(group, price(group, operand.source), operand.length);
    case 'obv':
      return obv(group);
    case 'mfi':
      return mfi(group, operand.length);
    case 'psar':
      return psar(group, operand);
  }
};
