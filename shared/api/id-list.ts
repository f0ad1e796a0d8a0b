import { parseInteger } from './coerce.ts';
import { ValidationError } from './errors.ts';

const MAX_IDS = 50;

/**
 * Reads a query parameter that lists identifiers, separated by commas; repeats count once.
 *
 * @throws ValidationError for a member that is no integer, for none, and beyond 50.
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
