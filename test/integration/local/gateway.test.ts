import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createGateway, type GatewayOptions } from '../../../infra/local/gateway/gateway.ts';
import { type LocalServer, openServer } from '../../../infra/local/gateway/server.ts';
import { explainWriteFaults } from '../../../infra/local/gateway/write-faults.ts';
import { PayloadTooLargeError } from '../../../infra/local/lambda/functions.ts';

let server: LocalServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

const open = async (options: Omit<GatewayOptions, 'port'>): Promise<string> => {
  server = await openServer({ maxHeaderBytes: 10_240 });
  server.serve(createGateway({ ...options, port: server.port }));
  return `http://localhost:${server.port}`;
};

/** Returns a gateway whose function records the events it gets. */
const openEcho = async (routeKeys: readonly string[], result: unknown = { ok: true }) => {
  const events: unknown[] = [];
  const routes = routeKeys.map((routeKey) => ({
    routeKey,
    invoke: async (event: unknown) => {
      events.push(event);
      return result;
    },
  }));
  return { url: await open({ routes }), events };
};

const answering = (result: unknown) => open({ routes: [{ routeKey: 'GET /', invoke: async () => result }] });

/** Sends headers unchanged, including duplicates, which fetch cannot send. */
const sendRaw = (url: string, rawHeaders: readonly string[], path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    httpRequest(url, { path, headers: [...rawHeaders] }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end();
  });

/** Sends a request on a connection that is kept. */
const sendKept = (agent: Agent, url: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(url, { agent }, (response) => {
      response.resume().on('end', () => resolve(response));
    });
    sent.on('error', reject).end();
  });

describe('a connection', () => {
  it('is kept longer than clients keep one', async () => {
    const agent = new Agent({ keepAlive: true });
    const { headers } = await sendKept(agent, await answering({ ok: true }));
    agent.destroy();
    // The longest time for which undici keeps one is ten minutes.
    expect(Number(/^timeout=(\d+)$/.exec(String(headers['keep-alive']))?.[1])).toBeGreaterThan(600);
  });

  it('is closed by the client while the server ends, also with a request that was on the way', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const slow = async () => {
      begin();
      await answered;
      return {};
    };
    const url = await open({
      routes: [
        { routeKey: 'GET /', invoke: async () => ({}) },
        { routeKey: 'GET /slow', invoke: slow },
      ],
    });
    const agent = new Agent({ keepAlive: true });
    const idle = new Agent({ keepAlive: true });
    await sendKept(idle, url);
    const before = sendKept(agent, `${url}/slow`);
    await begun;
    const closed = server?.close(10_000);
    const after = sendKept(idle, url);
    answer();
    const answers = await Promise.all([before, after]);
    await closed;
    expect(answers.map(({ statusCode, headers }) => [statusCode, headers.connection])).toEqual([
      [200, 'close'],
      [200, 'close'],
    ]);
  });
});

describe('answers while the database cannot write', () => {
  const failed = { statusCode: 500, body: JSON.stringify({ code: 'internal', request_id: 'r1' }) };
  const healthy = { status: 'ok', version: '1', checks: { table: 'ok' } };
  const openFaulty = async (fault: () => string | undefined) => {
    const printed: string[] = [];
    let now = 0;
    const explain = explainWriteFaults(
      fault,
      (line) => printed.push(line),
      () => now,
    );
    const url = await open({
      explain,
      routes: [
        { routeKey: 'GET /health', invoke: async () => healthy },
        { routeKey: 'POST /refused', invoke: async () => failed },
        { routeKey: 'GET /read', invoke: async () => ({ read: true }) },
        {
          routeKey: 'POST /ended',
          invoke: async () => {
            throw new Error('the function ended');
          },
        },
      ],
    });
    const call = async (method: string, path: string) => {
      const response = await fetch(`${url}${path}`, { method });
      return [response.status, await response.json()];
    };
    return { call, printed, advance: (ms: number) => (now += ms) };
  };

  it('have the reason, those of /health too', async () => {
    const { call, printed } = await openFaulty(() => 'the disk is full');
    const detail = 'The local database cannot write: the disk is full.';
    expect(await call('POST', '/refused')).toEqual([503, { detail, code: 'unavailable', request_id: 'r1' }]);
    expect(await call('POST', '/ended')).toEqual([503, { detail, code: 'unavailable' }]);
    expect(await call('GET', '/read')).toEqual([200, { read: true }]);
    expect(await call('GET', '/health')).toEqual([
      200,
      { status: 'degraded', version: '1', checks: { table: 'unwritable' }, detail },
    ]);
    expect(printed).toEqual([detail]);
  });

  it('are those of the function otherwise', async () => {
    const { call } = await openFaulty(() => undefined);
    expect(await call('POST', '/refused')).toEqual([500, { code: 'internal', request_id: 'r1' }]);
    expect(await call('GET', '/health')).toEqual([200, healthy]);
  });

  it('of /health take a check of the last five seconds', async () => {
    let checks = 0;
    const { call, advance } = await openFaulty(() => {
      checks += 1;
      return checks > 1 ? 'the disk is full' : undefined;
    });
    await call('GET', '/health');
    advance(4999);
    expect(await call('GET', '/health')).toEqual([200, healthy]);
    advance(1);
    expect((await call('GET', '/health'))[1]).toMatchObject({ status: 'degraded' });
  });
});

