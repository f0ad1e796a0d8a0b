import { type DeadLetter, findDeadLetters, reviveDeadLetter } from '../../shared/data/outbox/dead-letters.ts';
import { findOverdue } from '../../shared/data/outbox/deliveries.ts';
import { RELAYED_LANES } from '../../shared/data/outbox/lanes.ts';
import type { DamagedItemError } from '../../shared/data/table/damaged-items.ts';
import { type Target, withExisting } from '../catalogue/target.ts';
import { UsageError } from './command-line.ts';
import { explainAws } from './explain-aws.ts';
import { readOptions } from './read-options.ts';

const USAGE = `npm run dead-letters                    lists messages of the outbox that failed permanently, and counts overdue ones by lane
npm run dead-letters -- --send          sends all of them again, within a minute
npm run dead-letters -- --send ID…      sends these messages again

HUB_TABLE selects a table on AWS, HUB_DYNAMODB_ENDPOINT your own database. The default is the data of npm start.`;

const AT_ONCE = 100;
/** A message is attended to within a minute of its time, if a job or a function of its lane runs. */
const OVERDUE_MS = 10 * 60_000;

const lineOf = ({ delivery_id, message, attempts, created_at, due_at, reason }: DeadLetter): string =>
  [
    delivery_id,
    message.kind,
    `written ${new Date(created_at).toISOString()}`,
    `given up ${new Date(due_at).toISOString()} after ${attempts} attempts`,
    reason,
  ].join('  ');

/** Counts the messages of each lane that nothing attends to, as after a release of the lane that was taken back. */
const listOverdue = async ({ store, where }: Target): Promise<void> => {
  const until = new Date(Date.now() - OVERDUE_MS);
  for (const lane of [...RELAYED_LANES, 'events'] as const) {
    const [oldest, ...more] = await findOverdue(store, lane, until, AT_ONCE + 1);
    if (oldest === undefined) continue;
    const count = more.length >= AT_ONCE ? `More than ${AT_ONCE}` : String(more.length + 1);
    const since = new Date(oldest).toISOString();
    console.log(`${count} messages of the lane ${lane} are overdue in ${where}, the first since ${since}.`);
  }
};

/** Names the messages that cannot be read, which the command passes by. */
const reportDamaged = (damaged: readonly DamagedItemError[]): void => {
  for (const { message } of damaged) console.error(message);
  if (damaged.length > 0) process.exitCode = 1;
};

const list = async (target: Target): Promise<void> => {
  const { store, where } = target;
  const damaged: DamagedItemError[] = [];
  const letters = await findDeadLetters(store, new Date(), AT_ONCE + 1, (error) => damaged.push(error));
  for (const letter of letters.slice(0, AT_ONCE)) console.log(lineOf(letter));
  const total = letters.length + damaged.length;
  const count = total > AT_ONCE ? `More than ${AT_ONCE}` : String(total);
  console.log(`${count} dead letters in ${where}.`);
  reportDamaged(damaged);
  await listOverdue(target);
};

/** Sends only dead letters from before this call, so that one that fails again is not sent in a loop. */
const sendAll = async ({ store }: Target): Promise<number> => {
  const until = new Date();
  let sent = 0;
  let passed = 0;
  for (;;) {
    const damaged: DamagedItemError[] = [];
    const limit = AT_ONCE + passed;
    const letters = await findDeadLetters(store, until, limit, (error) => damaged.push(error));
    const revived = await Promise.all(
      letters.map(({ delivery_id }) => reviveDeadLetter(store, delivery_id, new Date())),
    );
    const done = revived.filter(Boolean).length;
    sent += done;
    const found = letters.length + damaged.length;
    if (found < limit) {
      reportDamaged(damaged);
      return sent;
    }
    // Those that stay are before the next ones.
    passed = found - done;
  }
};

const send = async (target: Target, ids: readonly string[]): Promise<void> => {
  let sent = 0;
  if (ids.length === 0) sent = await sendAll(target);
  for (const id of ids) {
    if (await reviveDeadLetter(target.store, id, new Date())) sent += 1;
    else console.error(`${id} is not a dead letter in ${target.where}.`);
  }
  if (sent < ids.length) process.exitCode = 1;
  console.log(`${sent} messages are due again in ${target.where}. The sweeping jobs send them.`);
};

const run = async (): Promise<void> => {
  const { values, positionals } = readOptions(USAGE, {
    allowPositionals: true,
    options: { send: { type: 'boolean', default: false } },
  });
  if (!values.send && positionals.length > 0) throw new UsageError(USAGE);
  await withExisting(process.env, (target) => (values.send ? send(target, positionals) : list(target)));
};

run().catch((error: unknown) => {
  console.error(explainAws(error));
  process.exitCode = 1;
});
