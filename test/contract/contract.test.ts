import * as z from 'zod';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { Gateway } from './gateway.ts';
import { malformedRequests, wellFormed } from './malformed.ts';
import { routeKeyOf, SPEC } from './spec.ts';

const byRoute = new Map(OPERATIONS.map((operation) => [operation.routeKey, operation]));
const built = SPEC.filter((operation) => byRoute.has(routeKeyOf(operation)));
const missing = SPEC.filter((operation) => !byRoute.has(routeKeyOf(operation)));

describe('the operations', () => {
  test('include all of the contract; others are marked as extensions', () => {
    const contracted = new Set(SPEC.map(routeKeyOf));
    const beyond = OPERATIONS.filter(({ routeKey }) => !contracted.has(routeKey));
    expect(beyond.filter(({ extension }) => !extension).map(({ routeKey }) => routeKey)).toEqual([]);
    expect(built.map((operation) => byRoute.get(routeKeyOf(operation))?.extension)).not.toContain(true);
    expect(missing.map(routeKeyOf)).toEqual([]);
  });

  test('are each routed to exactly one function', () => {
    const routed = FUNCTIONS.flatMap(({ trigger }) =>
      trigger.kind === 'http' ? trigger.operations.map(({ routeKey }) => routeKey) : [],
    );
    expect(routed.toSorted()).toEqual(OPERATIONS.map(({ routeKey }) => routeKey).toSorted());
    expect(new Set(routed).size).toBe(routed.length);
  });

  test('have no catch-all, as the gateway answers unknown paths', () => {
    expect(OPERATIONS.filter(({ routeKey }) => !/^(GET|HEAD|POST|DELETE) \//.test(routeKey))).toEqual([]);
  });
});

describe.each(built.map((operation) => ({ route: routeKeyOf(operation), operation })))(
  '$route',
  ({ operation }) => {
    const cases = malformedRequests(operation);

    if (cases.length > 0) {
      test(`refuses ${cases.length} kinds of malformed input with the exact answer and without any call`, async () => {
        const gateway = new Gateway(OPERATIONS);
        for (const { note, request, detail } of cases) {
          const { status, body, headers } = await gateway.send(request);
          expect({ note, status, body: JSON.parse(body) }).toEqual({ note, status: 422, body: { detail } });
          expect(headers['content-type']).toBe('application/json');
          expect(body).not.toContain('hunter2');
        }
        expect(gateway.touched).toEqual([]);
        expect(gateway.alarms).toEqual([]);
      });
    }

    // No valid case can be derived for a body that the contract leaves open.
    if (!operation.unstated.includes('body')) {
      test('accepts input as the contract declares it', async () => {
        const { status } = await new Gateway(OPERATIONS).send(wellFormed(operation));
        expect(status).not.toBe(422);
      });
    }
  },
);

describe('an error', () => {
  const throwing = (declared: boolean) =>
    defineOperation({
      method: 'GET',
      path: '/throws',
      name: 'throws',
      summary: 'Throws',
      caller: 'anyone',
      input: {},
      output: z.never(),
      errors: declared ? ['email_taken'] : [],
      table: 'none',
      handler: async () => {
        throw new HubError('email_taken', 'There is an account under this address.');
      },
    });

  test('that the operation declares is returned to the caller', async () => {
    const gateway = new Gateway([throwing(true)]);
    const { status, body } = await gateway.send({ routeKey: 'GET /throws' });
    expect(status).toBe(409);
    expect(JSON.parse(body)).toEqual({
      code: 'email_taken',
      detail: 'There is an account under this address.',
    });
    expect(gateway.alarms).toEqual([]);
  });

  test('that the operation does not declare is a 500 with an alarm', async () => {
    const gateway = new Gateway([throwing(false)]);
    const { status, body } = await gateway.send({ routeKey: 'GET /throws' });
    expect(status).toBe(500);
    expect(JSON.parse(body)).toMatchObject({ code: 'internal', request_id: 'request-1' });
    expect(body).not.toContain('email_taken');
    expect(gateway.alarms).toHaveLength(1);
    expect(JSON.stringify(gateway.alarms)).toContain('throws threw email_taken without declaring it');
  });
});