describe('the event', () => {
  it('has the form of payload 2.0', async () => {
    const { url, events } = await openEcho(['DELETE /users/{id}']);
    const host = `localhost:${server?.port}`;
    await fetch(`${url}/users/a%20b?x=1&y=%20&x=2&z`, {
      method: 'DELETE',
      headers: { cookie: 'a=1; b=2', 'user-agent': 'test' },
    });
    expect(events).toEqual([
      {
        version: '2.0',
        routeKey: 'DELETE /users/{id}',
        rawPath: '/users/a b',
        rawQueryString: 'x=1&y=%20&x=2&z',
        cookies: ['a=1', 'b=2'],
        headers: expect.objectContaining({
          host,
          'user-agent': 'test',
          'x-forwarded-for': '127.0.0.1',
          'x-forwarded-port': String(server?.port),
          'x-forwarded-proto': 'http',
          'x-amzn-trace-id': expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
        }),
        queryStringParameters: { x: '1,2', y: ' ', z: '' },
        pathParameters: { id: 'a b' },
        requestContext: {
          accountId: '000000000000',
          apiId: 'local',
          domainName: 'localhost',
          domainPrefix: 'localhost',
          http: {
            method: 'DELETE',
            path: '/users/a b',
            protocol: 'HTTP/1.1',
            sourceIp: '127.0.0.1',
            userAgent: 'test',
          },
          requestId: expect.any(String),
          routeKey: 'DELETE /users/{id}',
          stage: '$default',
          time: expect.stringMatching(/^\d{2}\/[A-Z][a-z]{2}\/\d{4}:\d{2}:\d{2}:\d{2} \+0000$/),
          timeEpoch: expect.any(Number),
        },
        isBase64Encoded: false,
      },
    ]);
  });

  it('joins duplicate headers with commas and omits connection headers', async () => {
    const { url, events } = await openEcho(['GET /']);
    await sendRaw(
      url,
      ['Host', 'localhost', 'X-Two', 'a', 'x-two', 'b', 'constructor', 'c', 'Connection', 'close'],
      '/',
    );
    const [event] = events;
    expect(event).toHaveProperty(['headers', 'x-two'], 'a,b');
    expect(event).toHaveProperty(['headers', 'constructor'], 'c');
    expect(event).not.toHaveProperty(['headers', 'connection']);
    for (const absent of ['cookies', 'queryStringParameters', 'pathParameters', 'body', 'stageVariables']) {
      expect(event).not.toHaveProperty(absent);
    }
    expect(event).toHaveProperty('rawQueryString', '');
    expect(event).not.toHaveProperty('requestContext.authorizer');
  });

  it.each([
    ['application/json', '{"a":"é"}', false],
    ['Application/JSON; charset=utf-8', '{}', false],
    ['text/csv', 'a,b', false],
    ['application/xml', '<a/>', false],
    ['application/javascript', '1', false],
    ['application/x-www-form-urlencoded', 'a=1&b=2', true],
    ['multipart/form-data; boundary=x', '--x--', true],
    ['application/octet-stream', 'abc', true],
    ['application/jsonish', 'abc', true],
  ])('passes on a body of type %s', async (type, body, isBase64Encoded) => {
    const { url, events } = await openEcho(['POST /']);
    await fetch(`${url}/`, { method: 'POST', headers: { 'content-type': type }, body });
    expect(events[0]).toMatchObject({
      isBase64Encoded,
      body: isBase64Encoded ? Buffer.from(body).toString('base64') : body,
    });
  });

  it('passes on a body without a type, or a compressed one, as base64', async () => {
    const { url, events } = await openEcho(['POST /']);
    await fetch(`${url}/`, { method: 'POST', body: new Uint8Array([0, 255]) });
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    await fetch(`${url}/`, { method: 'POST', headers, body: new Uint8Array([1, 2]) });
    expect(events).toMatchObject([
      { body: 'AP8=', isBase64Encoded: true },
      { body: 'AQI=', isBase64Encoded: true },
    ]);
  });
});

