/**
 * Prints the costs of the service on AWS as in infra/README.md: measured units times list prices. Run by
 * `npm run costs`; with `--measure`, the units are measured and printed instead.
 */
import { parseArgs } from 'node:util';
import { engineMonthTable, engineTable } from './costs/engine-model.ts';
import { measureChanges } from './costs/measure-changes.ts';
import { measureEngine } from './costs/measure-engine.ts';
import { measureUnits } from './costs/measure-units.ts';
import { monthTable, requestTable } from './costs/model.ts';

const { values } = parseArgs({ options: { measure: { type: 'boolean', default: false } } });
if (values.measure)
  console.table({ ...(await measureUnits()), ...(await measureChanges()), ...(await measureEngine()) });
else console.log([requestTable(), monthTable(), engineTable(), engineMonthTable()].join('\n\n'));
