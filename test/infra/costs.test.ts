import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { canaryMonth } from '../bench/costs/canary.ts';
import { edgeCosts } from '../bench/costs/edge.ts';
import { ENGINE_UNITS } from '../bench/costs/engine-units.ts';
import { JOB_UNITS } from '../bench/costs/job-units.ts';
import { unitsOf, wayOf } from '../bench/costs/kinds.ts';
import { limitTable, reachedLimits, simulate } from '../bench/costs/limits.ts';
import { measureAll } from '../bench/costs/measure-all.ts';
import { measureEngine } from '../bench/costs/measure-engine.ts';
import { measureIdleJobs } from '../bench/costs/measure-jobs.ts';
import { billOf, COST_TABLES } from '../bench/costs/model.ts';
import { RECORD_UNITS } from '../bench/costs/record-units.ts';
import { REQUEST_UNITS } from '../bench/costs/request-units.ts';
import { TRADING_UNITS } from '../bench/costs/trading-units.ts';
import type { Units } from '../bench/costs/units.ts';
import { monthOf, PART_NAMES } from '../bench/costs/users.ts';

/** As a fraction. An item that grows past a kilobyte hardly changes the costs of the service. */
const TOLERANCE = 0.25;

const MILLION = 1_000_000;

/** Returns the text of pages for operators. */
const textOf = async (...pages: readonly string[]): Promise<string> =>
  (
    await Promise.all(pages.map((page) => readFile(new URL(`../../infra/${page}`, import.meta.url), 'utf8')))
  ).join('\n');

test('the pages for operators show the computed costs', async () => {
  const page = await textOf('COSTS.md', 'SCALE.md', 'DEPLOY.md', 'OPERATE.md');
  // If they differ, `npm run costs` prints the tables.
  for (const table of COST_TABLES) expect(page).toContain(table());
  expect(page).toContain(edgeCosts());
  expect(page).toContain(`It costs $${canaryMonth().toFixed(2)} a month`);
});

test('the bill is that of the units, requests and mails of the month', () => {
  let [reads, writes, requests, answers, mails, lines, queued, events] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (const part of PART_NAMES) {
    for (const [kind, times] of monthOf(part, MILLION)) {
      const way = wayOf(kind);
      reads += times * unitsOf(kind).read;
      writes += times * unitsOf(kind).write;
      requests += times * way.requests;
      if (way.runs > 0) answers += times * way.requests;
      mails += times * way.mails;
      // The relay writes a line for a message too.
      lines += times * (way.runs + way.messages);
      queued += times * way.messages;
      events += times * way.events;
    }
  }
  const billed: Record<string, number> = {};
  for (const { service, dollars } of billOf(MILLION)) billed[service] = (billed[service] ?? 0) + dollars;
  // List prices of AWS in us-east-1, written out once more.
  expect(billed.reads).toBeCloseTo((reads / MILLION) * 0.125, 6);
  expect(billed.writes).toBeCloseTo((writes / MILLION) * 0.625, 6);
  expect(billed.api).toBeCloseTo(requests / MILLION + ((answers * 4000) / 1e9) * 0.09, 6);
  expect(billed.mail).toBeCloseTo(mails * 0.0001, 6);
  expect(billed.logs).toBeCloseTo(lines * ((1500 / 1e9) * 0.5 + 0.05 * 0.000005), 6);
  // A message is sent, received and deleted.
  expect(billed.bus).toBeCloseTo(events / MILLION + ((3 * queued) / MILLION) * 0.5, 6);
});

test('no write is so much of the bill that joining it would pay', () => {
  for (const users of [10_000, MILLION, 10 * MILLION]) {
    const bill = billOf(users);
    const total = bill.reduce((sum, { dollars }) => sum + dollars, 0);
    const writes = bill.filter(({ service }) => service === 'writes');
    // If one is, infra/COSTS.md no longer holds: look at joining it.
    for (const { name, dollars } of writes) expect([name, dollars / total < 0.05]).toEqual([name, true]);
  }
});

