import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { inSoak } from '../support/soak.ts';

const run = promisify(execFile);

// Only benchmarks depend on it, and it starts every framework.
inSoak('the frameworks of the benchmarks give the same answers as the service', async () => {
  // Runs in a new process, as the bundles need the environment of functions and Jest has its own loader.
  const { stdout } = await run(process.execPath, ['test/bench/fairness.ts'], { cwd: process.cwd() });
  expect(JSON.parse(stdout)).toEqual({ differing: [], compared: expect.any(Number) });
  expect(JSON.parse(stdout).compared).toBeGreaterThanOrEqual(40);
});
