import type * as z from 'zod';
import { RULES_LIMITS } from '../../../../shared/domain/engine/values/limits.ts';
import { NOT_A_NUMBER } from '../typed-decimal.ts';
import type { Json } from './json.ts';

type Issue = z.core.$ZodIssue;

const FIELD_TEXTS: Readonly<Record<string, string>> = {
  stop: 'An entry has a limit or a stop, not both. Remove one of them.',
  valid_bars: 'Only a limit or stop order waits for bars. Choose one, or clear this.',
  size: 'A size by risk needs a stop loss. Add one, or choose another size.',
};

const LIST_TEXTS: Readonly<Record<string, string>> = {
  entries: 'Add at least one entry.',
  weekdays: 'Choose at least one day.',
  weekday: 'Choose at least one day.',
};

/** Asks for a number in place of a value; says more about a text with digits, such as `10,000`. */
const numberAsked = (value: Json | undefined): string =>
  typeof value === 'string' && /\d/.test(value) ? NOT_A_NUMBER : 'Enter a number.';

const isNumber = ({ expected }: { readonly expected: string }): boolean =>
  expected === 'number' || expected === 'int';

const boundText = (issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): string => {
  const isLeast = issue.code === 'too_small';
  const limit = Number(isLeast ? issue.minimum : issue.maximum);
  if (issue.origin === 'array') {
    const name = String(issue.path.at(-1));
    if (!isLeast) return `Use at most ${limit}.`;
    return LIST_TEXTS[name] ?? 'Add at least one condition.';
  }
  if (issue.origin === 'string') return `Use at most ${limit} characters.`;
  if (issue.inclusive === false) return isLeast ? `Enter more than ${limit}.` : `Enter less than ${limit}.`;
  return isLeast ? `Enter ${limit} or more.` : `Enter ${limit} or less.`;
};

const paramText = (path: readonly PropertyKey[], message: string): string => {
  switch (path[0] === 'params' && path.length > 2 ? path.at(-1) : undefined) {
    case 'min':
      return 'The smallest value is above the largest.';
    case 'default':
      return 'The default is not between the smallest and the largest value.';
    default:
  }
  if (path.length === 1) return `Use at most ${RULES_LIMITS.params} parameters.`;
  if (path[0] === 'params') {
    return 'A name has at most 32 letters, digits and underscores, and begins with a letter.';
  }
  return message.startsWith('parameter is not declared')
    ? 'There is no such parameter. Add it, or choose another.'
    : message;
};

const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith('.') ? '' : '.'}`;

/** Texts of the limits of whole rules. */
const limitText = (message: string): string => {
  if (message.includes('levels of nesting')) {
    return `Conditions can be at most ${RULES_LIMITS.depth} levels deep. Move this one out of a group.`;
  }
  if (message.includes('distinct indicators')) {
    return `Rules can use at most ${RULES_LIMITS.indicators} different indicators.`;
  }
  if (message.includes('characters')) return 'These rules are too long. Remove conditions.';
  return `Rules can have at most ${RULES_LIMITS.conditions} conditions.`;
};

const customText = ({ params, message, path }: Extract<Issue, { code: 'custom' }>): string => {
  switch (params?.type) {
    case 'value_error.entry':
      return FIELD_TEXTS[String(path.at(-1))] ?? sentence(message);
    case 'value_error.param':
      return paramText(path, message);
    case 'value_error.trade':
      return path[0] === 'entries'
        ? 'Only exits can compare values of the trade: an entry has none yet. Choose another value.'
        : 'A value of the trade has none of the bar before. Choose above, below or between.';
    case 'value_error.rules':
      return message.includes('parameters')
        ? `Use at most ${RULES_LIMITS.params} parameters.`
        : limitText(message);
    case 'value_error.time_range':
      return 'The two times must differ.';
    default:
      return sentence(message);
  }
};

const unionText = (issue: Extract<Issue, { code: 'invalid_union' }>, value: Json | undefined): string => {
  if (issue.message.startsWith('value is not a number or a parameter')) return numberAsked(value);
  if (issue.message.startsWith('value is not a number or an object'))
    return 'Enter a number, or choose a value.';
  return 'This is not a condition or value of rules. Remove it, or correct it in the text.';
};

/**
 * Tells a problem in the words of a trader.
 *
 * @param value value at the place of the problem; undefined if it is missing.
 */
export const problemText = (issue: Issue, value: Json | undefined): string => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'int' && typeof value === 'number') return 'Enter a whole number.';
      if (isNumber(issue)) return numberAsked(value);
      return value === undefined
        ? 'Fill this in.'
        : 'This has another form in rules. Correct it in the text.';
    case 'too_small':
    case 'too_big':
      return boundText(issue);
    case 'invalid_format':
      return 'Enter a time as HH:MM, such as 09:45.';
    case 'invalid_value':
      return value === undefined || value === ''
        ? 'Choose one.'
        : `Choose one of: ${issue.values.map(String).join(', ')}.`;
    case 'unrecognized_keys':
      return `Rules do not know ${issue.keys.join(', ')} here. Remove it in the text.`;
    case 'invalid_union':
      return unionText(issue, value);
    case 'custom':
      return customText(issue);
    default:
      return sentence(issue.message);
  }
};
