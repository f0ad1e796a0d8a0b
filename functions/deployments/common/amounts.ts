import { invalidValue } from '../../../shared/api/refusals.ts';
import { amountInput, decimal } from '../../../shared/domain/money.ts';

/** Reads a decimal text. @throws ValidationError */
export const parseAmount = (text: string, loc: readonly string[]): string => {
  const parsed = amountInput.safeParse(text.trim());
  if (parsed.success) return parsed.data;
  throw invalidValue(loc, 'value is not a valid decimal', 'type_error.decimal');
};

/** Reads a decimal text above zero. @throws ValidationError */
export const parsePositive = (text: string, loc: readonly string[]): string => {
  const amount = parseAmount(text, loc);
  if (decimal(amount).gt(0)) return amount;
  const msg = 'ensure this value is greater than 0';
  throw invalidValue(loc, msg, 'value_error.number.not_gt', { limit_value: 0 });
};

/** Refuses an amount below zero. @throws ValidationError */
export const requireNotNegative = (amount: string, loc: readonly string[]): void => {
  if (decimal(amount).gte(0)) return;
  const msg = 'ensure this value is greater than or equal to 0';
  throw invalidValue(loc, msg, 'value_error.number.not_ge', { limit_value: 0 });
};

/** Converts a quantity, a price or a sum of quantities to a JSON number. */
export const number = (amount: string): number => decimal(amount).toNumber();
