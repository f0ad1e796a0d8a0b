import { ValidationError } from '../../shared/api/errors.ts';
import { amountInput, decimal } from '../../shared/domain/money.ts';

/** Reads a decimal text above zero. @throws ValidationError */
export const parsePositive = (text: string, loc: readonly string[]): string => {
  const parsed = amountInput.safeParse(text.trim());
  if (!parsed.success) {
    throw new ValidationError([{ loc, msg: 'value is not a valid decimal', type: 'type_error.decimal' }]);
  }
  if (decimal(parsed.data).gt(0)) return parsed.data;
  throw new ValidationError([
    {
      loc,
      msg: 'ensure this value is greater than 0',
      type: 'value_error.number.not_gt',
      ctx: { limit_value: 0 },
    },
  ]);
};
