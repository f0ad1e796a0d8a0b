import { expect, test } from '@jest/globals';
import { askable, idOf, isMissing } from '../../functions/console/app/ui/ids.ts';
import { HubApiError } from '../../infra/client/package/src/index.ts';

const refusal = (status: number): HubApiError =>
  new HubApiError({
    operation: 'get_deployment',
    status,
    code: undefined,
    detail: 'refused',
    problems: [],
    requestId: undefined,
    retryAfterS: undefined,
    rateLimits: [],
    ways: [],
  });

test('an address has an id only if something can have it', () => {
  for (const id of [17, Number.MAX_SAFE_INTEGER]) expect(idOf(String(id))).toBe(id);
  for (const text of [undefined, '', '0', '-1', '007', '1.5', '1e3', 'abc', '9'.repeat(16)]) {
    expect([text, idOf(text)]).toEqual([text, 0]);
  }
});

test('the service is asked for no id that nothing has', () => {
  expect(askable(17)).toBe(17);
  expect(() => askable(idOf('abc'))).toThrow('no valid id');
});

test('a malformed id and an unknown one are missing, a failure is not', () => {
  const malformed = (() => {
    try {
      return askable(0);
    } catch (error) {
      return error;
    }
  })();
  expect([malformed, refusal(404), refusal(422)].map(isMissing)).toEqual([true, true, true]);
  expect([refusal(500), refusal(401), refusal(429), new Error('offline')].map(isMissing)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
