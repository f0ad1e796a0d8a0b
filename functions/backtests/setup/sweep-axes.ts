import { ValidationError } from '../../../shared/api/errors.ts';
import type { ValidationDetail } from '../../../shared/api/validation-detail.ts';
import { resolveParams } from '../../../shared/domain/engine/rules/params.ts';
import type { Rules } from '../../../shared/domain/engine/rules/shape.ts';
import {
  type Axis,
  countCombinations,
  countInRange,
  MAX_COMBINATIONS,
  valuesInRange,
} from '../../../shared/domain/engine/sweep/grid.ts';
import type { SweepValues } from '../forms/sweep-body.ts';

type Loc = ValidationDetail['loc'];

const ofParams = (...path: Loc): Loc => ['body', 'params', ...path];

const tooMany = (...path: Loc): ValidationDetail => ({
  loc: ofParams(...path),
  msg: `ensure there are at most ${MAX_COMBINATIONS} combinations`,
  type: 'value_error.params',
  ctx: { limit_value: MAX_COMBINATIONS },
});

/** Returns the values of a parameter, or the reason why there are none. */
const valuesOf = (name: string, given: SweepValues): number[] | ValidationDetail => {
  if (typeof given === 'number') return [given];
  if (Array.isArray(given)) return [...new Set(given)];
  const { from, to, step } = given;
  if (to < from) {
    const msg = 'ensure this value is greater than or equal to from';
    return { loc: ofParams(name, 'to'), msg, type: 'value_error.number.not_ge' };
  }
  return countInRange(from, to, step) > MAX_COMBINATIONS ? tooMany(name) : valuesInRange(from, to, step);
};

/** Returns the values that show whether all fit: the outermost, and one that is not whole. Resolving each is slow. */
const tellingValues = (values: readonly number[]): number[] => {
  const fraction = values.find((value) => !Number.isInteger(value));
  return [
    ...new Set([Math.min(...values), Math.max(...values), ...(fraction === undefined ? [] : [fraction])]),
  ];
};

const problemsOf = (rules: Rules, name: string, given: SweepValues, value: number): ValidationDetail[] => {
  const result = resolveParams(rules, { [name]: value });
  if ('rules' in result) return [];
  const index = Array.isArray(given) ? [given.indexOf(value)] : [];
  return result.problems.map(({ in: part, path, message }) => ({
    loc: ofParams(name, ...index),
    msg: part === 'params' ? message : `${value} does not fit ${path.join('.')}: ${message}`,
    type: 'value_error.param',
  }));
};

/**
 * Returns the values of each parameter that a sweep tries.
 *
 * @throws ValidationError for parameters that the rules do not have, values that do not fit, and too many combinations.
 */
export const axesOf = (rules: Rules, params: Readonly<Record<string, SweepValues>>): Axis[] => {
  const axes: Axis[] = [];
  const problems: ValidationDetail[] = [];
  for (const [name, given] of Object.entries(params)) {
    const values = valuesOf(name, given);
    if (!('length' in values)) {
      problems.push(values);
      continue;
    }
    const misfits = tellingValues(values).flatMap((value) => problemsOf(rules, name, given, value));
    // An undeclared parameter has one problem, whatever its values.
    if (Object.hasOwn(rules.params, name)) problems.push(...misfits);
    else problems.push(...misfits.slice(0, 1).map((one) => ({ ...one, loc: ofParams(name) })));
    axes.push({ name, values });
  }
  if (Object.keys(params).length === 0) {
    const msg = 'ensure this value has at least 1 parameter';
    problems.push({ loc: ofParams(), msg, type: 'value_error.params' });
  }
  if (countCombinations(axes) > MAX_COMBINATIONS) problems.push(tooMany());
  if (problems.length > 0) throw new ValidationError(problems);
  return axes;
};
