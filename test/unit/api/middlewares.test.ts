import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import type { Answer } from '../../../shared/api/answer.ts';
import type { ApiEvent } from '../../../shared/api/api-event.ts';
import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { answerErrors } from '../../../shared/api/stack/answer-errors.ts';
import { identity } from '../../../shared/api/stack/authenticate-caller.ts';
import { confirmSession } from '../../../shared/api/stack/confirm-session.ts';
import type { Passing } from '../../../shared/api/stack/middleware.ts';
import { opened } from '../../../shared/api/stack/open-call.ts';
import { Slot } from '../../../shared/api/stack/slot.ts';
import type { Store } from '../../../shared/data/table/store.ts';

const OPERATION = defineOperation({
  method: 'POST',
  path: '/probe',
  name: 'probe',
  summary: 'For the tests',
  caller: 'session',
  cookies: 'own_site',
  table: 'none',
  input: {},
  output: z.object({}),
  errors: [],
  handler: async () => ({}),
});

const eventOf = (): ApiEvent => ({
  version: '2.0',
  routeKey: 'POST /probe',
  rawPath: '/probe',
  rawQueryString: '',
  headers: {},
  isBase64Encoded: false,
  requestContext: {
    accountId: '000000000000',
    apiId: 'local',
    domainName: 'localhost',
    domainPrefix: 'localhost',
    http: { method: 'POST', path: '/probe', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: '' },
    requestId: 'request-1',
    routeKey: 'POST /probe',
    stage: '$default',
    time: '01/Jan/2026:00:00:00 +0000',
    timeEpoch: 0,
  },
});

const CONTEXT: Passing['context'] = {
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'probe',
  functionVersion: '1',
  invokedFunctionArn: '',
  memoryLimitInMB: '128',
  awsRequestId: '',
  logGroupName: '',
  logStreamName: '',
  getRemainingTimeInMillis: () => 1000,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
};

const passing = (error: Error | undefined): Passing => ({
  event: eventOf(),
  context: CONTEXT,
  response: undefined,
  error,
  internal: {},
});

/** Lets a handler run for a session that `confirm` checks, after it has set a cookie. */
const enter = ({ event }: Passing, confirm: () => Promise<unknown>, isRunning: boolean): void => {
  const unused = (): never => {
    throw new Error('the test has no such part');
  };
  const call: Call = new Proxy(Object.create(null), { get: unused });
  opened.set(event, { call, cookies: ['session=abc'], isShownOnce: false, tied: undefined, isRunning });
  const store: Store = new Proxy(Object.create(null), { get: unused });
  identity.set(event, {
    session: undefined,
    apiKey: () => undefined,
    store,
    user: unused,
    confirm,
    reconfirm: unused,
  });
};

/** Takes a failed request out of the stack, as the two middlewares do in their order. */
const fail = async (request: Passing): Promise<Answer> => {
  await confirmSession().onError?.(request);
  await answerErrors(OPERATION).onError?.(request);
  if (!request.response) throw new Error('the request has no answer');
  return request.response;
};

const REFUSAL = new HubError('credentials_invalid', 'The password is wrong.');
const REVOKED = new HubError('session_invalid', 'The session was revoked.');

describe('answers to errors', () => {
  test('a refusal sets cookies', async () => {
    const request = passing(REFUSAL);
    enter(request, async () => undefined, true);
    expect(await fail(request)).toMatchObject({ statusCode: 401, cookies: ['session=abc'] });
  });

  test('a fault sets none and says nothing of its cause', async () => {
    const request = passing(new Error('secret'));
    enter(request, async () => undefined, true);
    const answer = await fail(request);
    expect(answer).toMatchObject({ statusCode: 500, cookies: [] });
    expect(answer.body).not.toContain('secret');
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'internal', request_id: 'request-1' });
  });

  test('a request that was refused early has an answer', async () => {
    expect(await fail(passing(REFUSAL))).toMatchObject({ statusCode: 401, cookies: [] });
  });
});

describe('a session that was revoked meanwhile', () => {
  const revoked = async (): Promise<never> => {
    throw REVOKED;
  };

  test.each([REFUSAL, new Error('fault')])(
    'replaces the answer and drops its cookies (%#)',
    async (error) => {
      const request = passing(error);
      enter(request, revoked, true);
      const answer = await fail(request);
      expect(answer).toMatchObject({ statusCode: 401, cookies: [] });
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'session_invalid' });
    },
  );

  test('refuses a successful answer', async () => {
    const request = passing(undefined);
    enter(request, revoked, true);
    await expect(confirmSession().after?.(request)).rejects.toBe(REVOKED);
  });

  test('costs no read if the handler did not run', async () => {
    const request = passing(REFUSAL);
    let reads = 0;
    const counted = async (): Promise<void> => {
      reads++;
    };
    enter(request, counted, false);
    await fail(request);
    expect(reads).toBe(0);
  });
});

test('a value that no middleware has set yet is named', () => {
  const slot = new Slot<string>('the answer');
  const event = eventOf();
  expect(slot.find(event)).toBeUndefined();
  expect(() => slot.get(event)).toThrow('the stack has not set the answer yet');
  expect(slot.set(event, 'yes')).toBe('yes');
  expect(slot.get(event)).toBe('yes');
  expect(slot.find(eventOf())).toBeUndefined();
});
