import { parseInteger } from './coerce.ts';
import { ValidationError } from './errors.ts';

const MAX_IDS = 50;

/**
 * Parses a query parameter with identifiers separated by commas. Removes duplicates.
 *
 * @throws ValidationError for an empty list, a member that is not an integer, or more than 50 identifiers.
 */
export const parseIds = (parameter: string, text: string): number[] => {
  const refuse = (msg: string, type: string, ctx?: { limit_value: number }): never => {
    throw new ValidationError([{ loc: ['query', parameter], msg, type, ...(ctx && { ctx }) }]);
  };
  const ids = new Set<number>();
  for (const part of text.split(',')) {
    ids.add(
      parseInteger(part) ?? refuse('value is not a comma-separated list of integers', 'type_error.integer'),
    );
  }
  if (ids.size > MAX_IDS) {
    const msg = `ensure this value has at most ${MAX_IDS} items`;
    refuse(msg, 'value_error.list.max_items', { limit_value: MAX_IDS });
  }
  return [...ids];
};
