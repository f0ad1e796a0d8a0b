/**
 * Compares the model of users with the limits of the service and of AWS, and prints which come first. Run by
 * `npm run simulate -- --users N`; with `--table`, prints the table of infra/README.md.
 */
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { limitTable, simulate } from './costs/limits.ts';

const { values } = parseArgs({
  options: {
    users: { type: 'string' },
    table: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
});
const USAGE = 'Use --users N, with the number of users, or --table.';

if (values.help) console.log(USAGE);
else if (values.table) console.log(limitTable());
else {
  const users = z.coerce.number().int().positive().safeParse(values.users);
  if (users.success) console.log(simulate(users.data));
  else {
    console.error(USAGE);
    process.exitCode = 1;
  }
}
