import type * as z from 'zod';
import { NOT_A_NUMBER, NOT_AN_INTEGER } from './read-number.ts';
import { meantIssues, valueAt } from './union-issues.ts';

type Issue = z.core.$ZodIssue;

/** Text of an issue, with the code of its kind and the bound or values that it names. */
export interface IssueText {
  readonly msg: string;
  readonly type: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

const TYPE_ERRORS: Readonly<Record<string, readonly [msg: string, type: string]>> = {
  int: [NOT_AN_INTEGER, 'type_error.integer'],
  // An integer that is given as a text is reported alike.
  number: ['value is not a valid number', 'type_error.number'],
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

const bound = (issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): IssueText => {
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

const notPermitted = (values: readonly unknown[]): IssueText => ({
  msg: `value is not a valid enumeration member; permitted: ${values.map((value) => `'${String(value)}'`).join(', ')}`,
  type: 'type_error.enum',
  ctx: { enum_values: values.map(String) },
});

/** Codes that zod uses for a missing value or `null`, as well as for a wrong value. */
const ABSENCE: ReadonlySet<Issue['code']> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

/** Message that zod gives an issue without one of its own. It names neither the fault nor the expected type. */
const DEFAULT_MESSAGE = 'Invalid input';

/** Returns the type that a branch of a union expects of the whole value; undefined if it expects the given one. */
const expectedBy = (branch: readonly Issue[]): string | undefined =>
  branch.flatMap((issue) =>
    issue.code === 'invalid_type' && issue.path.length === 0 ? issue.expected : [],
  )[0];

/** Describes a value that fits no branch of a union. The message of a schema wins over the types of its branches. */
const fitsNone = (issue: Extract<Issue, { code: 'invalid_union' }>): IssueText => {
  const type = 'value_error.union';
  if (issue.message !== DEFAULT_MESSAGE) return { msg: issue.message, type };
  const kinds = [...new Set(issue.errors.flatMap((branch) => expectedBy(branch) ?? []))];
  return {
    msg: kinds.length > 0 ? `${kinds.join(' or ')} type expected` : 'value has none of the permitted forms',
    type,
  };
};

/**
 * Describes an issue in the words of FastAPI, without the value. Every text about a schema comes from here: zod's own
 * texts are left out of the bundles.
 *
 * @param input value at the path of the issue.
 */
export const describeIssue = (issue: Issue, input: unknown): IssueText => {
  if (ABSENCE.has(issue.code)) {
    if (input === undefined) return { msg: 'field required', type: 'value_error.missing' };
    if (input === null) return { msg: 'none is not an allowed value', type: 'type_error.none.not_allowed' };
  }
  switch (issue.code) {
    case 'invalid_type': {
      if (issue.message === NOT_AN_INTEGER) return { msg: NOT_AN_INTEGER, type: 'type_error.integer' };
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
      return 'options' in issue ? notPermitted(issue.options) : fitsNone(issue);
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

/** Keeps the first issue of each value, as the later ones follow from it. */
export const firstOfEach = (issues: readonly Issue[]): Issue[] => {
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
 * Lists the problems of a value, each with its path and without the value.
 *
 * @param root value that was validated.
 */
export const problemsOf = (error: z.core.$ZodError, root: unknown): string[] =>
  firstOfEach(meantIssues(error.issues, root)).flatMap((issue) => {
    const { msg } = describeIssue(issue, valueAt(root, issue.path));
    const paths =
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    return paths.map((path) => [...(path.length > 0 ? [path.map(String).join('.')] : []), msg].join(': '));
  });
