/**
 * Runs the benchmarks, all or those that are named, one after the other: `npm run bench [-- cold warm]`.
 * Each has a time limit. One that fails or takes longer does not block the others.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { explain, UsageError } from '../../infra/commands/command-line.ts';

/** Benchmarks with their time limits in minutes. */
const PARTS: Readonly<Record<string, number>> = {
  cold: 6,
  warm: 8,
  cost: 6,
  pages: 15,
  search: 10,
  events: 4,
  limits: 3,
  load: 4,
  backtest: 3,
  'backtest-request': 2,
};

const HELP = `Runs the benchmarks, all of them or those that are named, one after the other.

  npm run bench                 all, at most ${Object.values(PARTS).reduce((sum, minutes) => sum + minutes)} minutes
  npm run bench -- cold warm    some of them

Benchmarks, with their time limits in minutes:
${Object.entries(PARTS)
  .map(([name, minutes]) => `  ${name.padEnd(17)} ${minutes}`)
  .join('\n')}

Exits with 1 if one of them exceeds a limit, fails or takes too long.
`;

const readNames = (): string[] => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h', default: false } },
  });
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name));
  if (unknown.length > 0) {
    throw new UsageError(
      `There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(PARTS).join(', ')}.`,
    );
  }
  return positionals;
};

const namesOrExit = (): string[] => {
  try {
    return readNames();
  } catch (error) {
    console.error(explain(error));
    process.exit(1);
  }
};

const named = namesOrExit();

const outcomes: { part: string; outcome: string; seconds: number }[] = [];
for (const part of named.length > 0 ? named : Object.keys(PARTS)) {
  console.log(`\n== ${part}`);
  const started = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, `${part}.ts`)], {
    stdio: 'inherit',
    timeout: (PARTS[part] ?? 0) * 60_000,
  });
  const [code, signal]: unknown[] = await once(child, 'exit');
  const outcome = signal ? 'took too long' : code === 0 ? 'within its limits' : 'over a limit, or failed';
  outcomes.push({ part, outcome, seconds: Math.round((performance.now() - started) / 1000) });
}
console.table(outcomes);
if (outcomes.some(({ outcome }) => outcome !== 'within its limits')) process.exitCode = 1;
