import type { Param } from '../values/values.ts';
import { WEEKDAYS, type Weekday } from '../values/weekdays.ts';
import { barsText, operandText, valueText, withDefaults } from './describe-operand.ts';
import { patternText } from './describe-pattern.ts';
import type { Comparison, Condition, Distance, Entry, Exit, Rules, Session, Side, Size } from './shape.ts';

/** Most characters of a description. Rules at all limits are longer; theirs ends with an ellipsis. */
const MAX_LENGTH = 8000;

/** Most characters of a description on cards. */
const MAX_CARD_LENGTH = 300;

const COMPARISON_TEXTS: Readonly<Record<Comparison, string>> = {
  gt: 'is above',
  gte: 'is at or above',
  lt: 'is below',
  lte: 'is at or below',
  crosses_above: 'crosses above',
  crosses_below: 'crosses below',
  crosses: 'crosses',
};

const DAY_NAMES: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

const listed = (texts: readonly string[], word: string): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`;

/** Names days. Three or more in a row are a range. */
const daysText = (days: readonly Weekday[], word: string): string => {
  const names = days.map((day) => DAY_NAMES[day]);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined || days.length < 3) return listed(names, word);
  const isRange = WEEKDAYS.indexOf(last) - WEEKDAYS.indexOf(first) === days.length - 1;
  return isRange ? `${DAY_NAMES[first]} to ${DAY_NAMES[last]}` : listed(names, word);
};

const rangeText = ([from, to]: readonly [string, string]): string =>
  `from ${from} to before ${to}${to < from ? ' of the next day' : ''}`;

interface Place {
  /** True within another condition. */
  readonly isInner?: boolean;
}

/** Joins the members of a group. A group within another condition is in parentheses. */
const groupText = (members: readonly Condition[], word: string, { isInner = false }: Place): string => {
  const [first, ...others] = members;
  if (first && others.length === 0) return conditionText(first, { isInner });
  const text = members.map((member) => conditionText(member, { isInner: true })).join(` ${word} `);
  return isInner ? `(${text})` : text;
};

/** Describes a movement of some bars: `rises for 3 bars in a row`. */
export const movementText = (verb: 'rises' | 'falls', bars: number | Param): string =>
  bars === 1 ? verb : `${verb} for ${barsText(bars)} in a row`;

/** Describes a condition: `SMA(10) crosses above SMA(30)`. */
export const conditionText = (condition: Condition, place: Place = {}): string => {
  if ('left' in condition) {
    const { left, op, right } = condition;
    return `${operandText(left)} ${COMPARISON_TEXTS[op]} ${operandText(right)}`;
  }
  if ('between' in condition) {
    const [low, high] = condition.between;
    return `${operandText(condition.value)} is between ${operandText(low)} and ${operandText(high)}`;
  }
  if ('rising' in condition) {
    return `${operandText(condition.rising)} ${movementText('rises', condition.bars)}`;
  }
  if ('falling' in condition) {
    return `${operandText(condition.falling)} ${movementText('falls', condition.bars)}`;
  }
  if ('pattern' in condition) return patternText(condition);
  if ('all' in condition) return groupText(condition.all, 'and', place);
  if ('any' in condition) return groupText(condition.any, 'or', place);
  if ('not' in condition) return `not (${conditionText(condition.not)})`;
  if ('time' in condition) return `the time is ${rangeText(condition.time)}`;
  if ('weekday' in condition) return `the day is ${daysText(condition.weekday, 'or')}`;
  if ('bars_in_trade' in condition) return `the trade is at least ${barsText(condition.bars_in_trade)} old`;
  return `(${conditionText(condition.condition)}) holds for ${barsText(condition.for_bars)} in a row`;
};

/** Describes a size: `with 25% of equity`. */
export const sizeText = (size: Size): string => {
  switch (size.type) {
    case 'equity_percent':
      return `with ${valueText(size.percent)}% of equity`;
    case 'units':
      return `with ${valueText(size.units)} units`;
    case 'cash':
      return `for ${valueText(size.cash)} in cash`;
    case 'risk_percent':
      return `risking ${valueText(size.percent)}% of equity`;
  }
};

/** Describes a distance: `3 * ATR(14)`. */
export const distanceText = (distance: Distance): string => {
  switch (distance.type) {
    case 'percent':
      return `${valueText(distance.percent)}%`;
    case 'points':
      return `${valueText(distance.points)} points`;
    case 'atr':
      return `${valueText(distance.multiple)} * ATR(${valueText(distance.length)})`;
  }
};

/** Describes the price of a limit or stop entry. Percents are mirrored for shorts. */
const offsetText = (percent: number | Param, side: Side): string => {
  if (typeof percent !== 'number') {
    return `${valueText(percent)}% ${side === 'long' ? 'above' : 'below'} the close`;
  }
  if (percent === 0) return 'at the close';
  return `${Math.abs(percent)}% ${percent > 0 === (side === 'long') ? 'above' : 'below'} the close`;
};

/** Describes a limit or stop order; undefined for a market order. */
export const orderText = ({ side, limit, stop, valid_bars }: Entry): string | undefined => {
  const offset = limit ?? stop;
  if (!offset) return undefined;
  const valid = valid_bars === undefined ? 'until filled' : `for ${barsText(valid_bars)}`;
  return `by a ${limit ? 'limit' : 'stop'} order ${offsetText(offset.percent, side)}, valid ${valid}`;
};

const entryText = (entry: Entry): string => {
  const { stop_loss, take_profit, trailing_stop } = entry;
  const protection = [
    stop_loss && `a stop loss of ${distanceText(stop_loss)}`,
    take_profit && `a take profit of ${distanceText(take_profit)}`,
    trailing_stop && `a trailing stop of ${distanceText(trailing_stop)}`,
  ].filter((text) => text !== undefined);
  return [
    `${entry.side === 'long' ? 'buys' : 'sells short'} ${sizeText(entry.size)} when ${conditionText(entry.when)}`,
    orderText(entry),
    protection.length > 0 ? `with ${listed(protection, 'and')}` : undefined,
  ]
    .filter((text) => text !== undefined)
    .join(', ');
};

const exitText = ({ side, when, portion }: Exit): string => {
  const verb = side === 'long' ? 'sells' : 'buys back';
  const share =
    typeof portion === 'number' ? `${Number((portion * 100).toPrecision(12))}%` : valueText(portion);
  const part = portion === 1 ? '' : ` ${share} of each ${side} trade`;
  return `${verb}${part} when ${conditionText(when)}`;
};

/** Returns whether a condition depends on the time of day or on the weekday. */
const readsClock = (condition: Condition): boolean => {
  if ('all' in condition) return condition.all.some(readsClock);
  if ('any' in condition) return condition.any.some(readsClock);
  if ('not' in condition) return readsClock(condition.not);
  if ('for_bars' in condition) return readsClock(condition.condition);
  return 'time' in condition || 'weekday' in condition;
};

/** Returns whether an entry or exit of rules depends on the time of day or on the weekday. */
export const dependsOnClock = ({ entries, exits }: Pick<Rules, 'entries' | 'exits'>): boolean =>
  [...entries, ...exits].some(({ when }) => readsClock(when));

/** Describes the times of a session, one text each. */
export const sessionTexts = ({ weekdays, entries, square_off }: Session): string[] => {
  const days = weekdays.length < WEEKDAYS.length ? `on ${daysText(weekdays, 'and')}` : undefined;
  const limits = [days, entries && rangeText(entries)].filter((text) => text !== undefined);
  return [
    ...(limits.length > 0 ? [`enters only ${limits.join(' ')}`] : []),
    ...(square_off === undefined ? [] : [`closes everything at ${square_off}`]),
  ];
};

const paramsText = (params: Rules['params']): string => {
  const texts = Object.entries(params).flatMap(([name, { min, max }]) => {
    const bounds = [min === undefined ? '' : `from ${min}`, max === undefined ? '' : `to ${max}`]
      .join(' ')
      .trim();
    return bounds === '' ? [] : [`${name} ${bounds}`];
  });
  return texts.length > 0 ? ` Parameters: ${texts.join(', ')}.` : '';
};

/** Cuts a text at a number of characters, with an ellipsis. */
export const shortened = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).trimEnd()}…` : text;

