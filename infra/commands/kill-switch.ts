import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { findBroker, findSubdomain } from '../../shared/data/brokers/brokers.ts';
import { EMPTY_HEAD } from '../../shared/data/numbered-list/list-head.ts';
import { findHalt } from '../../shared/data/switches/halts.ts';
import { readSwitch, type SwitchSubject } from '../../shared/data/switches/switch-changes.ts';
import { readTrail, type TrailEntry, trailsOf } from '../../shared/data/switches/switch-trail.ts';
import { holdsIn } from '../../shared/data/switches/switches.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { tidy } from '../../shared/domain/text.ts';
import { reArmSwitch, throwSwitch } from '../../shared/lifecycle/throw-switch.ts';
import { withExisting } from '../catalogue/target.ts';
import { count, UsageError } from './command-line.ts';
import { explainAws } from './explain-aws.ts';
import { findNamedId, findNamedUser } from './find-user.ts';
import { readOptions } from './read-options.ts';

const USAGE = `npm run kill-switch -- --all | --broker GUID | --user ID  --reason TEXT [--flatten]
npm run kill-switch -- --all | --broker GUID | --user ID  --reason TEXT --re-arm
npm run kill-switch -- --all | --broker GUID | --user ID  --status

Stops all orders of the service, of the deployments at a broker, or of a user, and halts their deployments. --flatten
also cancels orders and closes positions. --re-arm allows orders again; deployments stay halted until their owners
resume them. --status shows who threw the switch, when and why. Those who are affected read the reason.
--broker takes a guid or a sub-domain, --user a user_id or an e-mail.
HUB_TABLE selects a table on AWS, HUB_DYNAMODB_ENDPOINT your own database. The default is the data of npm start.`;

const MAX_REASON = 300;
const OPERATOR = { by: 'operator' } as const;
/** Longest time to watch the halting. It goes on without the command. */
const WATCH_MS = 30_000;
const WATCH_EVERY_MS = 500;
const TRAIL_SIZE = 10;

/** Takes the error of a record that cannot be read. */
type TakeDamaged = (error: { readonly message: string }) => void;

const named = new Set<string>();

/** Names a record that cannot be read. Copies of a switch are named in one line. */
const nameDamaged: TakeDamaged = ({ message }) => {
  if (!named.has(message)) console.error(message);
  named.add(message);
};

/** Names a record that cannot be read, and that is missing from the output. The command fails after the others are shown. */
const missDamaged: TakeDamaged = (error) => {
  nameDamaged(error);
  process.exitCode = 1;
};

/** Reads something. If it cannot be read, names it and returns undefined, so that the command goes on. */
const readable = async <T>(
  name: string,
  read: () => Promise<T>,
  takeDamaged = missDamaged,
): Promise<{ readonly value: T } | undefined> => {
  try {
    return { value: await read() };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const places = error.issues.map(({ path }) => path.join('.')).join(', ');
    takeDamaged({ message: `${name} cannot be read: see its ${places}.` });
    return undefined;
  }
};

const findSubject = async (
  store: Store,
  { all, broker, user }: { all: boolean; broker: string | undefined; user: string | undefined },
  takeDamaged: TakeDamaged,
): Promise<{ readonly subject: SwitchSubject; readonly name: string }> => {
  if (Number(all) + Number(broker !== undefined) + Number(user !== undefined) !== 1)
    throw new UsageError(USAGE);
  if (broker !== undefined) {
    const found = await findBroker(store, (await findSubdomain(store, broker)) ?? broker);
    if (!found) throw new UsageError('There is no broker with this guid or sub-domain.');
    return { subject: { level: 'broker', broker_id: found.broker_id }, name: `of the broker ${found.name}` };
  }
  if (user !== undefined) {
    const found = await readable('The user', () => findNamedUser(store, user), takeDamaged);
    // The switch of a user whose record is damaged is thrown like any other.
    const user_id = found?.value.user_id ?? (await findNamedId(store, user)) ?? user;
    return { subject: { level: 'user', user_id }, name: `of ${found?.value.email ?? user}` };
  }
  return { subject: { level: 'service' }, name: 'of the service' };
};

