import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import * as z from 'zod';
import { checkService } from '../../functions/jobs/canary/check-service.ts';
import { HubClient, integratorToken } from '../../infra/client/package/src/index.ts';
import { consolePage, health, signIn, unknownPath } from '../../infra/smoke/checks.ts';
import { runChecks } from '../../infra/smoke/run-checks.ts';
import { type Service, startService } from '../integration/local/service.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { until } from '../support/until.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

let dataDir: string;
let service: Service;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-integrator-'));
  service = await startService({ HUB_DATA_DIR: dataDir, HUB_DEMO_HISTORY: 'no' }, '--no-market');
});
afterAll(async () => {
  service.process.kill('SIGTERM');
  await service.exited;
  rmSync(dataDir, { recursive: true });
});

const operate = async (...args: string[]): Promise<string> => {
  const env = { ...CHILD_ENVIRONMENT, HUB_DATA_DIR: dataDir };
  const { stdout } = await run(process.execPath, ['infra/commands/suspend-broker.ts', ...args], {
    cwd: ROOT,
    env,
  });
  return stdout.trim();
};

const inbox = z.object({ items: z.array(z.object({ to: z.string(), text: z.string() })) });

/** Waits for the mail to an address, and returns its code of eight digits. */
const mailedCode = async (address: string): Promise<string> => {
  let code: string | undefined;
  await until(async () => {
    const answer = await fetch(`${service.url}/__local/messages.json`);
    const mail = inbox.parse(await answer.json()).items.find(({ to }) => to === address);
    code = /\b\d{8}\b/.exec(mail?.text ?? '')?.[0];
    return code !== undefined;
  });
  return code ?? '';
};

test('a broker registers, its user confirms it, and it reads the user’s pages until it is suspended', async () => {
  const baseUrl = service.url;
  const anyone = new HubClient({ baseUrl });
  const broker = await anyone.createPartneraSubdomainSecret({
    broker_name: 'Harbour Brokers',
    email: 'desk@harbour.example',
  });
  const user_email = 'trader@harbour.example';
  const { user_id } = await anyone.registerUserBroker({
    body: { email: user_email, password: 'a-good-password', broker_domain: broker.subdomain },
  });
  const session = await anyone.login({ body: { username: user_email, password: 'a-good-password' } });
  const own = new HubClient({ baseUrl, token: session.access_token });
  await own.confirmEmail({ user_id, body: { code: await mailedCode(user_email) } });
  await own.confirmBroker({ user_id, broker_domain: broker.subdomain });
  const { keygen } = await anyone.buildNewStrategy({
    user_id,
    symbol: 'AAPL',
    timeframe: '1d',
    strategy_name: 'Harbour Breakout',
  });
  await anyone.deployNotificationStrategy({ keygen, body: { channels: 'push' } });
  await anyone.deployScanner({ keygen, universe_id: 'forex-majors' });

  const credentials = { client_id: broker.guid ?? '', client_secret: broker.secret };
  const grant = { grant_type: 'client_credentials' as const, ...credentials };
  const granted = await anyone.oauthToken({ body: grant });
  expect(granted).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'broker:read' });

  const token = integratorToken({ baseUrl, guid: credentials.client_id, secret: broker.secret });
  const hub = new HubClient({ baseUrl, token });
  const strategies = await hub.getUserStrategies({ user_email });
  expect(strategies).toMatchObject({ total: 1, items: [{ strategy_name: 'Harbour Breakout' }] });
  const deployments = await hub.getAllUserDeployments({ user_email, page: 2, size: 1 });
  expect(deployments).toMatchObject({ total: 2, pages: 2, items: [{ type: 'notification' }] });
  const types: string[] = [];
  for await (const { type } of hub.getAllUserDeployments({ user_email, size: 1 })) types.push(type);
  expect(types).toEqual(['scanner', 'notification']);
  const scanners = await hub.getAllUserScanners({ user_email });
  expect(scanners.items[0]?.universe_id).toBe('forex-majors');

  await expect(anyone.getUserStrategies({ user_email })).rejects.toMatchObject({
    status: 401,
    detail: 'Unauthorized',
  });
  await expect(anyone.getUserStrategies({ user_email }, { token: 'forged' })).rejects.toMatchObject({
    status: 403,
    detail: 'Forbidden',
  });
  const stranger = { user_email: 'demo@strategy-hub.example' };
  await expect(hub.getUserStrategies(stranger)).rejects.toMatchObject({
    status: 404,
    code: 'user_unknown',
  });
  const wrong = anyone.oauthToken({ body: { ...grant, client_secret: 'wrong' } });
  await expect(wrong).rejects.toMatchObject({ status: 401, code: 'invalid_client' });

  expect(await operate(broker.subdomain)).toBe('Harbour Brokers is suspended.');
  const suspended = { status: 403, code: 'broker_suspended' };
  await expect(hub.getUserStrategies({ user_email })).rejects.toMatchObject(suspended);
  await expect(anyone.oauthToken({ body: grant })).rejects.toMatchObject({
    status: 400,
    code: 'unauthorized_client',
  });
  expect(await operate(broker.subdomain, '--resume')).toBe('Harbour Brokers can act again.');
  expect(await hub.getUserStrategies({ user_email })).toMatchObject({ total: 1 });
  await expect(operate('nobody')).rejects.toThrow(/There is no broker nobody/);
});

