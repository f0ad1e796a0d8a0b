import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const run = promisify(execFile);

test('the frameworks of the benchmarks answer what ours answers', async () => {
  // In a process of its own: their bundles need what functions have around them, and Jest has its own loader.
  const { stdout } = await run(process.execPath, ['test/bench/fairness.ts'], { cwd: process.cwd() });
  expect(JSON.parse(stdout)).toEqual({ differing: [], compared: expect.any(Number) });
  expect(JSON.parse(stdout).compared).toBeGreaterThanOrEqual(40);
}, 120_000);
