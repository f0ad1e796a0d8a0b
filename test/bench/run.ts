/**
 * Runs the benchmarks, all or those that are named, one after the other: `npm run bench [-- cold warm --repeat 5]`.
 * Each run has a time limit and says how long it has been running. One that fails or takes longer does not block the
 * others.
 */

import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { explain, UsageError } from '../../infra/commands/command-line.ts';
import { readOptions } from '../../infra/commands/read-options.ts';
import { runBounded } from './bounded.ts';
import { rangesOf } from './ranges.ts';
import { OUT_DIR, writeResult } from './result.ts';
import { rounded } from './statistics.ts';

const MAX_REPEATS = 50;

/** Benchmarks with their time limits in minutes. */
const PARTS: Readonly<Record<string, number>> = {
  cold: 6,
  warm: 5,
  cost: 8,
  pages: 15,
  search: 10,
  events: 4,
  limits: 5,
  engine: 6,
  load: 4,
  backtest: 3,
  'backtest-request': 2,
};

const HELP = `Runs the benchmarks, all of them or those that are named, one after the other.

  npm run bench                 all, at most ${Object.values(PARTS).reduce((sum, minutes) => sum + minutes)} minutes
  npm run bench -- cold warm    some of them
  npm run bench -- events --repeat 5
                                each five times, with the range of each figure

Benchmarks, with their time limits in minutes:
${Object.entries(PARTS)
  .map(([name, minutes]) => `  ${name.padEnd(17)} ${minutes}`)
  .join('\n')}

Exits with 1 if one of them exceeds a limit, fails or takes too long.
`;

const readChoice = (): { readonly parts: readonly string[]; readonly repeat: number } => {
  const { values, positionals } = readOptions(HELP, {
    allowPositionals: true,
    options: {
      repeat: { type: 'string', default: '1' },
    },
  });
  const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name));
  if (unknown.length > 0) {
    throw new UsageError(
      `There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(PARTS).join(', ')}.`,
    );
  }
  const repeat = Number(values.repeat);
  if (!Number.isInteger(repeat) || repeat < 1 || repeat > MAX_REPEATS) {
    throw new UsageError(`--repeat takes a number from 1 to ${MAX_REPEATS}`);
  }
  return { parts: positionals.length > 0 ? positionals : Object.keys(PARTS), repeat };
};

const choiceOrExit = () => {
  try {
    return readChoice();
  } catch (error) {
    console.error(explain(error));
    process.exit(1);
  }
};

const { parts, repeat } = choiceOrExit();

/** Runs a benchmark once. */
const runOnce = (part: string) =>
  runBounded(part, [join(import.meta.dirname, `${part}.ts`)], { limitMs: (PARTS[part] ?? 0) * 60_000 });

/** Prints and writes the range of each figure over several runs. */
const showRanges = async (part: string, results: readonly unknown[]): Promise<void> => {
  const ranges = rangesOf(results);
  console.log(`\n== ${part}: ranges over ${results.length} runs`);
  console.table(
    Object.fromEntries(
      Object.entries(ranges).map(([figure, { from, median, to }]) => [
        figure,
        { from: rounded(from, 3), median: rounded(median, 3), to: rounded(to, 3) },
      ]),
    ),
  );
  await writeResult(`${part}-ranges`, { runs: results.length, ranges });
};

const outcomes: { part: string; run: string; outcome: string; seconds: number }[] = [];
for (const part of parts) {
  const results: unknown[] = [];
  for (let run = 1; run <= repeat; run += 1) {
    console.log(`\n== ${part}, run ${run} of ${repeat}, at most ${PARTS[part]} minutes`);
    const file = join(OUT_DIR, `${part}.json`);
    // A run that fails early writes no result, and that of an earlier run would count as its.
    await rm(file, { force: true });
    const { outcome, seconds } = await runOnce(part);
    outcomes.push({ part, run: `${run} of ${repeat}`, outcome, seconds });
    if (existsSync(file)) results.push(JSON.parse(await readFile(file, 'utf8')));
  }
  if (results.length > 1) await showRanges(part, results);
}
console.table(outcomes);
if (outcomes.some(({ outcome }) => outcome !== 'within its limits')) process.exitCode = 1;
