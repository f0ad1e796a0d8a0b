/**
 * Puts the local service under load: sessions of real users, at rising concurrency. Run by
 * `npm run bench:load [-- --seconds 8]`. The load comes from the same machine, so throughput is a lower bound.
 */

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import * as z from 'zod';
import { readOptions } from '../../infra/commands/read-options.ts';
import { parentOf, processesWith, startService } from '../integration/local/service.ts';
import { progress } from './progress.ts';
import { failWith, writeResult } from './result.ts';
import { median, rounded } from './statistics.ts';

const CONCURRENCY = [1, 4, 16, 64] as const;
const LIKES = 4;
const WARM_UP_S = 3;
/** Linux counts the CPU time of processes in hundredths of a second. */
const CLOCK_TICKS = 100;
/** Maximum growth of memory. A leaking service grows with every request. */
const MAX_GROWTH_MB = 300;

const signedIn = z.object({ user_id: z.string(), user_key: z.string(), access_token: z.string() });
const built = z.object({ strategy_id: z.number() });

/** A user with the sequence of requests of their app. */
type Session = autocannon.Request[];

const ask = async (url: string, init: RequestInit = {}): Promise<unknown> => {
  const response = await fetch(url, { method: 'POST', ...init });
  if (!response.ok) throw new Error(`${new URL(url).pathname} answers ${response.status}`);
  return response.json();
};

/** Returns the requests of a user's app: mostly reads, one write in eight. */
const requestsOf = (user: z.output<typeof signedIn>, strategyId: number): Session => {
  const headers = { authorization: `Bearer ${user.access_token}` };
  const mine = `user_id=${user.user_id}`;
  const get = (path: string): autocannon.Request => ({ method: 'GET', path, headers });
  const post = (path: string): autocannon.Request => ({ method: 'POST', path, headers });
  const liked = `${mine}&strategy_id=${strategyId}`;
  return [
    post('/verify_session'),
    get(`/get_explore_strategies?${mine}&page=1&size=20`),
    get('/get_strategy_categories'),
    post('/search_explore_strategies?term=drift'),
    get(`/get_strategies_by_user?${mine}`),
    post(`/like_strategy?${liked}`),
    get(`/get_explore_strategies?${mine}&page=2&size=5`),
    get(`/get_deployment_notifications?${mine}`),
    get(`/get_all_notification_deployments?${mine}`),
    get(`/get_instrument_suggestions_v2?${mine}&instrument=app`),
    get(`/get_published_strategies?user_key=${user.user_key}&${mine}`),
    get(`/get_strategy_add_ons?${liked}`),
    get(`/get_explore_strategy_favourites?${mine}`),
    post(`/unlike_strategy?${liked}`),
    get(`/get_b2c_brokers?${mine}`),
    get(`/check_for_token?${mine}`),
  ];
};

/** Registers a user with a published strategy. */
const begin = async (hub: string, index: number) => {
  const email = `load${index}@example.com`;
  const password = 'a-password-of-the-load';
  await ask(`${hub}/register_user?auth=demo-client-key`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, name: `Load ${index}` }),
  });
  const form = new URLSearchParams({ username: email, password });
  const user = signedIn.parse(await ask(`${hub}/login`, { body: form }));
  const headers = { authorization: `Bearer ${user.access_token}` };
  const making = `user_id=${user.user_id}&symbol=AAPL&timeframe=1d&strategy_name=Load`;
  const { strategy_id } = built.parse(await ask(`${hub}/build_new_strategy?${making}`, { headers }));
  await ask(`${hub}/publish_explore_strategy?user_id=${user.user_id}&strategy_id=${strategy_id}`, {
    headers,
  });
  return { user, strategyId: strategy_id, headers };
};

/** Opens sessions of users whose strategies have several likes, so one more does not change a ranking. */
const beginAll = async (hub: string, users: number): Promise<Session[]> => {
  const begun: Awaited<ReturnType<typeof begin>>[] = [];
  for (let index = 0; index < users; index++) begun.push(await begin(hub, index));
  for (const [index, { strategyId }] of begun.entries()) {
    for (let step = 1; step <= LIKES; step++) {
      const fan = begun[(index + step) % users];
      if (!fan) continue;
      const query = `user_id=${fan.user.user_id}&strategy_id=${strategyId}`;
      await ask(`${hub}/like_strategy?${query}`, { headers: fan.headers });
    }
  }
  return begun.map(({ user, strategyId }) => requestsOf(user, strategyId));
};