/**
 * Describes rules in a plain sentence. Prices and times are those of the bar that was evaluated; times and days are
 * those of the exchange.
 *
 * @example
 * describe(rules); // Buys with 100% of equity when SMA(10) crosses above SMA(30); sells when RSI(14) is above 70.
 */
export const describe = (rules: Rules): string => {
  const { entries, exits, reverse, pyramid, max_trades, cooldown_bars, session, params } = rules;
  const clauses = [
    ...entries.map(entryText),
    ...exits.map(exitText),
    ...(reverse ? ['an opposite entry closes the open trade'] : []),
    ...(pyramid ? [`adds trades while others are open, at most ${valueText(max_trades)} at once`] : []),
    ...(cooldown_bars === 0 ? [] : [`waits ${barsText(cooldown_bars)} after a trade`]),
    ...(session ? sessionTexts(session) : []),
  ].join('; ');
  const zone = session || dependsOnClock(rules) ? ' Times and days are those of the exchange.' : '';
  const sentence = `${clauses.charAt(0).toUpperCase()}${clauses.slice(1)}.${zone}${paramsText(params)}`;
  return shortened(withDefaults(sentence, params), MAX_LENGTH);
};

/** Describes rules for cards and lists, in at most 300 characters. */
export const describeShortly = (rules: Rules): string => shortened(describe(rules), MAX_CARD_LENGTH);
