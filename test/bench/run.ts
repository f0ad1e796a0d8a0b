/**
 * Runs the benchmarks, all or those that are named, one after the other: `npm run bench [-- cold warm]`.
 * Each has a bound in time; one that fails or takes longer does not keep the others.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Each with the minutes that it may take. */
const PARTS: Readonly<Record<string, number>> = {
  cold: 6,
  warm: 8,
  cost: 6,
  pages: 15,
  search: 10,
  events: 4,
  load: 4,
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => PARTS[name] === undefined);
if (unknown.length > 0) {
  throw new Error(`there is no part ${unknown.join(', ')}: the parts are ${Object.keys(PARTS).join(', ')}`);
}

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
