import { invalidValue } from '../../shared/api/refusals.ts';
import { amountInput, decimal } from '../../shared/domain/money.ts';

/** Reads an amount above zero. @throws ValidationError */
export const positiveAmount = (given: number | string, field: string): string => {
  const { data } = amountInput.safeParse(given);
  if (data !== undefined && decimal(data).gt(0)) return data;
  throw invalidValue(['body', field], 'value is not a decimal above 0', 'type_error.decimal');
};
