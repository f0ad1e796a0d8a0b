import { expect, test } from '@jest/globals';
import { fieldProblem, problemText } from '../../functions/console/app/ui/problem-text.ts';
import { HubApiError, HubConnectionError, HubTimeoutError } from '../../infra/client/package/src/index.ts';

const refusal = (parts: Partial<ConstructorParameters<typeof HubApiError>[0]>): HubApiError =>
  new HubApiError({
    operation: 'login',
    status: 400,
    code: undefined,
    detail: 'the strategy is archived',
    problems: [],
    requestId: 'r1',
    retryAfterS: undefined,
    rateLimits: [],
    ways: [],
    ...parts,
  });

test('a refusal is the sentence of the service with the id of the request', () => {
  expect(problemText(refusal({}))).toEqual({ sentence: 'The strategy is archived.', requestId: 'r1' });
});

test('a limit on tries says how long to wait', () => {
  const { sentence } = problemText(refusal({ status: 429, detail: 'Too many attempts.', retryAfterS: 754 }));
  expect(sentence).toMatch(/^Too many attempts\. Try again in 12 \w+,? 34 \w+\.$/);
});

test('problems of fields are found by the name of the field', () => {
  const error = refusal({
    status: 422,
    problems: [{ loc: ['body', 'password'], msg: 'ensure this value has at least 8 characters', type: 'x' }],
  });
  expect(fieldProblem(error, 'password')).toBe('Ensure this value has at least 8 characters.');
  expect(fieldProblem(error, 'email')).toBeUndefined();
  expect(fieldProblem(new Error('other'), 'email')).toBeUndefined();
});

test('failures without an answer say what to do', () => {
  expect(problemText(new HubTimeoutError('x')).sentence).toMatch(/Try again/);
  expect(problemText(new HubConnectionError('x')).sentence).toMatch(/connection/);
  expect(problemText(new TypeError('x is undefined'))).toEqual({
    sentence: 'Something went wrong in this page. Reload it and try again.',
  });
});
