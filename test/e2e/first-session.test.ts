import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { busEvent } from '../../infra/local/services/bus-event.ts';
import { familyOf, processesWith, type Service, startService } from '../integration/local/service.ts';
import { until } from '../support/until.ts';

const EMAIL = 'first@example.com';
const FIRST_PASSWORD = 'first-password';
const SECOND_PASSWORD = 'second-password';

let service: Service;

beforeAll(async () => {
  service = await startService({}, '--memory');
});
afterAll(async () => {
  service.process.kill('SIGKILL');
  await service.exited;
});

const session = z.object({
  user_id: z.string(),
  email: z.string(),
  access_token: z.string(),
  refresh_token: z.string(),
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const get = (path: string): Promise<Response> => fetch(new URL(path, service.url));

const post = (
  path: string,
  query: Readonly<Record<string, string>> = {},
  init: RequestInit = {},
): Promise<Response> => {
  const url = new URL(path, service.url);
  url.search = new URLSearchParams(query).toString();
  return fetch(url, { method: 'POST', ...init });
};

const signIn = (password: string): Promise<Response> =>
  post('/login', {}, { body: new URLSearchParams({ username: EMAIL, password }) });

const signedIn = async (answer: Response) => {
  expect(answer.status).toBe(200);
  return session.parse(await answer.json());
};

const holds = async (token: string): Promise<number> =>
  (await post('/verify_session', {}, { headers: bearer(token) })).status;

const inbox = z.object({ items: z.array(z.object({ to: z.string(), text: z.string() })) });

/** Waits for the mail of a reset, whose code has six digits, and returns the code. */
const mailedCode = async (): Promise<string> => {
  let code: string | undefined;
  await until(async () => {
    const { items } = inbox.parse(await (await get('/__local/messages.json')).json());
    const mails = items.filter(({ to }) => to === EMAIL).map(({ text }) => text);
    code = /\b\d{6}\b/.exec(mails.join('\n'))?.[0];
    return code !== undefined;
  });
  if (!code) throw new Error('no mail arrived');
  return code;
};

it('a person registers, signs in, resets the password with the mailed code and signs in again', async () => {
  const clientKey = /Client key (\S+)/.exec(service.output())?.[1] ?? '';
  const registered = await post(
    '/register_user',
    { auth: clientKey },
    {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: EMAIL, password: FIRST_PASSWORD, name: 'First Person' }),
    },
  );
  expect([registered.status, await registered.json()]).toEqual([
    200,
    expect.objectContaining({ email: EMAIL, name: 'First Person', email_verified: false }),
  ]);

  const first = await signedIn(await signIn(FIRST_PASSWORD));
  expect(await holds(first.access_token)).toBe(200);

  expect((await post('/send_otp_password_reset', { email: EMAIL })).status).toBe(200);
  const otp = await mailedCode();
  const page = await (await get('/__local/messages')).text();
  expect(page).toContain(otp);
  const reset = { email: EMAIL, new_password: SECOND_PASSWORD, otp };
  expect((await post('/reset_password', reset)).status).toBe(200);
  expect((await post('/reset_password', reset)).status).toBeGreaterThanOrEqual(400);

  expect((await signIn(FIRST_PASSWORD)).status).toBe(401);
  const ended = await post('/session/relogin', {}, { headers: bearer(first.refresh_token) });
  expect(ended.status).toBe(401);

  const second = await signedIn(await signIn(SECOND_PASSWORD));
  expect(second.user_id).toBe(first.user_id);
  const renewed = await signedIn(
    await post('/session/relogin', {}, { headers: bearer(second.refresh_token) }),
  );
  expect(renewed.refresh_token).not.toBe(second.refresh_token);
  expect(await holds(renewed.access_token)).toBe(200);
});

const busUrl = (): string => /Bus +(\S+)/.exec(service.output())?.[1] ?? '';

