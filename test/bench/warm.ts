/**
 * Measures invocations of a warm function: CPU and time of representative operations, compared with other
 * frameworks and a bare function, over a DynamoDB that answers at once. Run by
 * `npm run bench:warm [-- --rounds 15 --only one-call]`.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readOptions } from '../../infra/commands/read-options.ts';
import { CONTEXT } from '../support/hub.ts';
import { bundleContestants, type Contestant, PEERS } from './contestants.ts';
import { failWith, writeResult } from './result.ts';
import { gatewayEvent, startRig, USER_ID } from './rig.ts';
import { inTurns, median, medianRatio, rangeOfRatios, rounded } from './statistics.ts';
import type { Order, Took } from './warm-worker.ts';

const MAX_ROUNDS = 100;

/** Maximum CPU time of an invocation, as a multiple of that of the bare function and of a peer. */
const LIMITS = { bare: 1.1, peer: 1 } as const;

/** Requests to every contestant. */
const REQUESTS = [
  {
    what: 'one-call read',
    routeKey: 'GET /check_for_token',
    request: { query: { user_id: USER_ID } },
    status: 200,
    times: 200,
    bare: true,
  },
  {
    what: 'page of 50',
    routeKey: 'GET /get_deployment_notifications',
    request: { query: { user_id: USER_ID } },
    status: 200,
    times: 40,
    bare: false,
  },
  {
    what: 'write transaction',
    routeKey: 'POST /users',
    request: { json: { name: 'Grace Hopper', email: 'grace@example.com' } },
    status: 200,
    times: 100,
    bare: false,
  },
  {
    what: 'refused input',
    routeKey: 'GET /check_for_token',
    request: {},
    status: 422,
    times: 400,
    bare: false,
  },
] as const;

/** Rounds of invocations to warm up, enough for V8 to compile hot functions. */
const WARM_UPS = 6;

/** Seconds in which all rounds are made. On a busy machine there are fewer of them. */
const MEASURING_S = 210;

interface Running extends Contestant {
  readonly child: ChildProcess;
}

const isBare = ({ name }: Contestant): boolean => name.startsWith('bare');

/** Waits for the next message of a child. Throws if the child ends instead. */
const nextFrom = async (child: ChildProcess, name: string): Promise<unknown> => {
  const ended = new AbortController();
  const answered = once(child, 'message', { signal: ended.signal });
  const failed = once(child, 'exit', { signal: ended.signal }).then(() => {
    throw new Error(`${name} ended`);
  });
  try {
    const [message]: unknown[] = await Promise.race([answered, failed]);
    return message;
  } finally {
    ended.abort();
    await Promise.allSettled([answered, failed]);
  }
};

const invoke = async ({ child, name }: Running, order: Order): Promise<Took> => {
  child.send(order);
  const took = await nextFrom(child, name);
  if (typeof took !== 'object' || !took || !('cpuUs' in took) || !('wallUs' in took)) {
    throw new Error(`${name} sent something else`);
  }
  return { cpuUs: Number(took.cpuUs), wallUs: Number(took.wallUs) };
};

const HELP = `npm run bench:warm [-- --rounds 15] [--only REQUEST]

Measures invocations of a warm function, in comparison with other frameworks.`;

const { values } = readOptions(HELP, {
  options: { rounds: { type: 'string', default: '15' }, only: { type: 'string', default: '' } },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1 || rounds > MAX_ROUNDS) {
  throw new Error(`--rounds takes a number from 1 to ${MAX_ROUNDS}`);
}

const asked = REQUESTS.filter(({ what }) => what.startsWith(values.only));

await using cleanup = new AsyncDisposableStack();
const rig = cleanup.use(await startRig());
const start = (module: string, argument: string, env: Readonly<Record<string, string>>): ChildProcess => {
  const child = fork(join(import.meta.dirname, module), [argument], {
    env: { ...env },
    // Logs are written to a null device.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  cleanup.defer(() => {
    child.kill();
  });
  return child;
};
const replay = start('replay.ts', rig.dynamo.endpoint, {});
const port = await nextFrom(replay, 'the replay');
const environment = rig.environmentOf('partners', `http://127.0.0.1:${port}`);
const contestants = await bundleContestants(['token', 'page', 'write']);
const running: Running[] = [];
for (const one of contestants) {
  const child = start('warm-worker.ts', pathToFileURL(one.file).href, environment);
  await nextFrom(child, one.name);
  running.push({ ...one, child });
}

const rows: {
  what: string;
  name: string;
  cpuUs: number;
  minUs: number;
  wallUs: number;
  of: Record<string, number>;
  ranges: Record<string, string>;
}[] = [];
const started = performance.now();
for (const [at, { what, routeKey, request, status, times, bare }] of asked.entries()) {
  const event = gatewayEvent(routeKey, request);
  const order = { event, context: CONTEXT, times, status };
  const taking = running.filter((one) => bare || !isBare(one));
  console.error(`${what}: ${taking.length} programs`);
  for (const one of taking) await invoke(one, { ...order, times: times * WARM_UPS });
  const untilMs = started + (MEASURING_S * 1000 * (at + 1)) / asked.length;
  const taken = await inTurns(
    taking,
    rounds,
    (one) => invoke(one, order),
    () => performance.now() < untilMs,
  );
  const cpu = new Map([...taken].map(([{ name }, tooks]) => [name, tooks.map(({ cpuUs }) => cpuUs)]));
  for (const [{ name }, tooks] of taken) {
    const mine = cpu.get(name) ?? [];
    const against = [...(bare ? ['bare'] : []), ...PEERS];
    rows.push({
      what,
      name,
      cpuUs: median(mine),
      minUs: Math.min(...mine),
      wallUs: median(tooks.map(({ wallUs }) => wallUs)),
      of: Object.fromEntries(against.map((other) => [other, medianRatio(mine, cpu.get(other) ?? [])])),
      ranges: Object.fromEntries(against.map((other) => [other, rangeOfRatios(mine, cpu.get(other) ?? [])])),
    });
  }
}
console.log(
  `CPU and time of a warm invocation in µs, medians of at most ${rounds} rounds, ratios with their ranges, Node ${process.version}`,
);
for (const { what, routeKey } of asked) {
  console.log(`${what}, ${routeKey}:`);
  console.table(
    rows
      .filter((row) => row.what === what)
      .map(({ name, cpuUs, minUs, wallUs, of, ranges }) => ({
        name,
        CPU: rounded(cpuUs, 0),
        'least CPU': rounded(minUs, 0),
        time: rounded(wallUs, 0),
        ...Object.fromEntries(
          Object.entries(of).map(([other, ratio]) => [
            `of ${other}`,
            `${rounded(ratio, 2)} (${ranges[other]})`,
          ]),
        ),
      })),
  );
}
await writeResult('warm', { rounds, limits: LIMITS, rows });
failWith(
  rows
    .filter(({ name }) => name === 'ours')
    .flatMap(({ what, of }) =>
      Object.entries(of)
        .filter(([other, ratio]) => ratio > (other === 'bare' ? LIMITS.bare : LIMITS.peer))
        .map(([other, ratio]) => `over the limit: ${what}: ${ratio.toFixed(2)} of ${other}`),
    ),
);