/** Returns the seconds of CPU that a process has used. */
const cpuOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
};

const memoryMb = (pid: number): number =>
  Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

interface Level {
  readonly connections: number;
  readonly seconds: number;
}

const run = async (url: string, sessions: readonly Session[], { connections, seconds }: Level) => {
  const times: number[] = [];
  let next = 0;
  const setupClient = (client: autocannon.Client): void => {
    const index = next++ % sessions.length;
    const own = sessions[index] ?? [];
    // Each starts at another request, so that all kinds run at any moment.
    const from = (index * 5) % own.length;
    client.setRequests([...own.slice(from), ...own.slice(0, from)]);
  };
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon({ url, connections, duration: seconds, setupClient }, (error, ended) =>
      error ? reject(error) : resolve(ended),
    );
    instance.on('response', (_client, _status, _bytes, ms) => times.push(ms));
  });
  return { times: times.toSorted((a, b) => a - b), result };
};

const HELP = `npm run bench:load [-- --seconds 8]

Puts the local service under load, at rising concurrency.`;

const { values } = readOptions(HELP, { options: { seconds: { type: 'string', default: '8' } } });
const seconds = Number(values.seconds);
if (!(seconds >= 1 && seconds <= 60)) throw new Error('--seconds takes a number from 1 to 60');

const service = await startService({}, '--memory', '--no-market');
try {
  const pid = service.process.pid ?? 0;
  const engine = processesWith('dynoxide').find((one) => parentOf(one) === pid);
  if (engine === undefined) throw new Error('the service has no embedded engine');
  const sessions = await beginAll(service.url, Math.max(...CONCURRENCY));
  await run(service.url, sessions, { connections: 4, seconds: WARM_UP_S });
  const before = memoryMb(pid);
  const rows = [];
  for (const connections of CONCURRENCY) {
    progress(`${connections} connections`);
    const [own, engines] = [cpuOf(pid), cpuOf(engine)];
    const { times, result } = await run(service.url, sessions, { connections, seconds });
    const [service_s, engine_s] = [cpuOf(pid) - own, cpuOf(engine) - engines];
    rows.push({
      connections,
      requests: times.length,
      perSecond: times.length / result.duration,
      p50: median(times),
      p95: percentile(times, 0.95),
      p99: percentile(times, 0.99),
      errors: result.errors + result.timeouts + result.non2xx,
      serviceCpuMs: (service_s * 1000) / times.length,
      engineCpuMs: (engine_s * 1000) / times.length,
      engineShare: engine_s / (service_s + engine_s),
    });
  }
  await sleep(2000);
  const memory = { beforeMb: before, afterMb: memoryMb(pid), engineMb: memoryMb(engine) };
  console.log(
    `${sessions[0]?.length} kinds of requests of ${sessions.length} users, times in ms, CPU of a request in ms`,
  );
  console.table(
    rows.map((row) => ({
      connections: row.connections,
      requests: row.requests,
      'per second': rounded(row.perSecond, 0),
      p50: rounded(row.p50, 1),
      p95: rounded(row.p95, 1),
      p99: rounded(row.p99, 1),
      errors: row.errors,
      'CPU service': rounded(row.serviceCpuMs, 2),
      'CPU engine': rounded(row.engineCpuMs, 2),
      'engine share': `${Math.round(row.engineShare * 100)} %`,
    })),
  );
  console.log(
    `memory of the service ${Math.round(memory.beforeMb)} MB before, ${Math.round(memory.afterMb)} MB after; ` +
      `of the engine ${Math.round(memory.engineMb)} MB`,
  );
  await writeResult('load', { seconds, rows, memory });
  failWith([
    ...(rows.some(({ errors }) => errors > 0) ? ['over the limit: some requests failed'] : []),
    ...(memory.afterMb - memory.beforeMb > MAX_GROWTH_MB
      ? [`over the limit: the service grew by more than ${MAX_GROWTH_MB} MB`]
      : []),
  ]);
} finally {
  service.process.kill('SIGTERM');
  await service.exited;
}