test('a month of a million users has the signals, trades and rounds that the assumptions say', () => {
  const times = new Map(PART_NAMES.flatMap((part) => [...monthOf(part, MILLION)]));
  // A fifth is active on each of 30 days, with 3 signals and a code in a hundred days; a tenth is new, with a code and its confirmation.
  expect(times.get('delivery of a mail')).toBeCloseTo(200_000 * 30 * 3.01 + 200_000, 3);
  // Shares trade on 21 days, the rest on 30: 23.7 days for 105,000 accounts of the hub, each in a trade every second day.
  expect(times.get('exit of a paper account')).toBeCloseTo(105_000 * 0.5 * 23.7, 3);
  // Two orders a trade of 5,000 accounts at brokers.
  expect(times.get('order through the adapter')).toBeCloseTo(2 * 5_000 * 0.5 * 23.7, 3);
  // A quote a minute for a quarter of the minutes: 390 on 21 days, 1,440 on 30.
  expect(times.get('quote of an engine')).toBeCloseTo((10_000 / 4) * (0.7 * 21 * 390 + 0.3 * 30 * 1440), 3);
  expect(times.get('equity day of a deployment')).toBeCloseTo(115_000 * 30, 3);
  expect(times.get('reconciling a user')).toBeCloseTo((MILLION * 30) / 7, 3);
});

test('the page of operations shows the limits in the order in which growth reaches them', async () => {
  const page = await textOf('SCALE.md');
  // If they differ, `npm run simulate -- --table` prints the table.
  expect(page).toContain(limitTable());
});

test('a simulation names the first limit and those that users exceed', () => {
  expect(simulate(30_000)).toContain('30,000 users stay below all limits.');
  const exceeding = simulate(100_000);
  expect(exceeding).toContain('First: consoles that wait for events, at 36,000 users.');
  expect(exceeding).toContain('100,000 users exceed 2 limits:\n');
  expect(exceeding).toContain('\n- SES, mails a day:');
});

test('ten million users pass the limits of the service itself, and their backlog of an hour drains in minutes', () => {
  const own = reachedLimits().filter(({ name }) =>
    /^(stage `prod`|sweep|round|Lambda, |partition)/.test(name),
  );
  expect(own.length).toBeGreaterThan(12);
  for (const { name, users } of own) expect([name, users >= 1e7]).toEqual([name, true]);
});

/** Tells which units differ from the documented ones. `slack` is allowed in any case. */
const differences = (
  measured: Readonly<Record<string, Units>>,
  documented: Readonly<Record<string, Units>>,
  slack: number,
): string[] =>
  Object.entries(documented).flatMap(([kind, before]) =>
    (['read', 'write'] as const).flatMap((units) => {
      const now = measured[kind]?.[units];
      const isNear =
        now !== undefined && Math.abs(now - before[units]) <= Math.max(slack, TOLERANCE * before[units]);
      return isNear ? [] : [`${kind}: ${units} ${before[units]}, now ${now}`];
    }),
  );

test('requests take as much of the table as the costs are computed from', async () => {
  const measured = await measureAll();
  const documented = Object.fromEntries(
    Object.entries({ ...REQUEST_UNITS, ...TRADING_UNITS, ...RECORD_UNITS }).filter(
      ([kind]) => kind in measured,
    ),
  );
  expect(Object.keys(measured).sort()).toEqual(Object.keys(documented).sort());
  // If they differ, `npm run costs -- --measure` prints the present units for test/bench/costs/request-units.ts, trading-units.ts and record-units.ts.
  expect(differences(measured, documented, 1)).toEqual([]);
});

test('the engine takes as much of the table as the costs are computed from', async () => {
  // If they differ, the same command prints the present units for test/bench/costs/engine-units.ts.
  expect(differences(await measureEngine(), ENGINE_UNITS, 0.05)).toEqual([]);
});

test('a job without work reads as much as the costs are computed from', async () => {
  const measured = await measureIdleJobs();
  const documented = Object.fromEntries(Object.entries(JOB_UNITS).map(([job, { idle }]) => [job, idle]));
  // Runs only with a feed.
  const { 'pull-candles': _, ...others } = documented;
  expect(Object.keys(measured).sort()).toEqual(Object.keys(others).sort());
  expect(differences(measured, others, 0.01)).toEqual([]);
});