describe('routes', () => {
  it('answers 404 without a matching route', async () => {
    const { url, events } = await openEcho(['GET /a', 'GET /users/{id}']);
    for (const path of ['/', '/A', '/a/', '/users/', '/users/1/2']) {
      const response = await fetch(`${url}${path}`);
      expect([path, response.status, await response.text()]).toEqual([path, 404, '{"message":"Not Found"}']);
      expect(response.headers.get('content-type')).toBe('application/json');
    }
    expect((await fetch(`${url}/a`, { method: 'POST' })).status).toBe(404);
    expect(events).toEqual([]);
  });

  it('prefers the exact path', async () => {
    const { url, events } = await openEcho(['GET /users/{id}', 'GET /users/me']);
    await fetch(`${url}/users/me`);
    await fetch(`${url}/users/you`);
    expect(events).toMatchObject([
      { routeKey: 'GET /users/me' },
      { routeKey: 'GET /users/{id}', pathParameters: { id: 'you' } },
    ]);
  });

  it.each(['$default', 'ANY /a'])('refuses %s, which no operation declares', async (routeKey) => {
    await expect(openEcho([routeKey])).rejects.toThrow('is not a route key');
  });

  it('refuses a target that cannot be decoded', async () => {
    const { url } = await openEcho(['GET /a']);
    const response = await fetch(`${url}/%zz`);
    expect([response.status, await response.text()]).toEqual([400, '{"message":"Bad Request"}']);
  });

  it('refuses two routes with the same key', async () => {
    await expect(openEcho(['GET /a', 'GET /a'])).rejects.toThrow('declared twice');
  });
});

describe('the response', () => {
  it('has the status, headers, cookies and body of the result', async () => {
    const url = await answering({
      statusCode: 201,
      headers: { 'Content-Type': 'text/html', 'X-Number': 1 },
      cookies: ['a=1; HttpOnly', 'b=2'],
      body: '<p>é</p>',
    });
    const response = await fetch(url);
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(response.headers.get('x-number')).toBe('1');
    expect(response.headers.getSetCookie()).toEqual(['a=1; HttpOnly', 'b=2']);
    expect(response.headers.get('apigw-requestid')).toMatch(/^\S{16}$/);
    expect(await response.text()).toBe('<p>é</p>');
  });

  it('decodes a binary body', async () => {
    const response = await fetch(await answering({ statusCode: 200, body: 'AP8=', isBase64Encoded: true }));
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([0, 255]));
    expect(response.headers.get('content-type')).toBe('text/plain;charset=UTF-8');
  });

  it.each([
    [{ a: 1 }, '{"a":1}'],
    ['hello', 'hello'],
    [null, 'null'],
    [[1], '[1]'],
  ])('is inferred from %j', async (result, body) => {
    const response = await fetch(await answering(result));
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'application/json',
      body,
    ]);
  });

  it.each([
    [{ statusCode: 'many' }],
    [{ statusCode: 200, headers: { 'a b': 'c' } }],
    [{ statusCode: 200, body: { a: 1 } }],
  ])('is a 500 when the result is %j', async (result) => {
    const response = await fetch(await answering(result));
    expect([response.status, await response.text()]).toEqual([500, '{"message":"Internal Server Error"}']);
  });
});

