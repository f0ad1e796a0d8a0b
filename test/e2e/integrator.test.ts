import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ok } from '@oazapfts/runtime';
import * as z from 'zod';
import { type Service, startService } from '../integration/local/service.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { CLIENT_FILE, generateClient } from './client/generate.ts';
import * as api from './client/integrator.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TIMEOUT_MS = 60_000;
const run = promisify(execFile);

let dataDir: string;
let service: Service;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-integrator-'));
  service = await startService({ HUB_DATA_DIR: dataDir, HUB_DEMO_HISTORY: 'no' }, '--no-market');
  api.defaults.baseUrl = service.url;
}, TIMEOUT_MS);
afterAll(async () => {
  service.process.kill('SIGTERM');
  await service.exited;
  rmSync(dataDir, { recursive: true });
}, TIMEOUT_MS);

const post = async (
  path: string,
  query: Record<string, string>,
  form?: Record<string, string>,
): Promise<unknown> => {
  const url = new URL(path, service.url);
  url.search = new URLSearchParams(query).toString();
  const response = await fetch(url, { method: 'POST', ...(form && { body: new URLSearchParams(form) }) });
  expect(response.status).toBe(200);
  return response.json();
};

const operate = async (...args: string[]): Promise<string> => {
  const env = { ...CHILD_ENVIRONMENT, HUB_DATA_DIR: dataDir };
  const { stdout } = await run(process.execPath, ['infra/commands/suspend-broker.ts', ...args], {
    cwd: ROOT,
    env,
  });
  return stdout.trim();
};

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

test(
  'the typed client is the one that the service’s document makes',
  async () => {
    // If it differs, run `npm run client`.
    expect(readFileSync(CLIENT_FILE, 'utf8')).toBe(await generateClient());
  },
  TIMEOUT_MS,
);

test(
  'a broker registers, its user links, and it reads the user’s pages until it is suspended',
  async () => {
    const broker = await ok(
      api.createPartneraSubdomainSecretCreatePartneraSubdomainSecretPost(
        'Harbour Brokers',
        'desk@harbour.example',
      ),
    );
    const user_email = 'trader@harbour.example';
    const user = await ok(
      api.registerUserBrokerRegisterUserBrokerPost({
        email: user_email,
        password: 'a-good-password',
        broker_domain: broker.subdomain,
      }),
    );
    const built = z.object({ keygen: z.string() }).parse(
      await post('/build_new_strategy', {
        user_id: user.user_id,
        symbol: 'AAPL',
        timeframe: '1d',
        strategy_name: 'Harbour Breakout',
      }),
    );
    await post('/deploy_notification_strategy', { keygen: built.keygen }, { channels: 'push' });
    await post('/deploy_scanner', { keygen: built.keygen, universe_id: 'forex-majors' });

    const credentials = { client_id: broker.guid ?? '', client_secret: broker.secret };
    const grant = { grant_type: 'client_credentials' as const, ...credentials };
    const token = await ok(api.oauthTokenOauthTokenPost(grant));
    expect(token).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'broker:read' });

    const mine = bearer(token.access_token);
    const strategies = await ok(api.getUserStrategiesBrokerGetUserStrategiesGet(user_email, {}, mine));
    expect(strategies).toMatchObject({ total: 1, items: [{ strategy_name: 'Harbour Breakout' }] });
    const page = { page: 2, size: 1 };
    const deployments = await ok(
      api.getAllUserDeploymentsBrokerGetAllUserDeploymentsGet(user_email, page, mine),
    );
    expect(deployments).toMatchObject({ total: 2, pages: 2, items: [{ type: 'notification' }] });
    const scanners = await ok(api.getAllUserScannersBrokerGetAllUserScannersGet(user_email, {}, mine));
    expect(scanners.items[0]?.universe_id).toBe('forex-majors');

    const read = (headers: Record<string, string>, email = user_email) =>
      api.getUserStrategiesBrokerGetUserStrategiesGet(email, {}, { headers });
    expect(await read({})).toMatchObject({ status: 401, data: { message: 'Unauthorized' } });
    expect(await read({ authorization: 'Bearer forged' })).toMatchObject({
      status: 403,
      data: { message: 'Forbidden' },
    });
    expect(await read(mine.headers, 'demo@strategy-hub.example')).toMatchObject({
      status: 404,
      data: { code: 'user_unknown' },
    });
    const wrong = await api.oauthTokenOauthTokenPost({ ...grant, client_secret: 'wrong' });
    expect(wrong).toMatchObject({ status: 401, data: { error: 'invalid_client' } });

    expect(await operate(broker.subdomain)).toBe('Harbour Brokers is suspended.');
    expect(await read(mine.headers)).toMatchObject({ status: 403, data: { code: 'broker_suspended' } });
    expect(await api.oauthTokenOauthTokenPost(grant)).toMatchObject({
      status: 400,
      data: { error: 'unauthorized_client' },
    });
    expect(await operate(broker.subdomain, '--resume')).toBe('Harbour Brokers can act again.');
    expect(await read(mine.headers)).toMatchObject({ status: 200 });
    await expect(operate('nobody')).rejects.toThrow(/There is no broker nobody/);
  },
  TIMEOUT_MS,
);

test(
  'a setting that no function could work with stops the start, and is named',
  async () => {
    const starting = startService({ HUB_TRUSTED_ISSUERS: '[{"issuer":"https://idp.example"}]' }, '--memory');
    await expect(starting).rejects.toThrow(/HUB_TRUSTED_ISSUERS\.0\.jwks_uri/);
  },
  TIMEOUT_MS,
);
