import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { guardedLookup, guardedPost, isWithin } from '../../../shared/channels/guarded-post.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';

describe('the public address range', () => {
  test.each(['8.8.8.8', '1.1.1.1', '100.63.0.1', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450::1'])(
    'includes %s',
    (address) => {
      expect(isWithin('internet', address)).toBe(true);
    },
  );

  test.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254', // Metadata of EC2.
    '169.254.170.2', // Credentials of ECS.
    '172.16.0.1',
    '192.168.1.1',
    '192.0.0.192', // Metadata of Oracle's cloud.
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254', // Metadata of EC2.
    'ff02::1',
    '::ffff:8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    'localhost',
    '',
  ])('excludes %s', (address) => {
    expect(isWithin('internet', address)).toBe(false);
  });

  test('excludes private IPv4 addresses written as IPv6', () => {
    fc.assert(
      fc.property(
        fc.ipV4(),
        fc.constantFrom('::ffff:', '::', '::ffff:0:', '64:ff9b::'),
        (address, prefix) => {
          expect(isWithin('internet', prefix + address)).toBe(false);
        },
      ),
    );
  });
});

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['::1', true],
  ['8.8.8.8', false],
  ['10.0.0.1', false],
  ['::ffff:127.0.0.1', false],
])('loopback: %s is %p', (address, within) => {
  expect(isWithin('loopback', address)).toBe(within);
});

describe('a host name', () => {
  const resolve = (addresses: readonly string[], all: boolean) =>
    new Promise((settle) => {
      const lookup = guardedLookup('internet', (_hostname, _options, callback) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        ),
      );
      lookup('name.example', { all }, (error, address, family) => settle(error?.name ?? [address, family]));
    });

  test('is connected only if all its addresses are public', async () => {
    expect(await resolve(['8.8.8.8', '2a00:1450::1'], false)).toEqual(['8.8.8.8', 4]);
    expect(await resolve(['2a00:1450::1'], true)).toEqual([
      [{ address: '2a00:1450::1', family: 6 }],
      undefined,
    ]);
    for (const all of [true, false]) {
      expect(await resolve(['8.8.8.8', '127.0.0.1'], all)).toBe('ForbiddenAddress');
      expect(await resolve(['fd00::1', '8.8.8.8'], all)).toBe('ForbiddenAddress');
      expect(await resolve([], all)).toBe('ForbiddenAddress');
    }
  });

  test('that does not resolve fails with the resolver’s error', async () => {
    const missing = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    const lookup = guardedLookup('internet', (_hostname, _options, callback) => callback(missing, []));
    const failed = await new Promise((settle) => lookup('name.example', {}, settle));
    expect(failed).toBe(missing);
  });
});

describe('a call', () => {
  let server: Upstream;
  const ok: Upstream['answer'] = (_request, response) => {
    response.writeHead(201, { 'retry-after': '7' }).end();
  };
  beforeAll(async () => {
    server = await startUpstream(ok);
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.answer = ok;
    server.received.length = 0;
  });

  const post = (address: string, reach: 'internet' | 'loopback' = 'loopback') =>
    guardedPost({
      url: new URL(address),
      headers: { 'x-test': 'one' },
      body: Buffer.from('body'),
      reach,
      patienceMs: 2000,
    });

  test('sends its request and returns status and Retry-After', async () => {
    expect(await post(`${server.url}/path?query=1`)).toEqual({ status: 201, retryAfter: '7', text: '' });
    const [one] = server.received;
    expect([one?.method, one?.url.pathname, one?.url.search, one?.body, one?.headers['x-test']]).toEqual([
      'POST',
      '/path',
      '?query=1',
      'body',
      'one',
    ]);
  });

  test('never reaches this machine if only public addresses are allowed, in any notation', async () => {
    const { port } = new URL(server.url);
    for (const host of [
      '127.0.0.1',
      'localhost',
      'LOCALHOST',
      '127.1',
      '2130706433',
      '0x7f.0.0.1',
      '0177.0.0.1',
      '0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[0:0:0:0:0:ffff:7f00:1]',
    ]) {
      for (const scheme of ['http', 'https']) {
        await expect(post(`${scheme}://${host}:${port}/`, 'internet')).rejects.toMatchObject({
          name: 'ForbiddenAddress',
        });
      }
    }
    expect(server.received).toEqual([]);
  });

  test('reaches only this machine if only loopback is allowed', async () => {
    for (const address of ['https://8.8.8.8/', 'http://10.0.0.1/', 'https://[2a00:1450::1]/']) {
      await expect(post(address)).rejects.toMatchObject({ name: 'ForbiddenAddress' });
    }
  });

  test('follows no redirect', async () => {
    server.answer = (_request, response) => {
      response.writeHead(307, { location: `${server.url}/elsewhere` }).end();
    };
    expect((await post(server.url)).status).toBe(307);
    expect(server.received).toHaveLength(1);
  });

  test('sends no credentials from the URL', async () => {
    await post(server.url.replace('http://', 'http://user:secret@'));
    expect(server.received[0]?.headers.authorization).toBeUndefined();
  });

  test('ends within its time limit', async () => {
    server.answer = () => undefined;
    await expect(post(server.url)).rejects.toThrow();
  });
});
