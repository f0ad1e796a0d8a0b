import { invalidValue } from '../api/refusals.ts';
import { amountInput, decimal, minorDigitsOf } from '../domain/money.ts';

/** Reads a decimal text. @throws ValidationError */
export const parseAmount = (text: string, loc: readonly string[]): string => {
  const parsed = amountInput.safeParse(text.trim());
  if (parsed.success) return parsed.data;
  throw invalidValue(loc, 'value is not a valid decimal', 'type_error.decimal');
};

/**
 * Reads a decimal text above zero, of at least the minor unit of a currency: a smaller capital would be shown as zero.
 *
 * @throws ValidationError
 */
export const parseCapital = (text: string, currency: string, loc: readonly string[]): string => {
  const amount = parseAmount(text, loc);
  if (decimal(amount).lte(0)) {
    throw invalidValue(loc, 'ensure this value is greater than 0', 'value_error.number.not_gt', {
      limit_value: 0,
    });
  }
  const digits = minorDigitsOf(currency);
  const least = (10 ** -digits).toFixed(digits);
  if (decimal(amount).gte(least)) return amount;
  const msg = `ensure this value is greater than or equal to ${least}`;
  throw invalidValue(loc, msg, 'value_error.number.not_ge', { limit_value: Number(least) });
};

/** Refuses an amount below zero. @throws ValidationError */
export const requireNotNegative = (amount: string, loc: readonly string[]): void => {
  if (decimal(amount).gte(0)) return;
  const msg = 'ensure this value is greater than or equal to 0';
  throw invalidValue(loc, msg, 'value_error.number.not_ge', { limit_value: 0 });
};

/** Converts a quantity, a price or a sum of quantities to a JSON number. */
export const number = (amount: string): number => decimal(amount).toNumber();