/** Returns the commands of the README's session, and the output that it shows, both of all steps. */
const readmeSession = () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const section = readme.slice(readme.indexOf('## A first session'), readme.indexOf('## Change it'));
  const steps = [...section.matchAll(/```sh\n(.+?)```\n```\n(.+?)```/gs)];
  expect(steps.length).toBe(section.match(/^```sh$/gm)?.length);
  const commands = steps.map(([, text]) => text).join('\n');
  const here = commands
    .replace('http://localhost:3000', service.url)
    .replace('http://localhost:3001', busUrl());
  expect(here).not.toContain('http://localhost:300');
  return { commands: here, shown: steps.map(([, , text]) => text).join('') };
};

const INTERACTIVE = { bash: ['--norc', '--noprofile', '-i'], zsh: ['-f', '-i'] } as const;
type Shell = keyof typeof INTERACTIVE;

/** Gives commands to a shell like a person: it reads on while they run, and knows no comments if it is zsh. */
const paste = async (shell: Shell, commands: string): Promise<string> => {
  const env = { ...process.env, HISTFILE: '/dev/null' };
  // Detached, it cannot take the terminal of the tests.
  const child = spawn(shell, INTERACTIVE[shell], { env, detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.end(commands);
  return text(child.stdout);
};

const isInstalled = (shell: Shell): boolean => spawnSync(shell, ['--version']).status === 0;
const hasZsh = isInstalled('zsh');

it.each<[Shell, string]>([
  ['bash', 'on new data'],
  [hasZsh ? 'zsh' : 'bash', 'again on the same data'],
])('the commands of the README print, pasted into %s %s, what it shows', async (shell) => {
  const { commands, shown } = readmeSession();
  let rest = await paste(shell, commands);
  // Identifiers differ between runs.
  for (const part of shown.replaceAll(/\d{15,}/g, '…').split('…')) {
    expect(rest).toContain(part);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
  expect(rest).toBe('');
});

it('the commands of the README end and say what is missing if the service is gone', async () => {
  const { commands } = readmeSession();
  const gone = commands.replaceAll(/http:\/\/\S+:\d+/g, 'http://127.0.0.1:9').replace('seq 60', 'seq 1');
  const said = await paste(hasZsh ? 'zsh' : 'bash', gone);
  expect(said.split('\n')).toEqual(
    expect.arrayContaining(['No signal_buy within a minute.', 'No "status":"filled" within a minute.']),
  );
});

it('an engine’s author sees a deployment requested, halted and asked to stop', async () => {
  const email = 'engine@example.com';
  await post(
    '/register_user',
    { auth: 'demo-client-key' },
    {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: FIRST_PASSWORD, name: 'Engine' }),
    },
  );
  const form = new URLSearchParams({ username: email, password: FIRST_PASSWORD });
  const { access_token } = await signedIn(await post('/login', {}, { body: form }));
  const json = { 'content-type': 'application/json', ...bearer(access_token) };
  const ask = async (path: string, query: Record<string, string>, init: RequestInit = {}) => {
    const own = { headers: bearer(access_token), ...init };
    const answer = await post(path, { user_id: 'me', ...query }, own);
    expect([path, answer.status]).toEqual([path, 200]);
    return z.record(z.string(), z.unknown()).parse(await answer.json());
  };

  const stream = await fetch(`${busUrl()}/events`);
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const parts = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let received = '';
  const receive = async (type: string): Promise<void> => {
    while (!received.includes(`"detail-type":"${type}"`)) received += (await parts?.read())?.value ?? '';
  };
  const made = { symbol: 'AAPL', timeframe: '1d', strategy_name: 'Outside' };
  const { strategy_id } = await ask('/build_new_strategy', made);
  const account = new URLSearchParams({ mode: 'virtual', starting_capital: '10000' });
  const keygen = `strategy:${strategy_id}`;
  const { deployment_id } = await ask('/deploy_live_strategy', { keygen }, { body: account });
  await receive('Deployment Requested');
  await ask(
    '/kill_switch',
    {},
    { headers: json, body: JSON.stringify({ action: 'throw', reason: 'A drill.' }) },
  );
  await receive('Deployment Halted');
  await ask('/stop_deployment', { deployment_id: String(deployment_id) });
  await receive('Deployment Stop Requested');
  await parts?.cancel();
  const lines = [...received.matchAll(/^data: (.*)$/gm)].map(([, line = '']) => JSON.parse(line));
  expect(lines.map((line) => busEvent.parse(line))).toEqual(
    ['Deployment Requested', 'Deployment Halted', 'Deployment Stop Requested'].map((type) =>
      expect.objectContaining({
        'detail-type': type,
        source: 'strategy-hub',
        detail: expect.objectContaining({ deployment_id }),
      }),
    ),
  );
});

const explored = z.object({
  items: z.array(
    z.object({
      strategy_name: z.string(),
      strategy_key: z.string(),
      symbols: z.array(z.string()),
      sentence: z.string().nullable(),
      performance: z.object({ trades_count: z.number(), total_return_pct: z.number().nullable() }),
    }),
  ),
});

describe('explore at the first start', () => {
  it('has strategies with rules only: each can be tested, with trades, and run on paper', async () => {
    const { user_id, access_token } = await signedIn(
      await post(
        '/login',
        {},
        {
          body: new URLSearchParams({
            username: 'demo@strategy-hub.example',
            password: 'demo-password-1',
          }),
        },
      ),
    );
    const headers = bearer(access_token);
    const call = async (path: string, query: Record<string, string>, init: RequestInit = {}) => {
      const type = typeof init.body === 'string' && { 'content-type': 'application/json' };
      const answer = await post(path, { user_id, ...query }, { ...init, headers: { ...headers, ...type } });
      const text = await answer.text();
      expect([path, answer.status, text]).toEqual([path, 200, expect.anything()]);
      return text;
    };
    const { items } = explored.parse(
      await (await fetch(`${service.url}/get_explore_strategies?user_id=${user_id}`, { headers })).json(),
    );
    expect(items.length).toBeGreaterThanOrEqual(8);
    for (const { strategy_name, strategy_key, sentence } of items) {
      expect([strategy_name, sentence]).toEqual([strategy_name, expect.any(String)]);
      const { strategy_id, keygen } = z
        .object({ strategy_id: z.number(), keygen: z.string() })
        .parse(JSON.parse(await call('/copy_strategy', { strategy_key })));
      const { status, statistics } = z
        .object({ status: z.string(), statistics: z.object({ trades_count: z.number() }) })
        .parse(JSON.parse(await call('/run_backtest', {}, { body: JSON.stringify({ strategy_id }) })));
      expect([strategy_name, status]).toEqual([strategy_name, 'done']);
      expect([strategy_name, statistics.trades_count > 0]).toEqual([strategy_name, true]);
      const body = new URLSearchParams({ mode: 'virtual', starting_capital: '10000' });
      await call('/deploy_live_strategy', { keygen }, { body });
    }
  });

  it('shows figures of the hub for all on recorded candles, gains and losses, and none for invented prices', async () => {
    const { user_id, access_token } = await signedIn(await signIn(SECOND_PASSWORD));
    const { items } = explored.parse(
      await (
        await fetch(`${service.url}/get_explore_strategies?user_id=${user_id}`, {
          headers: bearer(access_token),
        })
      ).json(),
    );
    const isInvented = ({ symbols: [symbol] }: (typeof items)[number]) => symbol?.endsWith('.DEMO') === true;
    const recorded = items.filter((item) => !isInvented(item)).map(({ performance }) => performance);
    expect(recorded.every(({ trades_count }) => trades_count > 3)).toBe(true);
    const returns = recorded.map(({ total_return_pct }) => total_return_pct ?? 0);
    expect(returns.filter((value) => value > 0).length).toBeGreaterThan(returns.length / 2);
    expect(returns.some((value) => value < 0)).toBe(true);
    const invented = items.filter(isInvented);
    expect(invented.length).toBeGreaterThan(0);
    expect(invented.map(({ performance }) => performance.trades_count)).toEqual(invented.map(() => 0));
  });
});

it('serves its reference, its OpenAPI document and the list of users', async () => {
  const users = await get('/users');
  expect([users.status, await users.json()]).toEqual([200, []]);

  const docs = await get('/docs');
  expect([docs.status, docs.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/html'),
  ]);
  const html = await docs.text();
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const address = new URL(file, `${service.url}/docs`);
    expect(address.origin).toBe(new URL(service.url).origin);
    expect([file, (await fetch(address)).status]).toEqual([file, 200]);
  }

  const document = await get('/openapi.json');
  expect([document.status, await document.json()]).toEqual([
    200,
    expect.objectContaining({
      openapi: '3.0.2',
      paths: expect.objectContaining({ '/login': expect.anything(), '/users': expect.anything() }),
    }),
  ]);
});

it('ends with everything that it started', async () => {
  const started = familyOf(service);
  expect(started.length).toBeGreaterThan(1);
  const left = (): number[] => {
    const running = new Set(processesWith(''));
    return started.filter((pid) => running.has(pid));
  };
  const bus = busUrl();
  service.process.kill('SIGTERM');
  expect(await service.exited).toBe(0);
  await until(() => left().length === 0);
  expect(left()).toEqual([]);
  for (const address of [service.url, bus]) await expect(fetch(address)).rejects.toThrow('fetch failed');
});
