import { randomBytes } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import { accessFor } from '../../functions/declaration.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import type { Answer } from '../../shared/api/answer.ts';
import type { ApiEvent } from '../../shared/api/api-event.ts';
import { createHandler } from '../../shared/api/lambda.ts';
import { statusesOf } from '../../shared/api/openapi/build-openapi.ts';
import type { Operation } from '../../shared/api/operation.ts';
import { KeyRing } from '../../shared/auth/key-ring.ts';
import type { PasswordCost } from '../../shared/auth/passwords.ts';
import type { boundedFetch } from '../../shared/channels/bounded-fetch.ts';
import { Store } from '../../shared/data/table/store.ts';
import { createRandom } from '../../shared/random.ts';
import type { Runtime } from '../../shared/runtime.ts';
import type { Secrets } from '../../shared/secrets.ts';
import { readCapability, readCoreSettings } from '../../shared/settings.ts';
import { openEngineClient, shareEngine } from './engine.ts';
import { actAs, enforceRoles } from './roles.ts';

/** One line of the log, with all its fields. */
interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly extra: Record<string, unknown>;
}

export interface Request {
  readonly query?: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: string;
  /** True if `body` is base64, as the gateway sends binary bodies. */
  readonly base64?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly params?: Readonly<Record<string, string>>;
  /** The authorizer's context of the caller. */
  readonly authorized?: unknown;
  readonly sourceIp?: string;
}

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly text: string;
  // Tests read bodies of every shape.
  readonly body: ReturnType<typeof JSON.parse>;
}

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The context that Lambda passes with an invocation. */
export const CONTEXT: Context = {
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'test',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:test',
  memoryLimitInMB: '1024',
  awsRequestId: 'test',
  logGroupName: 'test',
  logStreamName: 'test',
  getRemainingTimeInMillis: () => 20_000,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
};

/** Returns the gateway's event for a request. */
export const eventOf = (routeKey: string, request: Request): ApiEvent => {
  const [method = 'GET', template = '/'] = routeKey.split(' ');
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => request.params?.[name] ?? '');
  const query = request.query ?? {};
  const pairs = Array.isArray(query)
    ? query.map(([k, v]): [string, string] => [k, v])
    : Object.entries(query);
  const body =
    request.body ??
    (request.form
      ? new URLSearchParams(request.form).toString()
      : request.json === undefined
        ? undefined
        : JSON.stringify(request.json));
  const type = request.form
    ? { 'content-type': 'application/x-www-form-urlencoded' }
    : request.json === undefined
      ? {}
      : { 'content-type': 'application/json' };
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: new URLSearchParams(pairs).toString(),
    headers: { ...type, ...lowerCased(request.headers ?? {}) },
    ...(request.cookies && { cookies: [...request.cookies] }),
    ...(request.params && { pathParameters: { ...request.params } }),
    requestContext: {
      accountId: '123456789012',
      apiId: 'test',
      domainName: 'localhost',
      domainPrefix: 'localhost',
      http: {
        method,
        path,
        protocol: 'HTTP/1.1',
        sourceIp: request.sourceIp ?? '127.0.0.1',
        userAgent: 'test',
      },
      requestId: randomBytes(8).toString('hex'),
      routeKey,
      stage: '$default',
      time: '01/Jan/2026:00:00:00 +0000',
      timeEpoch: 0,
      ...(request.authorized !== undefined && { authorizer: { lambda: request.authorized } }),
    },
    ...(body !== undefined && { body }),
    isBase64Encoded: request.base64 ?? false,
  };
};

const responseOf = (answer: Answer): Response => ({
  status: answer.statusCode,
  headers: lowerCased(answer.headers),
  cookies: answer.cookies,
  text: answer.body,
  get body() {
    return JSON.parse(answer.body);
  },
});

/** Sends a request that a function makes of the hub's own address to the hub in this process. */
const ownFetch =
  (call: TestHub['call']): typeof boundedFetch =>
  async (address, { body: sent = null, signal = null, ...init }) => {
    const request = new globalThis.Request(address, { ...init, body: sent, signal });
    const url = new URL(request.url);
    const body = await request.text();
    const { status, headers, text } = await call(`${request.method} ${url.pathname}`, {
      query: [...url.searchParams],
      headers: Object.fromEntries(request.headers),
      ...(body !== '' && { body }),
    });
    return new globalThis.Response(text, { status, headers });
  };

