/**
 * Measures the effect of each plugin of the bundles: the CPU time of cold starts without it, as a ratio to that with
 * all plugins, and the size of the code loaded by a first request. Run by `npm run bench:plugins`. `-- --runs 15`
 * sets the number of rounds; `--without lean-sdk` leaves out plugins, joined by commas, and may be repeated;
 * `--instructions` counts the instructions of the processes with `perf` instead of their CPU time.
 */

import { join } from 'node:path';
import type { Bundle } from '../../infra/bundle/built.ts';
import { bundleFunctions } from '../../infra/bundle/bundle.ts';
import { BUNDLE_OPTIONS } from '../../infra/bundle/options.ts';
import { readOptions } from '../../infra/commands/read-options.ts';
import { bundleStart, functionCases, measure, type Sample, totals } from './cold-cases.ts';
import { OUT_DIR, writeResult } from './result.ts';
import { startRig } from './rig.ts';
import { inTurns, medianRatio, rounded } from './statistics.ts';

const PLUGINS: readonly string[] = ['late-operations', ...BUNDLE_OPTIONS.plugins.map(({ name }) => name)];

const HELP = `npm run bench:plugins [-- --runs 15] [--without NAMES]… [--instructions]

Measures cold starts without each plugin of the bundles, or without those of NAMES, joined by commas.`;

const { values } = readOptions(HELP, {
  options: {
    runs: { type: 'string', default: '15' },
    instructions: { type: 'boolean', default: false },
    without: { type: 'string', multiple: true, default: [...PLUGINS] },
  },
});
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs takes a whole number from 1');
const variants = values.without.map((names) => names.split(','));
const unknown = variants.flat().filter((name) => !PLUGINS.includes(name));
if (unknown.length > 0) throw new Error(`--without takes ${PLUGINS.join(', ')}; not ${unknown.join(', ')}`);

const costsOf = (taken: readonly Sample[]): number[] =>
  values.instructions ? taken.map(({ instructions = Number.NaN }) => instructions) : totals(taken);

const largestOf = (bundles: ReadonlyMap<string, Bundle>): string => {
  const [largest] = [...bundles].sort(([, a], [, b]) => b.bytes - a.bytes);
  return largest ? `${rounded(largest[1].bytes / 1000, 1)} (${largest[0]})` : '';
};

await using rig = await startRig();
const script = await bundleStart();
const measured = [];
for (const without of [[], ...variants]) {
  const outDir = join(OUT_DIR, 'plugins', without.join('-') || 'all');
  const bundles = await bundleFunctions({ outDir, without });
  measured.push({ without, largestKb: largestOf(bundles), cases: functionCases(rig, bundles) });
}
const samples = await inTurns(
  measured.flatMap(({ cases }) => cases),
  runs,
  (one) => measure(script, one, values.instructions),
);
const [all, ...others] = measured;
const rows = others.map(({ without, largestKb, cases }) => {
  const costs = cases.map((one) => costsOf(samples.get(one) ?? []));
  const baseline = (all?.cases ?? []).map((one) => costsOf(samples.get(one) ?? []));
  const sums = (of: readonly number[][]): number[] =>
    Array.from({ length: runs }, (_, round) => of.reduce((sum, one) => sum + (one[round] ?? Number.NaN), 0));
  return {
    without: without.join(', '),
    largestKb,
    ratio: rounded(medianRatio(sums(costs), sums(baseline)), 3),
    ratios: Object.fromEntries(
      cases.map(({ name }, at) => [name, rounded(medianRatio(costs[at] ?? [], baseline[at] ?? []), 3)]),
    ),
  };
});
console.log(
  `CPU of cold starts without a plugin, as a ratio to all plugins, ${runs} rounds, Node ${process.version}`,
);
console.log(`With all plugins, the largest function loads ${all?.largestKb} KB.`);
console.table(rows.map(({ ratios, ...row }) => row));
console.table(Object.fromEntries(rows.map(({ without, ratios }) => [without, ratios])));
await writeResult('plugins', { runs, rows });