/** Names the owner of a switch in a trail, which also has switches of other levels. */
const ownerOf = ({ level, user_id, broker_id }: TrailEntry['details']): string => {
  if (level === 'service') return 'of the service';
  if (level === 'user') return user_id === undefined ? 'of a user' : `of the user ${user_id}`;
  return broker_id === undefined ? 'of a broker' : `of the broker ${broker_id}`;
};

const printStatus = async (store: Store, subject: SwitchSubject, name: string): Promise<void> => {
  const found = await readable(`The kill switch ${name}, without which no order leaves,`, () =>
    readSwitch(store, subject),
  );
  const holds = holdsIn(subject.level, found?.value);
  if (found) console.log(`The kill switch ${name} is ${holds.length === 0 ? 'not thrown' : 'thrown'}.`);
  for (const { by, at, reason, flatten, throw_id } of holds) {
    const work =
      throw_id === undefined
        ? undefined
        : await readable(`HALT#${throw_id}, its work of halting,`, () => findHalt(store, throw_id));
    const halt = work?.value;
    const progress = halt
      ? `, ${count(halt.halted)} deployments halted${halt.finished_at === undefined ? ' so far' : ''}`
      : '';
    console.log(`  by ${by} since ${at}${flatten ? ', positions are closed' : ''}${progress}: ${reason}`);
  }
  const [list] = trailsOf(subject, OPERATOR);
  // The newest page needs no head, which may be damaged.
  const page = { page: 1, size: TRAIL_SIZE, head: EMPTY_HEAD };
  const { entries } = list ? await readTrail(store, list, page, missDamaged) : { entries: [] };
  for (const { at, action, by, reason, details } of entries) {
    const whose = details.level === subject.level ? '' : ` (switch ${ownerOf(details)})`;
    console.log(
      `${at}  ${action === 'kill_switch_thrown' ? 'thrown  ' : 're-armed'}  by ${by}${whose}: ${reason}`,
    );
  }
};

/** Prints how many deployments are halted, until all are. */
const watch = async (store: Store, throwId: string): Promise<void> => {
  for (let waited = 0; waited < WATCH_MS; waited += WATCH_EVERY_MS) {
    const halt = await findHalt(store, throwId);
    if (halt?.finished_at !== undefined) {
      console.log(
        halt.halted === 1 ? '1 deployment is halted.' : `${count(halt.halted)} deployments are halted.`,
      );
      return;
    }
    await sleep(WATCH_EVERY_MS);
  }
  console.log('The service goes on halting deployments. --status shows how many are halted.');
};

const run = async (): Promise<void> => {
  const { values } = readOptions(USAGE, {
    options: {
      all: { type: 'boolean', default: false },
      broker: { type: 'string' },
      user: { type: 'string' },
      reason: { type: 'string' },
      flatten: { type: 'boolean', default: false },
      're-arm': { type: 'boolean', default: false },
      status: { type: 'boolean', default: false },
    },
  });
  const { all, broker, user, flatten, status, 're-arm': reArm } = values;
  const reason = tidy(values.reason ?? '');
  if (!status && (reason === '' || reason.length > MAX_REASON)) throw new UsageError(USAGE);
  if (reArm && (flatten || status)) throw new UsageError(USAGE);
  await withExisting(process.env, async (target) => {
    const { store } = target;
    const { subject, name } = await findSubject(
      store,
      { all, broker, user },
      // A change is made whole, so a damaged record is no failure.
      status ? missDamaged : nameDamaged,
    );
    if (status) return await printStatus(store, subject, name);
    const given = { store, clock: () => new Date(), random: randomBytes, onDamaged: nameDamaged };
    const command = { subject, actor: OPERATOR, reason };
    if (reArm) {
      const changed = await reArmSwitch(given, command);
      console.log(`The kill switch ${name} ${changed ? 'is re-armed' : 'was not thrown by an operator'}.`);
      return await printStatus(store, subject, name);
    }
    const throwId = await throwSwitch(given, { ...command, flatten });
    console.log(
      `The kill switch ${name} is thrown in ${target.where}. ${target.isServed ? 'No order leaves.' : 'No service runs on these data.'}`,
    );
    if (target.isServed) await watch(store, throwId);
    else console.log('Deployments are halted when it starts.');
  });
};

run().catch((error: unknown) => {
  console.error(explainAws(error));
  process.exitCode = 1;
});