test('the smoke test says what it did not check', async () => {
  const print = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    expect(await runChecks({ url: service.url })).toBe(0);
    expect(print.mock.calls.flat().slice(-2)).toEqual([
      'The service works, as far as it was checked.',
      'Not checked: preflight, sign-in, mail, backtest.',
    ]);
  } finally {
    print.mockRestore();
  }
});

test('the smoke test of a deployment passes all checks, and fails for another service', async () => {
  const smoke = (...args: string[]) =>
    run(process.execPath, ['infra/commands/smoke.ts', ...args], {
      cwd: ROOT,
      env: {
        ...CHILD_ENVIRONMENT,
        HUB_PROBE_EMAIL: 'probe@hub.example',
        HUB_PROBE_PASSWORD: 'a-good-password',
      },
    });
  const sink = `${service.url}/__local/messages.json`;
  const more = ['--origin', 'http://localhost:5173', '--sink', sink, '--symbol', 'AAPL'];
  const { stdout } = await smoke('--url', service.url, ...more);
  const outcomes = [...stdout.matchAll(/^(\S+(?: \S+)?) +(ok|skipped|FAILED) /gm)];
  expect(outcomes.map(([, name, outcome]) => [name, outcome])).toEqual(
    ['health', 'unknown path', 'preflight', 'console', 'sign-in', 'mail', 'backtest'].map((name) => [
      name,
      'ok',
    ]),
  );
  await expect(smoke('--url', `${service.url}/openapi.json`, '--symbol', 'AAPL')).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^health +FAILED .*[1-9] of 7 checks failed\.$/ms),
  });
});

test('the canary checks the service by itself, and tells if the service answers wrongly', async () => {
  const work = async (job: string) => {
    const address = `${service.url}/__local/jobs/${job}`;
    const response = await fetch(address, { method: 'POST', headers: { 'x-hub-local': 'job' } });
    return await response.json();
  };
  expect(await work('check-service')).toMatchObject({ result: { done: 5 } });
  expect(await work('check-backtest')).toMatchObject({ result: { done: 1 } });

  const lines: unknown[] = [];
  const counted: unknown[] = [];
  const note = (message: string, extra: object): void => void lines.push({ message, ...extra });
  const recording = {
    log: { info: note, warn: note, error: note },
    metrics: {
      count: (name: string, { operation }: { operation: string }) => void counted.push([name, operation]),
    },
  };
  const probe = { email: 'probe@hub.example', password: 'a-good-password' };
  const probing = { operation: 'check-service', checks: [health, unknownPath, consolePage, signIn] };
  expect(await checkService(recording, { ...probing, settings: { url: service.url, probe } })).toBe(4);
  expect(counted).toEqual([['ChecksPassed', 'check-service']]);
  expect(lines).toEqual([]);

  // Answers everything with 200.
  const wrong = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(wrong, 'listening');
  const bound = wrong.address();
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port');
  const url = `http://127.0.0.1:${bound.port}`;
  expect(await checkService(recording, { ...probing, settings: { url, probe } })).toBe(0);
  expect(await checkService(recording, { ...probing, settings: { url: service.url } })).toBe(3);
  wrong.close();
  expect(counted).toHaveLength(1);
  expect(lines).toEqual([
    ...['health', 'unknown path', 'console', 'sign-in', 'sign-in'].map((check) =>
      expect.objectContaining({ message: 'the service failed a check', check }),
    ),
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/a-good-password|probe@hub/);
});

test('a setting that no function could work with stops the start, and is named', async () => {
  const starting = startService({ HUB_TRUSTED_ISSUERS: '[{"issuer":"https://idp.example"}]' }, '--memory');
  await expect(starting).rejects.toThrow(/HUB_TRUSTED_ISSUERS\.0\.jwks_uri/);
});
