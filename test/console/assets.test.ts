import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { stop } from 'esbuild';
import { consoleOperationsWith } from '../../functions/console/operations.ts';
import { buildConsole, type ConsoleFiles, writeConsoleAssets } from '../../infra/bundle/console-assets.ts';
import { assetsIn } from '../../shared/api/assets.ts';
import { Gateway, type Received } from '../contract/gateway.ts';

const GZIP = { 'accept-encoding': 'br, gzip;q=0.8' };
const MAX_FIRST_LOAD_BYTES = 60_000;

let directory: string;
let gateway: Gateway;
let built: ConsoleFiles;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'console-assets-'));
  built = await buildConsole();
  await writeConsoleAssets(directory);
  await stop();
  gateway = new Gateway(consoleOperationsWith(assetsIn(pathToFileURL(`${directory}/`))));
});

afterEach(() => {
  expect(gateway.touched).toEqual([]);
  expect(gateway.alarms).toEqual([]);
});

afterAll(() => rm(directory, { recursive: true }));

const page = (headers: Record<string, string> = {}): Promise<Received> =>
  gateway.send({ routeKey: 'GET /console', headers });

const file = (name: string, headers: Record<string, string> = {}): Promise<Received> =>
  gateway.send({
    routeKey: 'GET /console/{file}',
    path: `/console/${name}`,
    params: { file: name },
    headers,
  });

test('the root goes to the console', async () => {
  const { status, headers } = await gateway.send({ routeKey: 'GET /' });
  expect([status, headers.location]).toEqual([302, '/console']);
});

describe('the page', () => {
  test('loads only files of the console and allows nothing else', async () => {
    const { status, headers, body } = await page();
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|data:|\*/);
    expect(body).not.toMatch(/<script>|<style|\son\w+=|\sstyle=|https?:\/\/|[{}]|<!--/);
    const loaded = [...body.matchAll(/(?:src|href)="console\/([^"]+)"/g)].map(([, name = '']) => name);
    expect(loaded.length).toBeGreaterThan(3);
    for (const name of loaded) expect((await file(name)).status).toBe(200);
  });

  test('is not sent again to a browser that has it', async () => {
    const { etag = '' } = (await page()).headers;
    expect(await page({ 'if-none-match': etag })).toMatchObject({ status: 304, body: '' });
  });
});

describe('a file', () => {
  test('is kept for a year under a name with a hash, and gzipped for browsers that accept it', async () => {
    for (const [name, content] of built.files) {
      expect(name).toMatch(/^[\w-]+-\w{8}\.(js|css|svg)$/);
      const { status, headers, bytes } = await file(name, GZIP);
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
      expect(gunzipSync(bytes).equals(content)).toBe(true);
      expect((await file(name)).bytes.equals(content)).toBe(true);
    }
  });

  test.each([
    'index.html',
    'files.json',
    'main.js',
    'main-AAAAAAAA.js',
    '..',
    '../index.mjs',
    '%2e%2e%2findex.mjs',
    '',
    '.js',
    '__proto__',
    'constructor.js',
    `${'a'.repeat(300)}.js`,
    'a\u0000.js',
  ])('is not sent under the name %p', async (name) => {
    const { status, headers, body } = await file(name);
    expect({ status, body: JSON.parse(body) }).toEqual({ status: 404, body: { detail: 'Not Found' } });
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('the service worker', () => {
  test('has a fixed name, is asked for again each time, and may load nothing', async () => {
    const { status, headers, body } = await file('worker.js');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'no-cache',
    ]);
    expect(headers['content-security-policy']).toBe("default-src 'none'");
    expect(body).toBe(built.worker);
    expect(body).toContain('showNotification');
    expect((await page()).headers['content-security-policy']).toContain("worker-src 'self'");
  });
});

test('the page of components is in no deployment', () => {
  const texts = [...built.files.values()].map((content) => Buffer.from(content).toString());
  expect(texts.filter((text) => text.includes('all their states'))).toEqual([]);
});

describe('the first load', () => {
  const sizeOf = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + gzipSync(built.files.get(name) ?? '', { level: 9 }).length, 0);

  test('is small for every screen', () => {
    expect(built.screens.size).toBeGreaterThan(0);
    const always = gzipSync(built.page, { level: 9 }).length + sizeOf(built.first);
    const large = [...built.screens]
      .map(([name, files]) => [name, always + sizeOf(files)] as const)
      .filter(([, bytes]) => bytes > MAX_FIRST_LOAD_BYTES);
    expect(large).toEqual([]);
  });
});
