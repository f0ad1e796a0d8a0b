import type * as z from 'zod';
import { describeIssue, firstOfEach } from '../domain/issue-texts.ts';
import { meantIssues, valueAt } from '../domain/union-issues.ts';
import type { ValidationDetail } from './validation-detail.ts';

type Issue = z.core.$ZodIssue;
type Location = readonly (string | number)[];

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
    const description = describeIssue(issue, issue.path.length === 1 && input === null ? undefined : input);
    const loc = locate(issue.path);
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ loc: [...loc, key], ...description }))
      : [{ loc, ...description }];
  });
};
