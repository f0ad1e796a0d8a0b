import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { measureUnits } from '../bench/costs/measure-units.ts';
import { monthTable, requestTable } from '../bench/costs/model.ts';
import { UNITS } from '../bench/costs/units.ts';

/** As a fraction. An item that grows past a kilobyte hardly changes the costs of the service. */
const TOLERANCE = 0.25;
const TIMEOUT_MS = 120_000;

test('the page of operations shows the computed costs', async () => {
  const page = await readFile(new URL('../../infra/README.md', import.meta.url), 'utf8');
  // If they differ, `npm run costs` prints the tables.
  expect(page).toContain(requestTable());
  expect(page).toContain(monthTable());
});

test(
  'requests take as much of the table as the costs are computed from',
  async () => {
    const measured = await measureUnits();
    const documented = Object.fromEntries(Object.entries(UNITS).filter(([kind]) => kind in measured));
    expect(Object.keys(measured).sort()).toEqual(Object.keys(documented).sort());
    for (const [kind, { read, write }] of Object.entries(documented)) {
      const now = Object.entries(measured).find(([name]) => name === kind)?.[1];
      for (const [units, before] of [
        [now?.read, read],
        [now?.write, write],
      ] as const) {
        // If they differ, `npm run costs -- --measure` prints the present units for test/bench/costs/units.ts.
        expect([kind, Math.abs((units ?? 0) - before) <= Math.max(1, TOLERANCE * before)]).toEqual([
          kind,
          true,
        ]);
      }
    }
  },
  TIMEOUT_MS,
);
