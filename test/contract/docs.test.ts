import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { docsOperationsWith } from '../../functions/docs/operations.ts';
import { REFERENCE_FILES } from '../../functions/docs/reference-files.ts';
import { openApiDocument, writeDocsAssets } from '../../infra/bundle/docs-assets.ts';
import { assetsIn } from '../../shared/api/assets.ts';
import { Gateway, type Received } from './gateway.ts';

/** Part of the reference page's configuration that opens deep links. */
interface ReferenceConfig {
  readonly plugins: readonly [
    {
      readonly statePlugins: {
        readonly layout: {
          readonly wrapActions: {
            readonly parseDeepLinkHash: () => (hash: string) => (system: unknown) => void;
          };
        };
      };
    },
  ];
}

const GZIP = { 'accept-encoding': 'br, gzip;q=0.8' };

describe('the docs group', () => {
  let directory: string;
  let gateway: Gateway;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'docs-assets-'));
    await writeDocsAssets(directory);
    gateway = new Gateway(docsOperationsWith(assetsIn(pathToFileURL(`${directory}/`))));
  });

  afterEach(() => {
    expect(gateway.touched).toEqual([]);
    expect(gateway.alarms).toEqual([]);
  });

  afterAll(() => rm(directory, { recursive: true }));

  const file = (name: string, headers: Record<string, string> = {}): Promise<Received> =>
    gateway.send({ routeKey: 'GET /docs/{file}', path: `/docs/${name}`, params: { file: name }, headers });

  test('serves the OpenAPI document', async () => {
    const { status, headers, body } = await gateway.send({ routeKey: 'GET /openapi.json' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-cache' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
  });

  test('gzips only for clients that accept it', async () => {
    const routeKey = 'GET /openapi.json';
    const plain = await gateway.send({ routeKey });
    const gzipped = await gateway.send({ routeKey, headers: GZIP });
    expect(gzipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(plain.bytes.equals(gunzipSync(gzipped.bytes))).toBe(true);
    for (const refused of ['identity', 'gzip;q=0', 'br', 'x-gzip2', '*;q=0.000']) {
      const { headers } = await gateway.send({ routeKey, headers: { 'accept-encoding': refused } });
      expect(headers['content-encoding']).toBeUndefined();
    }
  });

  test('answers 304 if the client has the present version', async () => {
    const routeKey = 'GET /openapi.json';
    const { etag = '' } = (await gateway.send({ routeKey })).headers;
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    const held = await gateway.send({
      routeKey,
      headers: { ...GZIP, 'if-none-match': `W/"other", ${etag}` },
    });
    expect(held).toMatchObject({ status: 304, body: '', headers: { etag } });
    const other = await gateway.send({ routeKey, headers: { 'if-none-match': 'W/"other"' } });
    expect(other.status).toBe(200);
  });

  test('serves a reference page without foreign or inline scripts', async () => {
    const { status, headers, body } = await gateway.send({ routeKey: 'GET /docs' });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(body).not.toMatch(/https?:\/\//);
    expect(body).not.toMatch(/<script>|<style|\son\w+=|\sstyle=/);
    const loaded = [...body.matchAll(/(?:src|href)="docs\/([^"]+)"/g)].map(([, name = '']) => name);
    expect(loaded.length).toBeGreaterThan(2);
    for (const name of loaded) expect((await file(name)).status).toBe(200);
  });

  test('opens the operation of a deep link without the deprecated reading of underscores', async () => {
    const shown: unknown[] = [];
    const show = (key: unknown): void => {
      shown.push(key);
    };
    const system = {
      layoutSelectors: {
        isShownKeyFromUrlHashArray: ([tag, id]: readonly string[]) =>
          id ? ['operations', tag, id] : tag ? ['operations-tag', tag] : [],
      },
      layoutActions: { show, scrollTo: () => undefined, scrollToVirtualizedOperation: () => undefined },
    };
    const browser = {
      document: { documentElement: { dataset: {}, classList: { toggle: () => false } } },
      localStorage: { getItem: () => null },
      matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
    };
    const open = (hash: string): void => {
      const SwaggerUIBundle = ({ plugins }: ReferenceConfig): void => {
        const [plugin] = plugins;
        plugin.statePlugins.layout.wrapActions.parseDeepLinkHash()(hash)(system);
      };
      runInNewContext(script, { ...browser, window: { SwaggerUIBundle } });
    };
    const script = (await file('reference.js')).body;
    open('#/user-access/login_login_post');
    expect(shown).toEqual([
      ['operations-tag', 'user-access'],
      ['operations', 'user-access', 'login_login_post'],
    ]);
    shown.length = 0;
    open('#/strategies');
    open('');
    expect(shown).toEqual([['operations-tag', 'strategies']]);
  });

  test.each([...REFERENCE_FILES])('serves %s as %s', async (name, type) => {
    const { status, headers, bytes } = await file(name, GZIP);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': type, 'content-encoding': 'gzip' });
    expect(headers['cache-control']).toMatch(/^public, max-age=\d+$/);
    expect((await file(name)).bytes.equals(gunzipSync(bytes))).toBe(true);
  });

  test.each(['openapi.json', 'index.html', '..', '../index.mjs', '%2e%2e%2findex.mjs', '', '__proto__'])(
    'serves no file %p',
    async (name) => {
      const { status, body } = await file(name);
      expect({ status, body: JSON.parse(body) }).toEqual({ status: 404, body: { detail: 'Not Found' } });
    },
  );
});
