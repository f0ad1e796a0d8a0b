import * as z from 'zod';
import { NOT_A_NUMBER } from '../../read-number.ts';
import { RULES_LIMITS } from './limits.ts';
import { WEEKDAYS } from './weekdays.ts';

const NOT_A_VALUE = 'value is not a number or a parameter such as {"param": "fast"}';

/** Matches the name of a parameter. */
export const PARAM_NAME = /^[A-Za-z][A-Za-z0-9_]{0,31}$/;

/** Reference to a parameter of the rules, in the place of a number. */
export const paramSchema = z
  .strictObject({ param: z.string().max(32) })
  .meta({ id: 'RulesParam', 'x-extension': true });
export type Param = z.output<typeof paramSchema>;

interface Bounds {
  readonly min?: number;
  readonly max?: number;
  /** Exclusive lower bound. */
  readonly above?: number;
}

/** Declares a finite number with bounds. */
export const finite = ({ min, max = RULES_LIMITS.number, above }: Bounds = {}): z.ZodNumber => {
  const bounded = z.number({ error: NOT_A_NUMBER }).max(max);
  return above === undefined ? bounded.min(min ?? -RULES_LIMITS.number) : bounded.gt(above);
};

const scalar = (number: z.ZodNumber) => z.union([number, paramSchema], { error: NOT_A_VALUE });

/** Declares a number or a parameter. */
export const value = (bounds?: Bounds) => scalar(finite(bounds));

/** Declares a percentage above zero, or a parameter. */
export const percentage = (max: number) => value({ above: 0, max });

/** Declares a whole number of bars or trades, or a parameter. */
export const count = ({ min = 1, max = RULES_LIMITS.bars }: { min?: number; max?: number } = {}) =>
  scalar(z.int().min(min).max(max));

/** Declares a number of bars back from the current one, in the operand's own timeframe. */
export const ago = () => count({ min: 0 }).default(0);

/** Declares a time of day of the exchange: HH:MM. */
export const timeOfDay = () =>
  z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { error: 'time of day as HH:MM' });

/** Declares a range of times of day. It begins at the first, ends before the second and may pass midnight. */
export const timeRange = () =>
  z.tuple([timeOfDay(), timeOfDay()]).refine(([from, to]) => from !== to, {
    error: 'the two times must differ',
    params: { type: 'value_error.time_range' },
  });

/** Declares weekdays. Their order and repeats do not matter. */
export const weekdays = () =>
  z
    .array(z.enum(WEEKDAYS))
    .min(1)
    .max(WEEKDAYS.length)
    .overwrite((days) => WEEKDAYS.filter((day) => days.includes(day)));
