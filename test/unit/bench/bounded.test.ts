import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { runBounded } from '../../bench/bounded.ts';

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
  const bounds = { limitMs: 1000, everyMs: 300, say };
  const run = await runBounded('hanging', program(source), bounds);
  expect(run.outcome).toBe('took too long');
  expect(lines[0]).toBe('hanging: running for 0 s of at most 1');
  expect(lines.at(-1)).toBe('hanging: stopped at its time limit of 1 s');
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
