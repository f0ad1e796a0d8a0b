import type { IndicatorGroup } from '../../../../shared/domain/engine/indicators/declare.ts';
import type { TradeValueName } from '../../../../shared/domain/engine/rules/shape.ts';
import type { ConditionKind, OperandKind } from './parts.ts';

type Labels = Readonly<Record<string, string>>;

/** Names of the fields of indicators, stops and sizes. */
export const SLOT_LABELS: Labels = {
  length: 'Bars',
  fast: 'Fast bars',
  slow: 'Slow bars',
  signal: 'Signal bars',
  smooth: 'Smoothing bars',
  deviations: 'Deviations',
  offset: 'Offset',
  sigma: 'Sigma',
  seed: 'Begins with',
  first_bar: 'Range of the first bar',
  atr_length: 'Bars of ATR',
  displacement: 'Displacement',
  conversion: 'Conversion bars',
  base: 'Base bars',
  span: 'Span B bars',
  minutes: 'Minutes',
  divisor: 'Divisor',
  period: 'Of the',
  method: 'Method',
  multiple: 'Multiple',
  start: 'Start',
  increment: 'Increment',
  maximum: 'Maximum',
  source: 'Of price',
  output: 'Line',
  timeframe: 'Timeframe',
  ago: 'Bars ago',
  percent: 'Percent',
  points: 'Points',
  units: 'Units',
  cash: 'Cash',
  candles: 'Candles',
  trend: 'Trend before, in closes',
  body: 'Body, % of the range',
  wick: 'Short shadow, % of the range',
  shadow: 'Long shadow, in bodies',
  long_body: 'First body, % of its range',
  star: 'Star, % of the first body',
  penetration: 'Depth, % of the first body',
};

/** Texts of the choices that leave an optional field out. */
export const WITHOUT_LABELS: Labels = {
  timeframe: 'the strategy’s bars',
  candles: 'plain candles',
  seed: 'an average',
  first_bar: 'counted',
};

/** Names of choices: prices, sides, timeframes. */
export const CHOICE_LABELS: Labels = {
  open: 'Open',
  high: 'High',
  low: 'Low',
  close: 'Close',
  volume: 'Volume',
  hl2: 'Mean of high, low',
  hlc3: 'Mean of high, low, close',
  ohlc4: 'Mean of all four',
  first: 'the first price',
  skipped: 'left out',
  heikin_ashi: 'Heikin-Ashi',
  day: 'Day (session)',
  week: 'Week',
  month: 'Month',
  classic: 'Classic',
  fibonacci: 'Fibonacci',
  camarilla: 'Camarilla',
  long: 'Long',
  short: 'Short',
  '1m': '1 minute',
  '3m': '3 minutes',
  '5m': '5 minutes',
  '15m': '15 minutes',
  '30m': '30 minutes',
  '1h': '1 hour',
  '4h': '4 hours',
  '1d': '1 day',
  '1w': '1 week',
};

/** Names of the groups of indicators, in the order of the list. */
export const GROUP_LABELS: Readonly<Record<IndicatorGroup, string>> = {
  averages: 'Averages',
  trend: 'Trend',
  momentum: 'Momentum',
  volatility: 'Volatility',
  volume: 'Volume',
  levels: 'Levels',
  statistics: 'Statistics',
};

/** Signs of comparisons in sentences. */
export const COMPARISON_SIGNS: Labels = {
  crosses_above: 'crosses above',
  crosses_below: 'crosses below',
  crosses: 'crosses',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
};

export const COMPARISON_LABELS: Labels = {
  crosses_above: 'crosses above',
  crosses_below: 'crosses below',
  crosses: 'crosses, up or down',
  gt: 'is above',
  gte: 'is at or above',
  lt: 'is below',
  lte: 'is at or below',
};

/** Kinds of conditions that a user can choose. */
export const CONDITION_LABELS: Readonly<Record<Exclude<ConditionKind, 'other'>, string>> = {
  comparison: 'Compare two values',
  between: 'Value is between two',
  rising: 'Value rises',
  falling: 'Value falls',
  pattern: 'Pattern of candles',
  time: 'Time of day',
  weekday: 'Day of the week',
  bars_in_trade: 'Age of the trade',
  all: 'All of a group',
  any: 'Any of a group',
  not: 'Not',
  for_bars: 'Holds for bars in a row',
};

/** Kinds of operands that a user can choose. */
export const OPERAND_LABELS: Readonly<Record<Exclude<OperandKind, 'other'>, string>> = {
  indicator: 'Indicator',
  price: 'Price',
  number: 'Number',
  param: 'Parameter',
  trade: 'Value of the trade',
  add: 'Sum (a + b)',
  subtract: 'Difference (a − b)',
  multiply: 'Product (a × b)',
  divide: 'Quotient (a ÷ b)',
};

/** Values of the open trade. */
export const TRADE_LABELS: Readonly<Record<TradeValueName, string>> = {
  percent_from_entry: 'Profit of the trade, %',
  entry_price: 'Entry price',
  highest_since_entry: 'Highest since entry',
  lowest_since_entry: 'Lowest since entry',
};

export const SIZE_LABELS: Labels = {
  equity_percent: '% of equity',
  units: 'Units',
  cash: 'Cash amount',
  risk_percent: '% of equity at risk',
};

export const DISTANCE_LABELS: Labels = {
  percent: '% of the price',
  points: 'Points of price',
  atr: 'Multiple of ATR',
};

export const STOP_LABELS = {
  stop_loss: 'Stop loss',
  take_profit: 'Take profit',
  trailing_stop: 'Trailing stop',
} as const;

export const DAY_LABELS: Labels = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
};
