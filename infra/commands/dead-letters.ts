import { parseArgs } from 'node:util';
import { type DeadLetter, findDeadLetters, reviveDeadLetter } from '../../shared/data/outbox/dead-letters.ts';
import { openExisting, type Target } from '../catalogue/target.ts';
import { UsageError } from './command-line.ts';
import { explainAws } from './explain-aws.ts';

const USAGE = `npm run dead-letters                    lists messages of the outbox that failed permanently
npm run dead-letters -- --send          sends all of them again, within a minute
npm run dead-letters -- --send ID…      sends these messages again

HUB_TABLE selects a table on AWS, HUB_DYNAMODB_ENDPOINT your own database. The default is the data of npm start.`;

const AT_ONCE = 100;

const lineOf = ({ delivery_id, message, attempts, created_at, due_at, reason }: DeadLetter): string =>
  [
    delivery_id,
    message.kind,
    `written ${new Date(created_at).toISOString()}`,
    `given up ${new Date(due_at).toISOString()} after ${attempts} attempts`,
    reason,
  ].join('  ');

const list = async ({ store, where }: Target): Promise<void> => {
  const letters = await findDeadLetters(store, new Date(), AT_ONCE + 1);
  for (const letter of letters.slice(0, AT_ONCE)) console.log(lineOf(letter));
  const count = letters.length > AT_ONCE ? `More than ${AT_ONCE}` : String(letters.length);
  console.log(`${count} dead letters in ${where}.`);
};

/** Sends only dead letters from before this call, so that one that fails again is not sent in a loop. */
const sendAll = async ({ store }: Target): Promise<number> => {
  const until = new Date();
  let sent = 0;
  for (;;) {
    const letters = await findDeadLetters(store, until, AT_ONCE);
    const revived = await Promise.all(
      letters.map(({ delivery_id }) => reviveDeadLetter(store, delivery_id, new Date())),
    );
    const done = revived.filter(Boolean).length;
    sent += done;
    if (letters.length < AT_ONCE || done === 0) return sent;
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
  console.log(`${sent} messages are due again in ${target.where}. The job sweep-deliveries sends them.`);
};

const run = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { send: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return console.log(USAGE);
  if (!values.send && positionals.length > 0) throw new UsageError(USAGE);
  const target = await openExisting(process.env);
  try {
    await (values.send ? send(target, positionals) : list(target));
  } finally {
    await target.close();
  }
};

run().catch((error: unknown) => {
  console.error(explainAws(error));
  process.exitCode = 1;
});
