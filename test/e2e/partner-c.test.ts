import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as z from 'zod';
import { LOCAL_HEADER, LOCAL_PREFIX } from '../../infra/local/gateway/local-pages.ts';
import { type Hub, startHub } from '../../infra/local/hub.ts';
import { loadSecret } from '../../infra/local/services/secrets.ts';
import { runProgram } from '../integration/local/service.ts';
import { startPartnerC, type TestPartner } from '../support/partner-c.ts';

const PUBLIC_URL = 'https://hub.example';

let dataDir: string;
let partner: TestPartner;
let hub: Hub;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-partnerc-'));
  const secret = loadSecret(dataDir);
  for (const { value } of secret.versions) value.partnerc_client_secret = 'partnerc-secret';
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(secret));
  partner = await startPartnerC();
  hub = await startHub({
    dataDir,
    environment: { ...partner.environment, HUB_PUBLIC_URL: PUBLIC_URL, HUB_DEMO_HISTORY: 'no' },
    schedules: false,
    print: () => undefined,
  });
});
afterAll(async () => {
  await hub.close();
  await partner.close();
  rmSync(dataDir, { recursive: true });
});

const ask = async (method: string, path: string, query: Record<string, string>, token?: string) => {
  const url = new URL(path, hub.url);
  url.search = new URLSearchParams(query).toString();
  const response = await fetch(url, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  return { status: response.status, body: z.record(z.string(), z.unknown()).parse(await response.json()) };
};

const text = z.string().parse;

test('a trader connects partner C on the running service, and disconnects', async () => {
  const demo = hub.demo;
  if (!demo) throw new Error('there is no demo user');
  const form = new URLSearchParams({ username: demo.email, password: demo.password });
  const signedIn = await fetch(`${hub.url}/login`, { method: 'POST', body: form });
  const { user_id, access_token } = z
    .object({ user_id: z.string(), access_token: z.string() })
    .parse(await signedIn.json());

  const begun = await ask('GET', '/partnerc_access', {}, access_token);
  const back = await partner.consent(text(begun.body.authorization_url));
  const connected = await ask('GET', '/partnerc_auth_callback', back, access_token);
  expect([connected.status, connected.body.connected, connected.body.renewable]).toEqual([200, true, true]);

  const run = await fetch(`${hub.url}${LOCAL_PREFIX}jobs/refresh-partner-tokens`, {
    method: 'POST',
    headers: { [LOCAL_HEADER]: 'job' },
  });
  expect(run.status).toBe(200);

  const ended = await ask('POST', '/partnerc_disconnect', { user_id });
  expect([ended.status, ended.body]).toEqual([200, { disconnected: true }]);
  expect(partner.asked).toContain('/token/revocation');
});

test('keys are rotated by a command while the service runs, once in 30 days', async () => {
  const kidsOf = async () => (await ask('GET', '/.well-known/jwks.json', {})).body.keys;
  expect(await kidsOf()).toHaveLength(1);
  const first = await runProgram('rotate-keys', { HUB_DATA_DIR: dataDir });
  expect([first.code, first.output]).toEqual([0, expect.stringContaining('new master key')]);
  const stored = readFileSync(join(dataDir, 'secrets.json'), 'utf8');
  const second = await runProgram('rotate-keys', { HUB_DATA_DIR: dataDir });
  expect([second.code, second.output]).toEqual([1, expect.stringContaining('--force')]);
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe(stored);
});
