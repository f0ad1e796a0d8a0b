/**
 * Prints the costs of the service on AWS as in infra/COSTS.md: measured units times list prices. Run by
 * `npm run costs`; with `--measure`, the units are measured and printed instead.
 */
import { readOptions } from '../../infra/commands/read-options.ts';
import { measureAll } from './costs/measure-all.ts';
import { measureEngine } from './costs/measure-engine.ts';
import { measureIdleJobs, measureReconciling } from './costs/measure-jobs.ts';
import { COST_TABLES } from './costs/model.ts';

const HELP = `npm run costs [-- --measure]

Prints the cost tables. With --measure, their units are measured and printed.`;

const { values } = readOptions(HELP, {
  options: { measure: { type: 'boolean', default: false } },
});
if (values.measure) {
  for (const measure of [measureAll, measureEngine, measureReconciling]) console.table(await measure());
  console.log('runs of jobs without work');
  console.table(await measureIdleJobs());
} else console.log(COST_TABLES.map((table) => table()).join('\n\n'));
