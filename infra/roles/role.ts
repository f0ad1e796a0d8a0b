import { type AwsCall, CONDITION_KEYS, type Need, needsOf } from './needs.ts';
import type { RoleStatement } from './statements.ts';

type Values = readonly string[] | undefined;

/**
 * Condition operators. A condition key with several values matches no operator for single values: IAM leaves that open,
 * and such a statement would fail on AWS.
 */
const OPERATORS: Readonly<Record<string, (values: Values, wanted: string) => boolean>> = {
  StringEquals: (values, wanted) => values?.length === 1 && values[0] === wanted,
  'ForAllValues:StringEquals': (values = [], wanted) => values.every((value) => value === wanted),
  Null: (values, wanted) => String(values === undefined) === wanted,
};

/** Returns whether a resource matches a pattern, in which `*` is any text. */
const matcher = (pattern: string): ((resource: string) => boolean) => {
  const regex = new RegExp(`^${pattern.replaceAll(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`);
  return (resource) => regex.test(resource);
};

type Allows = (need: Need) => boolean;

const compile = ({ actions, resources, notResources = [], conditions = {} }: RoleStatement): Allows => {
  const named = new Set(actions);
  const [allowed, excepted] = [resources?.map(matcher), notResources.map(matcher)];
  const tests = Object.entries(conditions).flatMap(([operator, wanted]) => {
    const holds = OPERATORS[operator];
    if (!holds) throw new Error(`roles cannot be enforced with the condition operator ${operator}`);
    return Object.entries(wanted).map(([key, value]) => {
      if (!CONDITION_KEYS.has(key)) throw new Error(`roles cannot be enforced with the condition key ${key}`);
      return ({ context }: Need) => holds(context?.[key], value);
    });
  });
  return (need) =>
    named.has(need.action) &&
    (allowed?.some((matches) => matches(need.resource)) ?? true) &&
    !excepted.some((matches) => matches(need.resource)) &&
    tests.every((holds) => holds(need));
};

/** Role of a function: decides about its calls as IAM does. */
export interface Role {
  /** Returns the first permission of a call that the role lacks; undefined if it allows the call. */
  readonly lacks: (call: AwsCall) => Need | undefined;
}

/** @throws Error for a statement that needs more of IAM than is implemented here. */
export const roleOf = (statements: readonly RoleStatement[]): Role => {
  const compiled = statements.map(compile);
  return { lacks: (call) => needsOf(call).find((need) => !compiled.some((allows) => allows(need))) };
};

/** Returns the message of AWS for a refused call. */
export const deniedMessage = (functionName: string, { action, resource }: Need, account: string): string =>
  `User: arn:aws:sts::${account}:assumed-role/${functionName}/${functionName} is not authorized to perform: ` +
  `${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;
