import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stop } from 'esbuild';
import * as fc from 'fast-check';
import { assistantsOperationsWith } from '../../functions/assistants/operations.ts';
import { consoleOperationsWith } from '../../functions/console/operations.ts';
import { docsOperationsWith } from '../../functions/docs/operations.ts';
import { OPERATION_GROUPS, OPERATIONS } from '../../functions/operations.ts';
import { writeAssistantsAssets } from '../../infra/bundle/assistants-assets.ts';
import { writeConsoleAssets } from '../../infra/bundle/console-assets.ts';
import { writeDocsAssets } from '../../infra/bundle/docs-assets.ts';
import { assetsIn } from '../../shared/api/assets.ts';
import { computesLessThan } from '../support/durations.ts';
import { type Request, startHub, type TestHub } from '../support/hub.ts';
import { BROKER, CLIENT_KEY, furnish, PASSWORD, register } from '../support/people.ts';
import { soakable } from '../support/soak.ts';
import { json, startUpstream, type Upstream } from '../support/upstream.ts';

const PATIENCE_MS = 5_000;
const SECRET = 'S3cr3t-that-no-log-may-hold';

let assets: string;
let hub: TestHub;
let upstream: Upstream;
let email: string;
let userId: string;
beforeAll(async () => {
  upstream = await startUpstream(json({ success: true }));
  assets = await mkdtemp(join(tmpdir(), 'hub-docs-'));
  await Promise.all([
    writeAssistantsAssets(join(assets, 'assistants')),
    writeDocsAssets(join(assets, 'docs')),
    writeConsoleAssets(join(assets, 'console')).finally(() => stop()),
  ]);
  const { assistants: _assistants, docs: _docs, console: _console, ...groups } = OPERATION_GROUPS;
  const pages = [
    ...assistantsOperationsWith(assetsIn(pathToFileURL(`${assets}/assistants/`))),
    ...docsOperationsWith(assetsIn(pathToFileURL(`${assets}/docs/`))),
    ...consoleOperationsWith(assetsIn(pathToFileURL(`${assets}/console/`))),
  ];
  hub = (await startHub([...Object.values(groups).flat(), ...pages])).with({
    HUB_CHALLENGE_URL: `${upstream.url}/challenge`,
    HUB_ANALYTICS_URL: `${upstream.url}/collect`,
  });
  await furnish(hub);
  const { body } = await register(hub);
  email = body.email;
  userId = body.user_id;
});
afterAll(async () => {
  await hub.close();
  await upstream.close();
  await rm(assets, { recursive: true });
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    SECRET,
    '0',
    '-1',
    '1e9',
    '999999999999999999999999',
    '__proto__',
    'null',
    '\u0000',
    'é'.repeat(2000),
  ),
  fc
    .constantFrom(
      () => email,
      () => userId,
      () => CLIENT_KEY,
      () => PASSWORD,
      () => BROKER.subdomain,
    )
    .map((late) => late()),
);

/** Values that pass checks, so that the code after them is reached too. */
const plausible = fc.constantFrom(
  '12',
  '123456',
  '+14155552671',
  'new.person@example.com',
  'idp',
  'u',
  '2026-03-02',
);

/** Some names with some values, or every name with a value. */
const named = <T>(names: readonly string[], value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc.oneof(
    fc.dictionary(names.length > 0 ? fc.oneof(fc.constantFrom(...names), text) : text, value, { maxKeys: 8 }),
    fc.record(Object.fromEntries(names.map((name) => [name, value]))),
  );

const fields = (names: readonly string[]) => named(names, fc.oneof(text, plausible));

const headers = fc.dictionary(
  fc.constantFrom('authorization', 'content-type', 'idempotency-key', 'x-any', 'origin'),
  fc.oneof(
    text,
    text.map((value) => `Bearer ${value}`),
    fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain'),
  ),
  { maxKeys: 4 },
);

const namesOf = (schema: { shape: object } | undefined): string[] => Object.keys(schema?.shape ?? {});

const requests = (operation: (typeof OPERATIONS)[number]): fc.Arbitrary<Request> => {
  const jsonNames = namesOf(operation.input.json);
  const object = named(jsonNames, fc.oneof(text, plausible, fc.jsonValue({ maxDepth: 2 })));
  const body = fc.oneof(
    fc.record({ form: fields(namesOf(operation.input.form)) }),
    fc.record({ json: fc.oneof(object, fc.jsonValue()) }),
    fc.record({ body: text }),
    fc.constant({}),
  );
  return fc
    .record({
      query: fields(namesOf(operation.input.query)),
      headers,
      cookies: fc.array(
        fc.tuple(fc.constantFrom('session', '__Host-session'), text).map(([name, one]) => `${name}=${one}`),
        { maxLength: 2 },
      ),
      params: fc.dictionary(fc.constantFrom('id', 'file', 'proxy'), text, { minKeys: 3 }),
      body,
    })
    .map(({ body: sent, ...rest }) => ({
      ...rest,
      ...sent,
      // The caller cannot choose the authorizer's context.
      ...(operation.caller === 'integrator' && {
        authorized: { broker: BROKER.subdomain, expires_at: Number.MAX_SAFE_INTEGER, scope: 'broker:read' },
      }),
    }));
};

describe.each(OPERATIONS.map((operation) => [operation.routeKey, operation] as const))(
  '%s',
  (routeKey, operation) => {
    test('answers any input in time, never with a 500, and logs none of it', async () => {
      await fc.assert(
        fc.asyncProperty(requests(operation), async (request) => {
          hub.log.length = 0;
          hub.takeCalls();
          const { status, text: answer } = await computesLessThan(PATIENCE_MS, () =>
            hub.call(routeKey, request),
          );
          expect({ status, log: status < 500 ? [] : hub.log, answer: status < 500 ? '' : answer }).toEqual({
            status,
            log: [],
            answer: '',
          });
          const idempotency = Object.keys(request.headers ?? {}).includes('idempotency-key') ? 2 : 0;
          expect(hub.takeCalls().length).toBeLessThanOrEqual(3 + idempotency);
          const logged = JSON.stringify(hub.log);
          for (const secret of [SECRET, PASSWORD, email, userId, CLIENT_KEY])
            expect(logged).not.toContain(secret);
        }),
        { numRuns: soakable(10, 80) },
      );
    });
  },
);
