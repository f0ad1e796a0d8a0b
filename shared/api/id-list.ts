import { OUT_OF_RANGE } from '../domain/read-number.ts';
import { parseInteger } from './coerce.ts';
import { invalidValue } from './refusals.ts';

const MAX_IDS = 50;

/**
 * Parses a query parameter with identifiers separated by commas. Removes duplicates.
 *
 * @throws ValidationError for an empty list, a member that is not an integer or beyond 2^53 - 1, or more than 50
 * identifiers.
 */
export const parseIds = (parameter: string, text: string): number[] => {
  const loc = ['query', parameter];
  const ids = new Set<number>();
  for (const part of text.split(',')) {
    const id = parseInteger(part);
    if (id === undefined)
      throw invalidValue(loc, 'value is not a comma-separated list of integers', 'type_error.integer');
    // Refuse a number that an answer could not repeat with all its digits.
    if (!Number.isSafeInteger(id)) throw invalidValue(loc, OUT_OF_RANGE, 'value_error.number');
    ids.add(id);
  }
  if (ids.size > MAX_IDS) {
    const msg = `ensure this value has at most ${MAX_IDS} items`;
    throw invalidValue(loc, msg, 'value_error.list.max_items', { limit_value: MAX_IDS });
  }
  return [...ids];
};
