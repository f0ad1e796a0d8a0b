import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import type { FunctionDeclaration, Trigger } from '../../../functions/declaration.ts';
import { explain } from '../../../infra/commands/command-line.ts';
import { DataUnusableError } from '../../../infra/local/database/data-unusable.ts';
import { EndpointUnusableError } from '../../../infra/local/database/dynamo.ts';
import { openServer } from '../../../infra/local/gateway/server.ts';
import { type Hub, startHub } from '../../../infra/local/hub.ts';
import { LOCAL } from '../../../infra/local/lambda/environment.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { type Engine, engineClient, startEngine } from '../../support/engine.ts';
import { until } from '../../support/until.ts';

const operationAt = (path: `/${string}`) =>
  defineOperation({
    method: 'GET',
    path,
    name: 'thing',
    summary: 'A thing',
    caller: 'anyone',
    input: {},
    output: z.object({}),
    errors: [],
    table: 'none',
    handler: async () => ({}),
  });

const declared = (
  name: string,
  trigger: Trigger,
  uses: FunctionDeclaration['uses'] = [],
): FunctionDeclaration => ({
  name,
  trigger,
  uses,
  table: 'none',
  memoryMb: 128,
  timeoutS: 5,
});

const FUNCTIONS = [
  declared('web', { kind: 'http', operations: [operationAt('/things/{id}')] }, ['challenge']),
  declared('sender', { kind: 'stream', source: { entities: ['outbox'], batchSize: 10, maxRetries: 0 } }),
  declared('worker', {
    kind: 'schedule',
    schedules: [{ job: 'tidy', expression: 'rate(1 day)', timeZone: 'UTC' }],
  }),
  { ...declared('reader', { kind: 'http', operations: [operationAt('/reader')] }), table: 'read' as const },
  { ...declared('writer', { kind: 'http', operations: [operationAt('/writer')] }), table: 'write' as const },
];

const plain = new URL('./fixtures/plain.mjs', import.meta.url).pathname;
const writing = new URL('./fixtures/put-item.mjs', import.meta.url).pathname;
const bundles = new Map(
  FUNCTIONS.map(({ name, table }) => [name, { file: table === 'none' ? plain : writing }]),
);

let engine: Engine;
let hub: Hub;
const printed: string[] = [];

const delivered: unknown[] = [];

beforeAll(async () => {
  engine = await startEngine();
  hub = await startHub({
    environment: {
      HUB_DYNAMODB_ENDPOINT: engine.endpoint,
      HUB_SESSION_POLICY: 'require',
      HUB_TABLE: 'of-somebody-else',
      AWS_REGION: 'eu-central-1',
      AWS_PROFILE: 'real',
      POWERTOOLS_LOG_LEVEL: 'DEBUG',
      HOME: '/root',
    },
    build: async () => ({ functions: FUNCTIONS, bundles }),
    demoData: false,
    print: (line) => printed.push(line),
    rules: [
      {
        name: 'all',
        pattern: { source: ['test'] },
        deliver: async ({ detail }) => {
          delivered.push(detail);
        },
      },
    ],
  });
});
afterAll(async () => {
  await hub.close();
  await engine.stop();
});

describe('the start', () => {
  const answerOf = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, init);
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      retryAfter: response.headers.get('retry-after'),
      text: await response.text(),
    };
  };

  it('is answered with its step at all addresses: a page that loads again for browsers, JSON for others', async () => {
    const free = await openServer();
    await free.close();
    const url = `http://localhost:${free.port}`;
    const seen: Awaited<ReturnType<typeof answerOf>>[] = [];
    const started = await startHub({
      port: free.port,
      environment: { HUB_DYNAMODB_ENDPOINT: engine.endpoint },
      build: async () => {
        const page = { headers: { accept: 'text/html,*/*;q=0.8' } };
        seen.push(await answerOf(`${url}/console`, page));
        seen.push(await answerOf(`${url}/health`));
        seen.push(await answerOf(`${url}/login`, { method: 'POST', body: 'x=1', ...page }));
        seen.push(await answerOf(`${url}/__local/messages.css`));
        return { functions: FUNCTIONS, bundles };
      },
      demoData: false,
      print: () => undefined,
    });
    await started.close();
    const json = {
      status: 503,
      type: 'application/json',
      retryAfter: '1',
      text: '{"status":"starting","code":"unavailable","detail":"The service is starting: functions and database."}',
    };
    expect(seen).toEqual([
      { status: 503, type: 'text/html; charset=utf-8', retryAfter: '1', text: expect.any(String) },
      json,
      json,
      { status: 200, type: 'text/css; charset=utf-8', retryAfter: null, text: expect.any(String) },
    ]);
    expect(seen[0]?.text).toContain('<meta http-equiv="refresh"');
    expect(seen[0]?.text).toContain('functions and database: <strong>now</strong>');
  });
});