describe('limits', () => {
  it('answers 413 to a body over 10 MB', async () => {
    const { url, events } = await openEcho(['POST /']);
    const response = await fetch(url, { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) });
    expect([response.status, await response.text()]).toEqual([413, '{"message":"Request Entity Too Large"}']);
    expect(events).toEqual([]);
  });

  it('answers 413 to an event that is too large for Lambda', async () => {
    const invoke = async () => {
      throw new PayloadTooLargeError('6 MB');
    };
    expect((await fetch(await open({ routes: [{ routeKey: 'GET /', invoke }] }))).status).toBe(413);
  });

  it('answers 503 when the function takes too long', async () => {
    const invoke = () => new Promise(() => undefined);
    const response = await fetch(await open({ routes: [{ routeKey: 'GET /', invoke }], timeoutMs: 20 }));
    expect([response.status, await response.text()]).toEqual([503, '{"message":"Service Unavailable"}']);
  });

  it('answers 500 if a function fails, and reports the reason only to the operator', async () => {
    const reported: string[] = [];
    const invoke = async () => {
      throw new Error('secret reason');
    };
    const url = await open({
      routes: [{ routeKey: 'GET /', invoke }],
      onError: (routeKey, error) => reported.push(`${routeKey} ${String(error)}`),
    });
    const response = await fetch(`${url}/?password=hunter2`);
    expect([response.status, await response.text()]).toEqual([500, '{"message":"Internal Server Error"}']);
    expect(reported).toEqual(['GET / Error: secret reason']);
  });

  it('answers 431 to headers over 10,240 bytes', async () => {
    const { url } = await openEcho(['GET /']);
    expect((await fetch(url, { headers: { 'x-long': 'a'.repeat(11_000) } })).status).toBe(431);
  });

  it('logs the route, never the address', async () => {
    const log: unknown[] = [];
    const url = await open({
      routes: [{ routeKey: 'GET /users/{id}', invoke: async () => ({}) }],
      log: (entry) => log.push(entry),
    });
    await fetch(`${url}/users/secret?password=hunter2`);
    await fetch(`${url}/secret`);
    expect(log).toEqual([
      { routeKey: 'GET /users/{id}', status: 200, ms: expect.any(Number) },
      { routeKey: 'no route', status: 404, ms: expect.any(Number) },
    ]);
  });
});