/** A hub on the embedded engine, with all operations in this process and a clock that tests set. */
export interface TestHub {
  readonly runtime: Runtime;
  readonly log: LogLine[];
  /** The address of its database. */
  readonly endpoint: string;
  /** Returns the names of the DynamoDB calls since the last call of this function. */
  readonly takeCalls: () => string[];
  /** Returns the calls of the table that a role did not allow, since the last call of this function. */
  readonly takeDenied: () => string[];
  readonly advance: (ms: number) => void;
  readonly call: (routeKey: string, request?: Request) => Promise<Response>;
  /** Returns the whole table as text, with binary values as their bytes. */
  readonly tableText: () => Promise<string>;
  /** The same hub under other settings. */
  readonly with: (environment: Readonly<Record<string, string>>) => TestHub;
  /** The same hub with other master secrets, the present one first. */
  readonly rotated: (masters: readonly [string, ...string[]]) => TestHub;
  /** The same hub with other secrets of services outside. */
  readonly withSecrets: (more: Partial<Secrets>) => TestHub;
  /** The same hub with password hashes at the recommended cost, as in production. */
  readonly withFullPasswordCost: () => TestHub;
  /** The same hub over another store. */
  readonly over: (store: Store) => TestHub;
  readonly close: () => Promise<void>;
}

const ENVIRONMENT = {
  HUB_STAGE: 'test',
  HUB_PUBLIC_URL: 'https://hub.example',
  HUB_SECRET_ID: 'test',
  HUB_CHALLENGE_URL: 'http://127.0.0.1:1/siteverify',
  HUB_ANALYTICS_URL: 'http://127.0.0.1:1/mp/collect',
  HUB_FEEDS: '*',
  HUB_ANALYTICS_MEASUREMENT_ID: 'G-TEST',
  HUB_IDENTITY_PROVIDERS: '[]',
  HUB_TRUSTED_ISSUERS: '[]',
  HUB_MAIL_FROM: 'hub@hub.example',
  HUB_PARTNERC_ISSUER: '',
  HUB_PARTNERC_CLIENT_ID: 'hub-client',
  HUB_PARTNERC_SCOPE: 'openid offline_access',
  HUB_PARTNERC_BROKER_ID: '103',
  HUB_PARTNERC_NAME: 'Partner C',
  HUB_ALPACA_URL: 'http://127.0.0.1:1',
  HUB_ALPACA_PAPER_URL: 'http://127.0.0.1:1',
  HUB_BINANCE_URL: 'http://127.0.0.1:1',
  HUB_BINANCE_PAPER_URL: 'http://127.0.0.1:1',
  HUB_FCM_URL: 'http://127.0.0.1:1',
  HUB_FCM_TOKEN_URL: 'http://127.0.0.1:1/token',
  HUB_WEB_PUSH_SUBJECT: 'mailto:push@hub.example',
  HUB_WEB_PUSH_REACH: 'internet',
  HUB_WEBHOOK_REACH: 'internet',
  HUB_DATA_KEY_ID: 'alias/test',
  HUB_MARKET_DATA: '[]',
  HUB_REPLAYS: 'on',
  HUB_REFERENCE_SOURCES: 'test',
  HUB_BUS: 'test',
};

export const SECRETS = {
  masters: ['a-master-secret-of-the-tests-0123456789'],
  challengeSecret: 'challenge-secret',
  analyticsSecret: 'analytics-secret',
  partnerCClientSecret: 'partnerc-secret',
  fcmServiceAccount: '',
  alpacaKeyId: 'alpaca-key-id',
  alpacaSecretKey: 'alpaca-secret-key',
  vapidPrivateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
} as const;

/** The lowest cost that Argon2 allows. At the recommended cost, a hash takes as long as ten requests. */
const LOW_COST: PasswordCost = { memory: 8, passes: 1, parallelism: 1 };

/** Identifiers of a millisecond differ only in 12 random bits. */
const IDS_OF_MILLISECOND = 4096;
/** Step between two values; odd, so that all come before one repeats. */
const ID_STEP = 1597;

/**
 * Returns random bytes. The clock of a hub is at rest between two tests, so the bits of identifiers run through all
 * their values, and no identifier is drawn twice.
 *
 * @param tick is called when all identifiers of a millisecond are drawn.
 */
const distinctRandom = (tick: () => void): ((bytes: number) => Buffer) => {
  let drawn = randomBytes(2).readUInt16BE();
  let left = IDS_OF_MILLISECOND;
  const random = createRandom();
  return (bytes) => {
    if (bytes !== 2) return random(bytes);
    drawn = (drawn + ID_STEP) % 65_536;
    left -= 1;
    if (left === 0) {
      left = IDS_OF_MILLISECOND;
      tick();
    }
    const buffer = Buffer.alloc(2);
    buffer.writeUInt16BE(drawn);
    return buffer;
  };
};

