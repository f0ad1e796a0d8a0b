import { describeIssue } from '../../issue-texts.ts';
import { NOT_A_NUMBER } from '../../read-number.ts';
import { meantIssues, valueAt } from '../../union-issues.ts';
import { own } from '../../unknown-fields.ts';
import type { Resolved } from '../values/resolved.ts';
import { paramReferences, replaceReferences } from './references.ts';
import { rulesSchema } from './schema.ts';
import type { Rules } from './shape.ts';
import type { Path } from './walk.ts';

/** Rules without references to parameters. They declare no parameters either. */
export type ResolvedRules = Resolved<Rules>;

interface ParamProblem {
  /** Place in the values (the parameter's name) or, for a value that does not fit its use, in the rules. */
  readonly path: Path;
  readonly in: 'params' | 'rules';
  readonly message: string;
}

export type ParamsResult = { readonly rules: ResolvedRules } | { readonly problems: readonly ParamProblem[] };

const isResolved = (rules: Rules): rules is ResolvedRules & Rules =>
  paramReferences(rules).next().done === true;

const valueProblem = ({ params }: Rules, name: string, value: number): string | undefined => {
  const declared = own(params, name);
  if (!declared) {
    const known = Object.keys(params).map((each) => `'${each}'`);
    return `parameter is not declared; declared: ${known.join(', ') || 'none'}`;
  }
  if (!Number.isFinite(value)) return NOT_A_NUMBER;
  const { min = -Infinity, max = Infinity } = declared;
  if (value < min) return `ensure this value is greater than or equal to ${min}`;
  return value > max ? `ensure this value is less than or equal to ${max}` : undefined;
};

/**
 * Replaces the parameters of rules by numbers: the given values, else the defaults. A value must be within `min` and
 * `max` and fit every place that uses it, for example be whole as a length.
 *
 * @example
 * resolveParams(rules, { fast: 12 });
 */
export const resolveParams = (rules: Rules, values: Readonly<Record<string, number>> = {}): ParamsResult => {
  const problems = Object.entries(values).flatMap(([name, value]): ParamProblem[] => {
    const message = valueProblem(rules, name, value);
    return message === undefined ? [] : [{ in: 'params', path: [name], message }];
  });
  if (problems.length > 0) return { problems };
  // Parsing costs more than a backtest of a few thousand bars.
  const plain = { ...rules, params: {} };
  if (isResolved(plain)) return { rules: plain };
  const numbers = new Map(
    Object.entries(rules.params).map(([name, declared]) => [name, own(values, name) ?? declared.default]),
  );
  const replaced = replaceReferences(plain, numbers);
  const result = rulesSchema.safeParse(replaced);
  if (!result.success) {
    return {
      problems: meantIssues(result.error.issues, replaced).map((issue) => ({
        in: 'rules',
        path: issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key)),
        message: describeIssue(issue, valueAt(replaced, issue.path)).msg,
      })),
    };
  }
  return isResolved(result.data)
    ? { rules: result.data }
    : { problems: [{ in: 'rules', path: [], message: 'a parameter is not declared' }] };
};
