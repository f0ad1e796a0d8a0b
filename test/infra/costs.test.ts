import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { engineMonthTable, engineTable } from '../bench/costs/engine-model.ts';
import { ENGINE_UNITS } from '../bench/costs/engine-units.ts';
import { limitTable, reachedLimits, simulate } from '../bench/costs/limits.ts';
import { measureChanges } from '../bench/costs/measure-changes.ts';
import { measureEngine } from '../bench/costs/measure-engine.ts';
import { measureUnits } from '../bench/costs/measure-units.ts';
import { monthTable, requestTable } from '../bench/costs/model.ts';
import { UNITS, type Units } from '../bench/costs/units.ts';

/** As a fraction. An item that grows past a kilobyte hardly changes the costs of the service. */
const TOLERANCE = 0.25;
const TIMEOUT_MS = 120_000;

test('the page of operations shows the computed costs', async () => {
  const page = await readFile(new URL('../../infra/README.md', import.meta.url), 'utf8');
  // If they differ, `npm run costs` prints the tables.
  expect(page).toContain(requestTable());
  expect(page).toContain(monthTable());
  expect(page).toContain(engineTable());
  expect(page).toContain(engineMonthTable());
});

test('the page of operations shows the limits in the order in which growth reaches them', async () => {
  const page = await readFile(new URL('../../infra/README.md', import.meta.url), 'utf8');
  // If they differ, `npm run simulate -- --table` prints the table.
  expect(page).toContain(limitTable());
});

test('a simulation names the first limit and those that users exceed', () => {
  expect(simulate(80_000)).toContain('80,000 users stay below all limits.');
  const exceeding = simulate(100_000);
  expect(exceeding).toContain('First: SES, mails a day, at 83,100 users.');
  expect(exceeding).toContain('100,000 users exceed 1:');
});

test('ten million users pass the throttles of the production stage, and their backlog of an hour drains in minutes', () => {
  const own = reachedLimits().filter(({ name }) => /^(stage `prod`|sweep|Lambda, `)/.test(name));
  expect(own.length).toBeGreaterThan(4);
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

test(
  'requests take as much of the table as the costs are computed from',
  async () => {
    const measured = { ...(await measureUnits()), ...(await measureChanges()) };
    const documented = Object.fromEntries(Object.entries(UNITS).filter(([kind]) => kind in measured));
    expect(Object.keys(measured).sort()).toEqual(Object.keys(documented).sort());
    // If they differ, `npm run costs -- --measure` prints the present units for test/bench/costs/units.ts.
    expect(differences(measured, documented, 1)).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'the engine takes as much of the table as the costs are computed from',
  async () => {
    // If they differ, the same command prints the present units for test/bench/costs/engine-units.ts.
    expect(differences(await measureEngine(), ENGINE_UNITS, 0.05)).toEqual([]);
  },
  TIMEOUT_MS,
);
