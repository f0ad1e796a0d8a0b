import { own } from '../../unknown-fields.ts';
import type { IndicatorOperand } from './indicators.ts';
import type { Operand, PriceOperand, Rules, TradeValueName, Tunable } from './shape.ts';
import type { Param } from './values.ts';
import { arithmeticOf } from './walk.ts';

const SIGNS = { add: '+', subtract: '-', multiply: '*', divide: '/' } as const;

/** Writes a number, or a mark in the place of a parameter. */
export const valueText = (value: number | Param): string =>
  typeof value === 'number' ? String(value) : `{${value.param}}`;

/** Replaces the marks of parameters by their names and defaults: `fast=10`. */
export const withDefaults = (text: string, params: Rules['params']): string =>
  text.replace(
    /\{(\w+)\}/g,
    (_mark, name: string) => `${name}=${own<Tunable>(params, name)?.default ?? '?'}`,
  );

const isNumber = (value: number | Param, number: number): boolean => value === number;

/** Writes a number of bars. */
export const barsText = (bars: number | Param): string =>
  `${valueText(bars)} ${isNumber(bars, 1) ? 'bar' : 'bars'}`;

/** Names an indicator and its arguments. The name includes the output and, for extremes, the price. */
const namedIndicator = (of: IndicatorOperand): [name: string, ...args: (number | Param)[]] => {
  switch (of.indicator) {
    case 'sma':
    case 'ema':
    case 'wma':
    case 'rsi':
    case 'roc':
    case 'cci':
    case 'atr':
    case 'mfi':
      return [of.indicator.toUpperCase(), of.length];
    case 'stddev':
      return ['standard deviation', of.length];
    case 'macd': {
      const names = { macd: 'MACD', signal: 'MACD signal', histogram: 'MACD histogram' };
      return [names[of.output], of.fast, of.slow, of.signal];
    }
    case 'bollinger':
      return [`${of.output} Bollinger band`, of.length, of.deviations];
    case 'adx':
      return [{ adx: 'ADX', plus_di: '+DI', minus_di: '-DI' }[of.output], of.length];
    case 'stochastic':
      return [`stochastic %${of.output.toUpperCase()}`, of.length, of.smooth, of.signal];
    case 'supertrend':
      return [of.output === 'value' ? 'Supertrend' : 'Supertrend direction', of.length, of.multiple];
    case 'vwap':
      return of.length === undefined ? ['session VWAP'] : ['VWAP', of.length];
    case 'highest':
    case 'lowest':
      return [`${of.indicator} ${of.source}`, of.length];
    case 'obv':
      return ['OBV'];
    case 'psar':
      return ['Parabolic SAR', of.start, of.increment, of.maximum];
  }
};

/** Returns the price of an indicator, if it is not the usual one. */
const unusualSource = (of: IndicatorOperand): string | undefined => {
  if (!('source' in of) || of.indicator === 'highest' || of.indicator === 'lowest') return undefined;
  const usual = of.indicator === 'vwap' || of.indicator === 'cci' ? 'hlc3' : 'close';
  return of.source === usual ? undefined : `of ${of.source}`;
};

/** Writes the age of a value; undefined for the present one. */
export const agoText = (ago: number | Param): string | undefined =>
  isNumber(ago, 0) ? undefined : `${barsText(ago)} ago`;

const indicatorText = (of: IndicatorOperand): string => {
  const [name, ...args] = namedIndicator(of);
  const details = [
    ...args.map(valueText),
    unusualSource(of),
    of.timeframe && `on ${of.timeframe}`,
    agoText(of.ago),
  ].filter((detail) => detail !== undefined);
  return details.length > 0 ? `${name}(${details.join(', ')})` : name;
};

const priceText = ({ price, candles, timeframe, ago }: PriceOperand): string => {
  const name = candles ? `Heikin-Ashi ${price}` : price;
  const age = agoText(ago);
  if (timeframe === undefined) return age ? `${name} ${age}` : name;
  return `${name}(${[`on ${timeframe}`, age].filter(Boolean).join(', ')})`;
};

const TRADE_TEXTS: Readonly<Record<TradeValueName, string>> = {
  entry_price: 'entry price',
  highest_since_entry: 'highest since entry',
  lowest_since_entry: 'lowest since entry',
  percent_from_entry: 'percent from entry',
};

/** Describes an operand: `SMA(10)`, `close 1 bar ago`, `(0.98 * EMA(20, on 1w))`. */
export const operandText = (operand: Operand): string => {
  if (typeof operand === 'number' || 'param' in operand) return valueText(operand);
  if ('price' in operand) return priceText(operand);
  if ('trade' in operand) return TRADE_TEXTS[operand.trade];
  if ('indicator' in operand) return indicatorText(operand);
  const { operation, pair } = arithmeticOf(operand);
  return `(${operandText(pair[0])} ${SIGNS[operation]} ${operandText(pair[1])})`;
};
