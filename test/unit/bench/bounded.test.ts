import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { runBounded } from '../../bench/bounded.ts';
import { until } from '../../support/until.ts';

afterEach(() => {
  jest.useRealTimers();
});

const program = (source: string): string[] => ['--eval', source];

test('a program that takes too long is stopped with all it has started, and says so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bounded-'));
  const file = join(folder, 'written');
  const lines: string[] = [];
  const say = (line: string) => {
    lines.push(line);
  };
  const source = `
    const writing = 'setInterval(() => require("node:fs").appendFileSync(process.argv[1], "."), 20)';
    require('node:child_process').spawn(process.execPath, ['--eval', writing, ${JSON.stringify(file)}]);
    setTimeout(() => undefined, 60_000);`;
  // The program takes as long as it does to start: its limit passes once it has written.
  jest.useFakeTimers({ doNotFake: ['Date'] });
  const run = runBounded('hanging', program(source), { limitMs: 60_000, everyMs: 40_000, say });
  await until(() => existsSync(file));
  jest.advanceTimersByTime(60_000);
  expect((await run).outcome).toBe('took too long');
  expect(lines).toEqual([
    'hanging: running for 40 s of at most 60',
    'hanging: stopped at its time limit of 60 s',
  ]);
  let before: string;
  do {
    before = await readFile(file, 'utf8');
    await sleep(200);
  } while (before !== (await readFile(file, 'utf8')));
  expect(before).not.toBe('');
  await rm(folder, { recursive: true });
});

test('a program that ends in time has its own outcome', async () => {
  const bounds = { limitMs: 60_000, say: () => undefined };
  expect((await runBounded('good', program(''), bounds)).outcome).toBe('within its limits');
  expect((await runBounded('bad', program('process.exitCode = 1'), bounds)).outcome).toBe(
    'over a limit, or failed',
  );
});
