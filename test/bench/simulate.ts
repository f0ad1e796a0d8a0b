/**
 * Compares the model of users with the limits of the service and of AWS, and prints which come first. Run by
 * `npm run simulate -- --users N`; with `--table`, prints the table of infra/SCALE.md.
 */

import * as z from 'zod';
import { readOptions } from '../../infra/commands/read-options.ts';
import { limitTable, simulate } from './costs/limits.ts';

const USAGE = `npm run simulate -- --users N | --table

Prints the limits that N users reach, the first one first, or the table of infra/SCALE.md.`;

const { values } = readOptions(USAGE, {
  options: {
    users: { type: 'string' },
    table: { type: 'boolean', default: false },
  },
});
if (values.table) console.log(limitTable());
else {
  const users = z.coerce.number().int().positive().safeParse(values.users);
  if (users.success) console.log(simulate(users.data));
  else {
    console.error(USAGE);
    process.exitCode = 1;
  }
}
