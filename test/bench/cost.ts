/**
 * Measures the use of DynamoDB by each operation, event and job: calls, request units, and dollars per million,
 * as counted by the embedded engine. Run by `npm run bench:cost`.
 */

import { FUNCTIONS } from '../../functions/manifest.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { readOptions } from '../../infra/commands/read-options.ts';
import type { Request } from '../support/hub.ts';
import { bearer } from '../support/people.ts';
import { BACKGROUND } from './background.ts';
import { type Used, usedBy } from './meter.ts';
import { progress } from './progress.ts';
import { failWith, writeResult } from './result.ts';
import { SCENARIOS } from './scenarios.ts';
import { median, rounded } from './statistics.ts';
import { startWorld, type World } from './world.ts';

/** On-demand request units of DynamoDB, standard table class, US East (N. Virginia), dollars per million. */
const PRICES = { read: 0.125, write: 0.625 } as const;
const MAX_CALLS = 3;
/** Limits of operations that need more calls. */
const MORE_CALLS: Readonly<Record<string, number>> = {
  // Reads three times and writes three times.
  'POST /run_backtest': 6,
  // Reads the session, the history of closes, the deployment with its accounts, all orders, and bars: with several
  // spans of bars more calls. Its size is bounded, and no other work waits for it.
  'GET /get_parity': 5,
  // A container's first read of an e-mail. The user is checked before the list is read, so that the time of the answer
  // is the same for an unknown e-mail and for a user of another broker. Later reads take three calls.
  'GET /broker/get_all_user_deployments': 4,
  'GET /broker/get_user_strategies': 4,
};
const REPEATS = 3;
/** Measurements between two lines of progress. */
const SAID_EVERY = 25;

interface Row {
  readonly name: string;
  readonly calls: number;
  readonly names: string;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly dollars: number;
  /** Calls of a request with a session; undefined if the operation reads none. */
  readonly withSession?: number | undefined;
}

const dollarsOf = ({ readUnits, writeUnits }: Pick<Used, 'readUnits' | 'writeUnits'>): number =>
  readUnits * PRICES.read + writeUnits * PRICES.write;

/** Returns the most expensive run. Runs differ if an item has grown in between. */
const dearest = (runs: readonly Used[]): Used =>
  runs.reduce((worst, one) => (dollarsOf(one) > dollarsOf(worst) ? one : worst));

const rowOf = (name: string, { names, readUnits, writeUnits }: Used, things = 1): Row => ({
  name,
  calls: names.length / things,
  names: things === 1 ? names.join(', ') : `${names.length} for ${things}`,
  readUnits: readUnits / things,
  writeUnits: writeUnits / things,
  dollars: dollarsOf({ readUnits, writeUnits }) / things,
});

/** Returns the user that a request names; undefined if it names none. */
const userIn = ({ query = {} }: Request): string | undefined =>
  Object.fromEntries(Array.isArray(query) ? query : Object.entries(query)).user_id;

const ask = async (world: World, routeKey: string, request: Request): Promise<Used> => {
  const { result, ...taken } = await usedBy(() => world.hub.call(routeKey, request));
  if (result.status === 200) return taken;
  throw new Error(`${routeKey} answers ${result.status}: ${result.text}`);
};

/** Measures an operation a few times, and once with the session of the named user. */
const measureOperation = async (world: World, name: string): Promise<Row> => {
  const scenario = SCENARIOS[name];
  if (!scenario) throw new Error(`there is no scenario for ${name}`);
  const [routeKey = ''] = name.split(' (');
  const runs: Used[] = [];
  for (let run = 0; run < REPEATS; run++) {
    world.hub.advance(1000);
    runs.push(await ask(world, routeKey, await scenario(world)));
  }
  const request = await scenario(world);
  const isOfUser = OPERATIONS.some((one) => one.routeKey === routeKey && one.caller === 'user');
  const token = isOfUser ? world.tokens.get(userIn(request) ?? '') : undefined;
  const session =
    token === undefined ? undefined : await ask(world, routeKey, { ...request, headers: bearer(token) });
  return { ...rowOf(name, dearest(runs)), withSession: session?.names.length };
};

