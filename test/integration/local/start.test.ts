import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openServer } from '../../../infra/local/gateway/server.ts';
import { until } from '../../support/until.ts';
import { parentOf, processesWith, runProgram, type Service, startService } from './service.ts';

const run = promisify(execFile);

let dataDir: string;
const running: Service[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hub-'));
});
afterAll(async () => {
  for (const service of running) service.process.kill('SIGKILL');
  await Promise.all(running.map(({ exited }) => exited));
  await rm(dataDir, { recursive: true });
});

const start = async (...args: readonly string[]): Promise<Service> => {
  const service = await startService(
    { HUB_DATA_DIR: dataDir, HUB_DEMO_HISTORY: 'no' },
    '--no-market',
    ...args,
  );
  running.push(service);
  return service;
};

const addUser = (url: string, n: number): Promise<Response> =>
  fetch(`${url}/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: `User ${n}`, email: `user-${n}@example.com` }),
  });

const json = async (url: string): Promise<unknown> => (await fetch(url)).json();

describe('the service on one machine', () => {
  let service: Service;
  const acknowledged: number[] = [];

  it('prints three lines for the shell that work', async () => {
    service = await start();
    const lines = service.output().match(/^ {2}curl .*$/gm) ?? [];
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const { stdout } = await run('/bin/sh', ['-c', `${line} -s -w '\n%{http_code}'`]);
      expect([line, stdout.split('\n').at(-1)]).toEqual([line, '200']);
    }
  });

  it('shows its sent mail', async () => {
    let shown: unknown;
    await until(async () => {
      shown = await json(`${service.url}/__local/messages.json`);
      return JSON.stringify(shown).includes('"mail"');
    });
    expect(shown).toMatchObject({ items: [{ kind: 'mail', text: expect.stringMatching(/\b[1-9]\d{5}\b/) }] });
  });

  it('runs on its data once', async () => {
    const { code, output } = await runProgram('start', { HUB_DATA_DIR: dataDir });
    expect([code, output]).toEqual([1, expect.stringContaining(`in use by the service at ${service.url}`)]);
  });

  it('runs a job on request', async () => {
    const done = await runProgram('job', { HUB_DATA_DIR: dataDir }, 'sweep-deliveries');
    expect(done).toEqual({ code: 0, output: expect.stringContaining('sweep-deliveries is done') });
    const unknown = await runProgram('job', { HUB_DATA_DIR: dataDir }, 'nonsense');
    expect(unknown).toEqual({ code: 1, output: expect.stringContaining('\n  sweep-deliveries\n') });
  });

  it('loses no acknowledged write when it is killed', async () => {
    let n = 0;
    const write = async (): Promise<void> => {
      while (n < 90) {
        const mine = n++;
        const answer = await addUser(service.url, mine).catch(() => undefined);
        if (answer?.status !== 200) return;
        acknowledged.push(mine);
        if (acknowledged.length === 40) service.process.kill('SIGKILL');
      }
    };
    await Promise.all([write(), write(), write(), write()]);
    await service.exited;
    expect(acknowledged.length).toBeGreaterThanOrEqual(40);
    await until(() => processesWith(dataDir).length === 0);
    expect(processesWith(dataDir)).toEqual([]);
  });

  it('recovers by itself, even from a database that was left behind', async () => {
    service = await start();
    const names = JSON.stringify(await json(`${service.url}/users`));
    expect(acknowledged.filter((n) => !names.includes(`"User ${n}"`))).toEqual([]);

    const [database] = processesWith(join(dataDir, 'table.sqlite'));
    const [watcher = 0] = processesWith(`kill -9 "$0" ${database}`);
    process.kill(watcher, 'SIGKILL');
    expect((await addUser(service.url, 1000)).status).toBe(200);
    service.process.kill('SIGKILL');
    await service.exited;
    expect(processesWith(dataDir)).toEqual([database]);

    service = await start();
    expect(processesWith(dataDir)).not.toContain(database);
    expect(JSON.stringify(await json(`${service.url}/users`))).toContain('"User 1000"');
  });

  it('finishes requests in flight on Ctrl-C, and leaves no process', async () => {
    const email = 'demo@strategy-hub.example';
    const body = new URLSearchParams({ username: email, password: 'not the password' });
    const inFlight = request(`${service.url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', expect: '100-continue' },
    });
    inFlight.flushHeaders();
    // The service asks for the body, so it has begun with the request.
    await once(inFlight, 'continue');
    service.process.kill('SIGINT');
    service.process.kill('SIGINT');
    inFlight.end(body.toString());
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      inFlight.once('response', resolve).once('error', reject);
    });
    answer.resume();
    expect(answer.statusCode).toBe(401);
    expect(await service.exited).toBe(0);
    expect(processesWith(dataDir)).toEqual([]);
  });

  it('runs a job without the service', async () => {
    const { code, output } = await runProgram('job', { HUB_DATA_DIR: dataDir }, 'sweep-deliveries');
    expect([code, output]).toEqual([0, expect.stringContaining('sweep-deliveries is done')]);
    expect(processesWith(dataDir)).toEqual([]);
  });

  // `hub.test.ts` has other damaged files.
  it('says in one line that it cannot use a damaged table', async () => {
    const folder = join(dataDir, 'damaged');
    await mkdir(folder);
    const file = join(folder, 'table.sqlite');
    await writeFile(file, 'x'.repeat(2000));
    const { code, output } = await runProgram('start', { HUB_DATA_DIR: folder });
    const refusal = `The data at ${file} cannot be used: the file is not a database. Repair it, delete the data folder to start again without data, or choose another one with HUB_DATA_DIR.`;
    expect([code, output.trim()]).toEqual([1, refusal]);
  });

  it.each(['PORT', 'HUB_BUS_PORT'])('says that %s is taken', async (setting) => {
    const other = await openServer();
    const environment = { HUB_DATA_DIR: dataDir, [setting]: String(other.port) };
    const { code, output } = await runProgram('start', environment);
    await other.close();
    expect([code, output]).toEqual([
      1,
      `Port ${other.port} is taken. Choose another with ${setting}, for instance ${setting}=${other.port + 10}.\n`,
    ]);
    expect(processesWith(dataDir)).toEqual([]);
  });

  it('keeps nothing in memory mode, and ends when its database does', async () => {
    service = await start('--memory');
    expect(await json(`${service.url}/users`)).toEqual([]);
    expect(processesWith(dataDir)).toEqual([]);
    const children = processesWith('dynoxide serve').filter((pid) => parentOf(pid) === service.process.pid);
    expect(children).toHaveLength(1);
    for (const pid of children) process.kill(pid, 'SIGKILL');
    expect(await service.exited).toBe(1);
    expect(service.output()).toContain('the embedded database ended');
  });
});
