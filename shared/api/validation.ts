import type * as z from 'zod';
import { NOT_A_NUMBER } from '../domain/numbers.ts';
import { meantIssues, valueAt } from '../domain/union-issues.ts';
import type { ValidationDetail } from './validation-detail.ts';

type Issue = z.core.$ZodIssue;
type Location = readonly (string | number)[];

const TYPE_ERRORS: Readonly<Record<string, readonly [msg: string, type: string]>> = {
  int: ['value is not a valid integer', 'type_error.integer'],
  number: ['value is not a valid integer', 'type_error.integer'],
  boolean: ['value could not be parsed to a boolean', 'type_error.bool'],
  string: ['str type expected', 'type_error.str'],
  object: ['value is not a valid dict', 'type_error.dict'],
  record: ['value is not a valid dict', 'type_error.dict'],
  array: ['value is not a valid list', 'type_error.list'],
};

const FORMAT_ERRORS: Readonly<Record<string, readonly [msg: string, type: string]>> = {
  email: ['value is not a valid email address', 'value_error.email'],
  url: ['invalid or missing URL scheme', 'value_error.url.scheme'],
  datetime: ['invalid datetime format', 'value_error.datetime'],
};

const bound = (issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): Omit<ValidationDetail, 'loc'> => {
  const least = issue.code === 'too_small';
  const limit = Number(least ? issue.minimum : issue.maximum);
  const ctx = { limit_value: limit };
  if (issue.origin === 'string') {
    return least
      ? {
          msg: `ensure this value has at least ${limit} characters`,
          type: 'value_error.any_str.min_length',
          ctx,
        }
      : {
          msg: `ensure this value has at most ${limit} characters`,
          type: 'value_error.any_str.max_length',
          ctx,
        };
  }
  if (issue.origin === 'array') {
    return least
      ? { msg: `ensure this value has at least ${limit} items`, type: 'value_error.list.min_items', ctx }
      : { msg: `ensure this value has at most ${limit} items`, type: 'value_error.list.max_items', ctx };
  }
  const kind = `${least ? 'g' : 'l'}${issue.inclusive === false ? 't' : 'e'}`;
  const words = `${least ? 'greater' : 'less'} than${issue.inclusive === false ? '' : ' or equal to'}`;
  return { msg: `ensure this value is ${words} ${limit}`, type: `value_error.number.not_${kind}`, ctx };
};

const notPermitted = (values: readonly unknown[]): Omit<ValidationDetail, 'loc'> => ({
  msg: `value is not a valid enumeration member; permitted: ${values.map((value) => `'${String(value)}'`).join(', ')}`,
  type: 'type_error.enum',
  ctx: { enum_values: values.map(String) },
});

/** Codes that zod uses for a missing value or `null`, as well as for a wrong value. */
const ABSENCE: ReadonlySet<Issue['code']> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

const describe = (issue: Issue, input: unknown): Omit<ValidationDetail, 'loc'> => {
  if (ABSENCE.has(issue.code)) {
    if (input === undefined) return { msg: 'field required', type: 'value_error.missing' };
    if (input === null) return { msg: 'none is not an allowed value', type: 'type_error.none.not_allowed' };
  }
  switch (issue.code) {
    case 'invalid_type': {
      if (issue.message === NOT_A_NUMBER) return { msg: NOT_A_NUMBER, type: 'type_error.float' };
      const [msg, type] = TYPE_ERRORS[issue.expected] ?? [`${issue.expected} type expected`, 'type_error'];
      return { msg, type };
    }
    case 'too_small':
    case 'too_big':
      return bound(issue);
    case 'invalid_format': {
      const known = FORMAT_ERRORS[issue.format];
      if (known) return { msg: known[0], type: known[1] };
      const pattern = (issue.pattern ?? '').replace(/^\/|\/[a-z]*$/g, '');
      return {
        msg: `string does not match regex "${pattern}"`,
        type: 'value_error.str.regex',
        ctx: { pattern },
      };
    }
    case 'invalid_value':
      return notPermitted(issue.values);
    case 'invalid_union':
      // The discriminator of a record has none of the declared values.
      return 'options' in issue
        ? notPermitted(issue.options)
        : { msg: issue.message, type: 'value_error.union' };
    case 'unrecognized_keys':
      return { msg: 'extra fields not permitted', type: 'value_error.extra' };
    default: {
      // A refinement sets its type, and a bound its limit: `.refine(check, {error, params: {type, limit_value}})`.
      const { type, limit_value: limit }: Record<string, unknown> =
        (issue.code === 'custom' && issue.params) || {};
      return {
        msg: issue.message,
        type: typeof type === 'string' ? type : 'value_error',
        ...(typeof limit === 'number' && { ctx: { limit_value: limit } }),
      };
    }
  }
};

const LOCATION_OF: Readonly<Record<string, string>> = {
  params: 'path',
  query: 'query',
  form: 'body',
  json: 'body',
};

const locate = (path: readonly PropertyKey[]): Location =>
  path.map((key, index) =>
    index === 0 ? (LOCATION_OF[String(key)] ?? String(key)) : typeof key === 'symbol' ? key.toString() : key,
  );

/** Keeps the first issue of each value, as the later ones follow from it. */
const firstOfEach = (issues: readonly Issue[]): Issue[] => {
  const seen = new Set<string>();
  return issues.filter(({ code, path }) => {
    // An issue about unknown fields has the path of the record, so keep it separate from other issues there.
    const place = JSON.stringify([code === 'unrecognized_keys', ...path.map(String)]);
    const first = !seen.has(place);
    seen.add(place);
    return first;
  });
};

/**
 * Tells whether an issue concerns a declaration of the contract: presence, type or bounds of a parameter. The contract
 * does not declare JSON bodies, so all issues of these count.
 */
const isDeclared = (issue: Issue, input: unknown): boolean =>
  issue.path[0] === 'json' ||
  input === undefined ||
  issue.code === 'invalid_type' ||
  ((issue.code === 'too_small' || issue.code === 'too_big') && issue.origin === 'number');

/**
 * Converts the issues of a request's parts (params, query, form, json) to entries of a 422 body, in the order of the
 * declaration. Entries do not hold values of the request. Lengths, formats and enumerations are reported only if all
 * parameters are present and have the declared types.
 */
export const toValidationDetails = (parts: unknown, error: z.core.$ZodError): ValidationDetail[] => {
  const all = firstOfEach(meantIssues(error.issues, parts)).map((issue) => ({
    issue,
    input: valueAt(parts, issue.path),
  }));
  const declared = all.filter(({ issue, input }) => isDeclared(issue, input));
  return (declared.length > 0 ? declared : all).flatMap(({ issue, input }): ValidationDetail[] => {
    // The body `null` counts as a missing body.
    const description = describe(issue, issue.path.length === 1 && input === null ? undefined : input);
    const loc = locate(issue.path);
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ loc: [...loc, key], ...description }))
      : [{ loc, ...description }];
  });
};