const measureBackground = async (world: World, name: string): Promise<Row> => {
  const work = await BACKGROUND[name]?.(world);
  if (!work) throw new Error(`there is no scenario for ${name}`);
  const { result: things, ...taken } = await usedBy(work);
  if (things === 0) throw new Error(`${name} did nothing`);
  return rowOf(name, taken, things);
};

/** Operations that may use the table. The others have no permission. */
const USING = OPERATIONS.filter(({ table }) => table !== 'none').map(({ routeKey }) => routeKey);

/** Returns operations, events and jobs without a scenario. */
const missing = (): string[] => {
  const background = [
    ...FUNCTIONS.flatMap(({ trigger }) => (trigger.kind === 'bus' ? trigger.source.subscriptions : []))
      .flatMap(({ detailTypes }) => detailTypes)
      .map((type) => `event ${type}`),
    ...FUNCTIONS.flatMap(({ trigger }) => (trigger.kind === 'schedule' ? trigger.schedules : [])).map(
      (schedule) => `job ${schedule.job}`,
    ),
  ].filter((name) => !BACKGROUND[name]);
  return [...USING.filter((key) => !SCENARIOS[key]), ...background];
};

const print = (rows: readonly Row[]): void => {
  console.table(
    rows.map(({ name, calls, withSession, names, readUnits, writeUnits, dollars }) => ({
      name,
      calls: rounded(calls, 1),
      'with session': withSession ?? '',
      'what they are': names,
      'read units': rounded(readUnits, 1),
      'write units': rounded(writeUnits, 1),
      '$ per million': rounded(dollars, 2),
    })),
  );
};

readOptions(
  `npm run bench:cost

Measures the use of DynamoDB by each operation, event and job.`,
  {},
);

await using world = await startWorld({ isTimed: true });
const operations: Row[] = [];
const background: Row[] = [];
const failed: string[] = [];
const all = Object.keys(SCENARIOS).length + Object.keys(BACKGROUND).length;
const attempt = async (rows: Row[], name: string, measure: () => Promise<Row>): Promise<void> => {
  const done = operations.length + background.length + failed.length;
  if (done % SAID_EVERY === 0) progress(`${done} of ${all} measured`);
  try {
    rows.push(await measure());
  } catch (error) {
    failed.push(`${name}: ${String(error)}`);
  }
};
for (const name of Object.keys(SCENARIOS)) {
  await attempt(operations, name, () => measureOperation(world, name));
}
for (const name of Object.keys(BACKGROUND)) {
  await attempt(background, name, () => measureBackground(world, name));
}

print(operations);
console.log('Events, jobs and deliveries; those of a job are for each thing that it did:');
print(background);
const calls = operations.filter(({ name }) => USING.includes(name)).map((row) => row.calls);
const distribution = [1, 2, 3, 4].map((n) => `${n} calls: ${calls.filter((some) => some === n).length}`);
console.log(
  `median ${median(calls)} calls, most ${Math.max(...calls)}; operations with ${distribution.join(', ')}`,
);
const without = missing();
await writeResult('cost', {
  prices: PRICES,
  medianCalls: median(calls),
  operations,
  background,
  without,
  failed,
});
failWith([
  ...operations
    .filter(
      ({ name, calls: many, withSession = 0 }) =>
        Math.max(many, withSession) > (MORE_CALLS[name] ?? MAX_CALLS),
    )
    .map(
      ({ name, calls: many, withSession = 0 }) =>
        `over the limit: ${name} makes ${Math.max(many, withSession)} calls`,
    ),
  ...failed.map((failure) => `NOT MEASURED, as its scenario fails: ${failure}`),
  ...without.map((name) => `NOT MEASURED, for want of a scenario: ${name}`),
]);
