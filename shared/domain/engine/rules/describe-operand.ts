import { own } from '../../unknown-fields.ts';
import type { IndicatorOperand } from '../indicators/operand.ts';
import { indicatorWords } from '../indicators/words.ts';
import type { Param } from '../values/values.ts';
import type { Operand, PriceOperand, Rules, TradeValueName, Tunable } from './shape.ts';
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

/** Writes the age of a value; undefined for the present one. */
export const agoText = (ago: number | Param): string | undefined =>
  isNumber(ago, 0) ? undefined : `${barsText(ago)} ago`;

const indicatorText = (of: IndicatorOperand): string => {
  const [name, ...args] = indicatorWords(of);
  const details = [
    ...args.map((arg) => (typeof arg === 'number' || typeof arg === 'object' ? valueText(arg) : arg)),
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
