import type { ValidationError } from '../../../shared/api/errors.ts';
import { invalidValue } from '../../../shared/api/refusals.ts';

/** Length of the cursor of a broker with large positions, and more. */
const MAX_LENGTH = 400;
const PATTERN = /^[0-9a-z]{1,11}(\.[0-9a-z]{1,11})*$/;

/** Returns the cursor of positions in logs. */
export const cursorOf = (positions: readonly number[]): string =>
  positions.map((position) => position.toString(36)).join('.');

/** The refusal of text that is no cursor of a feed. */
export const invalidCursor = (): ValidationError =>
  invalidValue(['query', 'after'], 'value is not a cursor of these events', 'value_error');

/** Parses a cursor with a position per log. @throws ValidationError */
export const parseCursor = (cursor: string, logs: number): number[] => {
  const isWellFormed = cursor.length <= MAX_LENGTH && PATTERN.test(cursor);
  const positions = isWellFormed ? cursor.split('.').map((text) => Number.parseInt(text, 36)) : [];
  if (positions.length !== logs || !positions.every(Number.isSafeInteger)) {
    throw invalidCursor();
  }
  return positions;
};