describe('CORS', () => {
  const cors = {
    allowOrigins: ['https://app.example'],
    allowMethods: ['GET', 'POST'],
    allowHeaders: ['authorization'],
    exposeHeaders: ['retry-after'],
    allowCredentials: true,
    maxAgeS: 60,
  };
  const openCors = () =>
    open({
      cors,
      routes: [
        {
          routeKey: 'GET /',
          invoke: async () => ({
            statusCode: 200,
            headers: { 'Access-Control-Allow-Origin': '*', vary: 'accept' },
            body: '',
          }),
        },
      ],
    });
  const preflight = (origin: string) => ({
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  });

  it('answers a preflight itself', async () => {
    const response = await fetch(`${await openCors()}/anything`, preflight('https://app.example'));
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-methods': 'GET,POST',
      'access-control-allow-headers': 'authorization',
      'access-control-allow-credentials': 'true',
      'access-control-max-age': '60',
    });
  });

  it('keeps what the answer of a function varies by', async () => {
    const url = await openCors();
    const response = await fetch(url, { headers: { origin: 'https://app.example' } });
    expect([response.headers.get('vary'), await response.text()]).toEqual(['accept, Origin', '']);
  });

  it('answers any other OPTIONS with an empty response, and invokes no function', async () => {
    const url = await openCors();
    for (const headers of [
      {},
      { origin: 'https://app.example' },
      { 'access-control-request-method': 'POST' },
    ]) {
      const response = await fetch(`${url}/anything`, { method: 'OPTIONS', headers });
      const granted = [...response.headers].filter(([name]) => name.startsWith('access-control-'));
      expect([response.status, await response.text(), granted]).toEqual([204, '', []]);
    }
  });

  it('sends no CORS headers to a foreign origin', async () => {
    const url = await openCors();
    const refused = await fetch(url, preflight('https://evil.example'));
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([204, null]);
    const answered = await fetch(url, { headers: { origin: 'https://evil.example' } });
    expect([answered.status, answered.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });

  it('replaces the CORS headers of the function', async () => {
    const response = await fetch(await openCors(), { headers: { origin: 'https://app.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(response.headers.get('access-control-expose-headers')).toBe('retry-after');
  });

  it('leaves OPTIONS to the routes if it is not configured', async () => {
    const { url } = await openEcho(['GET /']);
    expect((await fetch(url, preflight('https://app.example'))).status).toBe(404);
  });
});

describe('the authorizer', () => {
  const openAuthorized = async (verdict: (event: unknown) => unknown, cacheTtlS = 60) => {
    const asked: unknown[] = [];
    const events: unknown[] = [];
    const authorizer = {
      cacheTtlS,
      invoke: async (event: unknown) => {
        asked.push(event);
        return verdict(event);
      },
    };
    const invoke = async (event: unknown) => {
      events.push(event);
      return {};
    };
    const url = await open({
      routes: ['GET /broker/a', 'POST /broker/b'].map((routeKey) => ({ routeKey, invoke, authorizer })),
    });
    const call = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${url}${path}`, init);
      return [response.status, await response.text()];
    };
    return { asked, events, call };
  };
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  it('is not asked without an Authorization header', async () => {
    const { call, asked, events } = await openAuthorized(() => ({ isAuthorized: true }));
    expect(await call('/broker/a')).toEqual([401, '{"message":"Unauthorized"}']);
    expect([asked, events]).toEqual([[], []]);
  });

  it('refuses with 403', async () => {
    const { call, events } = await openAuthorized(() => ({ isAuthorized: false }));
    expect(await call('/broker/a', bearer('x'))).toEqual([403, '{"message":"Forbidden"}']);
    expect(events).toEqual([]);
  });

  it('gets the request without its body and passes its context to the function', async () => {
    const context = { broker: 'b1', scope: 'broker:read' };
    const { call, asked, events } = await openAuthorized(() => ({ isAuthorized: true, context }));
    expect(await call('/broker/b?x=1', { ...bearer('t'), method: 'POST', body: 'secret' })).toEqual([
      200,
      '{}',
    ]);
    expect(asked).toEqual([
      expect.objectContaining({
        version: '2.0',
        type: 'REQUEST',
        routeArn: 'arn:aws:execute-api:local:000000000000:local/$default/POST/broker/b',
        identitySource: ['Bearer t'],
        routeKey: 'POST /broker/b',
        rawPath: '/broker/b',
        queryStringParameters: { x: '1' },
        headers: expect.objectContaining({ authorization: 'Bearer t' }),
      }),
    ]);
    expect(asked[0]).not.toHaveProperty('body');
    expect(events).toMatchObject([{ requestContext: { authorizer: { lambda: context } } }]);
  });

  it('is asked once per header while its answer is cached, for all routes', async () => {
    const { call, asked } = await openAuthorized(() => ({ isAuthorized: true, context: {} }));
    await call('/broker/a', bearer('1'));
    await call('/broker/a', bearer('1'));
    await call('/broker/b', { ...bearer('1'), method: 'POST' });
    await call('/broker/a', bearer('2'));
    expect(asked).toHaveLength(2);
  });

  it('is asked every time if its answer is not cached', async () => {
    const { call, asked } = await openAuthorized(() => ({ isAuthorized: false }), 0);
    await call('/broker/a', bearer('1'));
    await call('/broker/a', bearer('1'));
    expect(asked).toHaveLength(2);
  });

  it('causes a 500 when it fails or returns an invalid answer', async () => {
    const failing = await openAuthorized(() => {
      throw new Error('down');
    });
    expect(await failing.call('/broker/a', bearer('1'))).toEqual([
      500,
      '{"message":"Internal Server Error"}',
    ]);
    await server?.close();
    const confused = await openAuthorized(() => ({ allowed: true }));
    expect((await confused.call('/broker/a', bearer('1')))[0]).toBe(500);
    expect([...failing.events, ...confused.events]).toEqual([]);
  });
});