/** Returns a check that fails a test whose answer has a status that the OpenAPI document lacks. */
const declaredCheck = (operations: readonly Operation[]) => {
  const known = new Map<string, ReadonlySet<number>>();
  const statusesAt = (routeKey: string): ReadonlySet<number> | undefined => {
    const operation = known.has(routeKey) ? undefined : operations.find((one) => one.routeKey === routeKey);
    if (operation) known.set(routeKey, statusesOf(operation));
    return known.get(routeKey);
  };
  return (routeKey: string, { status }: Response): void => {
    if (statusesAt(routeKey)?.has(status) === false) {
      throw new Error(`${routeKey} answered with status ${status} without declaring it`);
    }
  };
};

export const startHub = async (operations: readonly Operation[] = OPERATIONS): Promise<TestHub> => {
  const engine = await shareEngine();
  const client = openEngineClient(engine.endpoint);
  const calls: string[] = [];
  client.middlewareStack.add(
    (next, context) => (args) => {
      calls.push(String(context.commandName).replace('Command', ''));
      return next(args);
    },
    { step: 'initialize', name: 'countCalls' },
  );
  const denied: string[] = [];
  enforceRoles(client, (message) => denied.push(message));
  const store = new Store(client, engine.table);
  const requireDeclared = declaredCheck(operations);
  const log: LogLine[] = [];
  let now = Date.parse('2026-03-02T10:00:00.000Z');
  const random = distinctRandom(() => {
    now += 1;
  });
  const line =
    (level: LogLine['level']) =>
    (message: string, extra: Record<string, unknown>): void => {
      log.push({ level, message, extra });
    };

  const build = (
    environment: Readonly<Record<string, string>>,
    masters: readonly [string, ...string[]] = SECRETS.masters,
    used: Store = store,
    secrets: Secrets = SECRETS,
    passwords: Pick<Runtime, 'passwordCost'> = { passwordCost: LOW_COST },
  ): TestHub => {
    const keyRing = new KeyRing(masters);
    const runtime: Runtime = {
      ...passwords,
      store: used,
      clock: () => new Date(now),
      random,
      settings: readCoreSettings({ ...environment, HUB_TABLE: engine.table }),
      capability: (name) => readCapability(name, environment),
      secrets: async () => secrets,
      keyRing: async () => keyRing,
      hubFetch: ownFetch((...request) => call(...request)),
      edgeKeys: async () => ['edge-key-before', 'edge-key-of-the-distribution'],
      log: { info: line('info'), warn: line('warn'), error: line('error') },
      metrics: { count: () => undefined },
    };
    const handler = createHandler(operations, () => runtime);
    const actors = new Map(
      operations.map((one) => [
        one.routeKey,
        { ...one, table: accessFor(one), trigger: { kind: 'http' } } as const,
      ]),
    );
    const call: TestHub['call'] = async (routeKey, request = {}) => {
      const run = () => handler(eventOf(routeKey, request), CONTEXT);
      const actor = actors.get(routeKey);
      const response = responseOf(await (actor ? actAs(actor, run) : run()));
      requireDeclared(routeKey, response);
      return response;
    };
    return {
      runtime,
      log,
      endpoint: engine.endpoint,
      takeCalls: () => calls.splice(0),
      advance: (ms) => {
        now += ms;
      },
      takeDenied: () => denied.splice(0),
      call,
      tableText: async () => {
        const { Items: items = [], LastEvaluatedKey } = await client.send(
          new ScanCommand({ TableName: engine.table }),
        );
        if (LastEvaluatedKey) throw new Error('the table does not fit into one page');
        return JSON.stringify(items, (_name, value: unknown) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
        );
      },
      with: (more) => build({ ...environment, ...more }, masters, used, secrets, passwords),
      rotated: (others) => build(environment, others, used, secrets, passwords),
      withSecrets: (more) => build(environment, masters, used, { ...secrets, ...more }, passwords),
      over: (other) => build(environment, masters, other, secrets, passwords),
      withFullPasswordCost: () => build(environment, masters, used, secrets, {}),
      close: async () => {
        client.destroy();
        await engine.stop();
        // The code may have handled the error.
        if (denied.length > 0) throw new Error(`A role is too narrow: ${denied[0]}`);
      },
    };
  };
  return build(ENVIRONMENT);
};
