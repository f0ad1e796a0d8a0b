import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import type { Answer } from './answer.ts';

/** Media type of problem details. */
export const PROBLEM = 'application/problem+json';
const QUOTA_EXCEEDED = 'https://iana.org/assignments/http-problem-types#quota-exceeded';

/** Error bodies of the service. */
const errorBody = z.union([
  z.looseObject({ detail: z.string(), code: z.string() }),
  z.object({ detail: z.array(z.unknown()) }),
]);

/** Tells whether a client asks for problem details. `*` does not: other clients know the contract's bodies. */
export const acceptsProblem = (accept = ''): boolean =>
  accept.split(',').some((choice) => {
    const [type, ...parameters] = choice.split(';').map((part) => part.trim().toLowerCase());
    return type === PROBLEM && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Converts an error of the service to problem details (RFC 9457). Other answers stay as they are, such as OAuth's.
 *
 * @param docs address of the API reference. The types of problems are fragments of it.
 * @param violated policy of the rate limits that refused the request.
 */
export const asProblem = (answer: Answer, docs: string, violated: string | undefined): Answer => {
  const { statusCode: status, headers } = answer;
  if (status < 400 || headers['content-type'] !== 'application/json') return answer;
  const read = errorBody.safeParse(jsonIn(answer.body));
  if (!read.success) return answer;
  const title = STATUS_CODES[status];
  // A stored budget is a policy with the name of its code.
  const policy = status === 429 && 'code' in read.data ? (violated ?? read.data.code) : undefined;
  const problem =
    'code' in read.data
      ? {
          type: policy === undefined ? `${docs}#${read.data.code}` : QUOTA_EXCEEDED,
          title,
          status,
          ...read.data,
          ...(policy !== undefined && { 'violated-policies': [policy] }),
        }
      : {
          type: `${docs}#validation`,
          title,
          status,
          detail: 'The request does not match the declaration of the operation.',
          errors: read.data.detail,
        };
  return { ...answer, headers: { ...headers, 'content-type': PROBLEM }, body: JSON.stringify(problem) };
};