describe('the local hub', () => {
  it('gives a function the same environment variables as AWS, and no others', async () => {
    const answer: unknown = await (await fetch(`${hub.url}/things/1`)).json();
    expect(answer).toMatchObject({ functionName: 'strategy-hub-local-web' });
    const { env } = z.object({ env: z.record(z.string(), z.string()) }).parse(answer);
    const { aws, bus } = hub.addresses;
    expect(env).toEqual({
      HUB_STAGE: 'local',
      HUB_TABLE: LOCAL.table,
      HUB_SECRET_ID: LOCAL.secretId,
      HUB_PUBLIC_URL: hub.url,
      HUB_CORS_ORIGINS: 'http://localhost:5173',
      HUB_SESSION_POLICY: 'require',
      HUB_RATE_LIMITS: expect.stringContaining('"window_s":10'),
      HUB_EDGE: 'off',
      HUB_EDGE_SECRET_ID: '',
      HUB_SERVER_TIMING: 'off',
      HUB_CHALLENGE_URL: `${aws}/turnstile/v0/siteverify`,
      // Keeps out the files of a developer's AWS CLI, which Lambda does not have.
      AWS_CONFIG_FILE: devNull,
      AWS_SHARED_CREDENTIALS_FILE: devNull,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
      AWS_ENDPOINT_URL_SESV2: aws,
      AWS_ENDPOINT_URL_SNS: aws,
      AWS_ENDPOINT_URL_SQS: aws,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: aws,
      AWS_ENDPOINT_URL_KMS: aws,
      AWS_ENDPOINT_URL_EVENTBRIDGE: expect.stringMatching(`^${bus}/[0-9a-f-]{36}$`),
      AWS_LAMBDA_FUNCTION_NAME: 'strategy-hub-local-web',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      POWERTOOLS_METRICS_DISABLED: 'true',
      POWERTOOLS_LOG_LEVEL: 'DEBUG',
    });
  });

  it('answers 404 to undeclared routes', async () => {
    expect((await fetch(`${hub.url}/things`)).status).toBe(404);
  });

  it('sends the table’s stream to its function, and reports abandoned records', async () => {
    const client = new DynamoDBClient(engineClient(engine.endpoint));
    const Item = { pk: { S: 'a' }, sk: { S: 'b' }, entity: { S: 'outbox' } };
    await client.send(new PutItemCommand({ TableName: LOCAL.table, Item }));
    await until(() => printed.length > 0);
    expect(printed).toEqual([expect.stringMatching(/^sender gave up 1: .*records are not for me/s)]);
  });

  it('runs a job on request', async () => {
    const response = await fetch(`${hub.url}/__local/jobs/tidy`, {
      method: 'POST',
      headers: { 'x-hub-local': 'job' },
    });
    expect(await response.json()).toMatchObject({ result: { functionName: 'strategy-hub-local-worker' } });
  });

  it('passes events of the bus to its rules', async () => {
    const client = new EventBridgeClient(engineClient(hub.busUrl));
    const entry = {
      Source: 'test',
      DetailType: 'Tested',
      Detail: '{"n":1}',
      EventBusName: 'strategy-hub-local',
    };
    await client.send(new PutEventsCommand({ Entries: [entry] }));
    await until(() => delivered.length > 0);
    expect(delivered).toEqual([{ n: 1 }]);
  });

  it('reports a database that cannot be used', async () => {
    const environment = { HUB_DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' };
    const build = async () => ({ functions: [], bundles });
    await expect(startHub({ environment, build, demoData: false })).rejects.toThrow(EndpointUnusableError);
  });

  it('explains a request that fails while its data cannot be written', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hub-removed-'));
    const file = new URL('./fixtures/broken.mjs', import.meta.url).pathname;
    const build = async () => ({
      functions: FUNCTIONS.slice(0, 1),
      bundles: new Map([['web', { file }]]),
    });
    const own = await startHub({ dataDir, environment: {}, build, demoData: false, print: () => undefined });
    try {
      expect((await fetch(`${own.url}/things/1`)).status).toBe(500);
      await rm(dataDir, { recursive: true });
      const refused = await fetch(`${own.url}/things/1`);
      expect([refused.status, await refused.json()]).toEqual([
        503,
        {
          detail: 'The local database cannot write: its folder does not exist.',
          code: 'unavailable',
        },
      ]);
    } finally {
      await own.close();
    }
  });

  it.each([
    ['', 'it is a file, not a folder'],
    ['secrets.json', 'it does not hold the secrets of a service'],
    ['data-key', 'it does not hold a key'],
    ['engine.sqlite', 'the file is not a database'],
  ])('names a damaged file %p, and the ways on', async (name, reason) => {
    const parent = await mkdtemp(join(tmpdir(), 'hub-damaged-'));
    const dataDir = join(parent, 'data');
    if (name) await mkdir(dataDir);
    const file = join(dataDir, name);
    await writeFile(file, 'x'.repeat(2000));
    const build = async () => ({ functions: FUNCTIONS, bundles });
    const environment = { HUB_DYNAMODB_ENDPOINT: engine.endpoint };
    const error: unknown = await startHub({ dataDir, environment, build, demoData: false }).catch(
      (caught: unknown) => caught,
    );
    await rm(parent, { recursive: true });
    // A command prints only the message of such an error.
    expect(error).toBeInstanceOf(DataUnusableError);
    expect(explain(error)).toBe(
      `The data at ${file} cannot be used: ${reason}. Repair it, delete the data folder to start again without data, or choose another one with HUB_DATA_DIR.`,
    );
  });

  it('lets a function make the calls that its declaration allows, and no others', async () => {
    const answers = ['/writer', '/reader'].map(async (path) => (await fetch(`${hub.url}${path}`)).json());
    expect(await Promise.all(answers)).toEqual([{ error: null }, { error: 'AccessDeniedException' }]);
    const role = 'The role of the function reader does not allow';
    const table = `arn:aws:dynamodb:eu-central-1:000000000000:table/${LOCAL.table}`;
    expect(printed.filter((line) => line.startsWith('The role'))).toEqual([
      `${role} dynamodb:PutItem on ${table}.`,
    ]);
  });
});
