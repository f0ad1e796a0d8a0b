import { lineOf } from './indicator-labels.ts';
import { isRecord, type Json } from './json.ts';
import { type ConditionKind, readsTrade } from './parts.ts';
import { INDICATORS, newPart, PATTERNS } from './schema-slots.ts';

/** Kind of a new condition, or a pattern or value of the trade that it begins with. */
export type ConditionChoice = Exclude<ConditionKind, 'other'> | `pattern:${string}` | `trade:${string}`;

const close = { price: 'close', ago: 0 };
const average = { indicator: 'sma', length: 20, source: 'close', ago: 0 };
const strength = { indicator: 'rsi', length: 14, source: 'close', ago: 0 };

const NEW_COMPARISON: Json = { left: close, op: 'gt', right: average };

const band = (output: string): Json => {
  const form = INDICATORS.bollinger;
  return form ? newPart(form, 'indicator', { output }) : average;
};

/** Returns bounds that fit a value: around the usual level of an oscillator, bands for a price, else numbers. */
export const boundsOf = (value: Json): Json => {
  const line = lineOf(value);
  if (line?.pane === 'own') return [line.usual, line.usual + (Math.abs(line.usual) || 1)];
  if (line?.pane === 'price') return [band('lower'), band('upper')];
  return [0, 1];
};

const newPattern = (name: string, before: Json | undefined): Json => {
  const form = PATTERNS[name];
  if (!form) return { pattern: name };
  // Thresholds of the same name mean another thing in another pattern.
  const { timeframe, ago = 0 } = isRecord(before) ? before : {};
  return newPart(form, 'pattern', { ago, ...(timeframe !== undefined && { timeframe }) });
};

const newTradeComparison = (name: string): Json => {
  const trade = { trade: name };
  switch (name) {
    case 'percent_from_entry':
      return { left: trade, op: 'gte', right: 5 };
    case 'highest_since_entry':
      return { left: close, op: 'lt', right: { multiply: [trade, 0.95] } };
    case 'lowest_since_entry':
      return { left: close, op: 'gt', right: { multiply: [trade, 1.05] } };
    default:
      return { left: close, op: 'lt', right: trade };
  }
};

/** Returns the value that a condition is about; undefined for a condition about no value. */
const subjectOf = (condition: Json | undefined): Json | undefined => {
  if (!isRecord(condition)) return undefined;
  return condition.left ?? condition.value ?? condition.rising ?? condition.falling;
};

/**
 * Builds a new condition. Groups and conditions around another one begin with `before`, and those about a value with the
 * value that it is about.
 */
export const newCondition = (choice: ConditionChoice, before?: Json): Json => {
  const inner = before ?? NEW_COMPARISON;
  const subject = subjectOf(before);
  const [kind, name = ''] = choice.split(':');
  switch (kind) {
    case 'all':
    case 'any':
      return { [kind]: [inner] };
    case 'not':
      return { not: inner };
    case 'for_bars':
      return { for_bars: 3, condition: inner };
    case 'between':
      return subject === undefined
        ? { value: strength, between: [40, 60] }
        : { value: subject, between: boundsOf(subject) };
    case 'rising':
    case 'falling':
      return { [kind]: subject === undefined || readsTrade(subject) ? close : subject, bars: 3 };
    case 'pattern':
      return newPattern(name || 'bullish_engulfing', before);
    case 'trade':
      return newTradeComparison(name);
    case 'time':
      return { time: ['09:45', '15:15'] };
    case 'weekday':
      return { weekday: ['mon', 'tue', 'wed', 'thu', 'fri'] };
    case 'bars_in_trade':
      return { bars_in_trade: 20 };
    default:
      return subject === undefined ? NEW_COMPARISON : { left: subject, op: 'gt', right: levelOf(subject) };
  }
};

/** Returns what a value is compared with at first. */
const levelOf = (value: Json): Json => {
  const line = lineOf(value);
  if (line?.pane === 'own') return line.usual;
  return line?.pane === 'price' ? average : 0;
};
