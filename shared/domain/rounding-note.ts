import { isRounded, SCALE } from './money.ts';

/** Fields of signals and reports that are amounts. */
const AMOUNTS = [
  'quantity',
  'filled_quantity',
  'average_price',
  'fees',
  'price',
  'trigger_price',
  'stop_loss',
  'take_profit',
  'stop',
  'target',
  'expected_price',
  'rate',
  'contract_size',
] as const;

/**
 * Returns the sentence that names the amounts of a record that were rounded when they entered; undefined without any.
 *
 * @param given the amounts as they were sent, by field. Other fields are ignored.
 */
export const roundingNote = (given: Readonly<Record<string, unknown>>): string | undefined => {
  const fields = AMOUNTS.filter((field) => isRounded(given[field]));
  return fields.length === 0 ? undefined : `Rounded to ${SCALE} decimals: ${fields.join(', ')}.`;
};
