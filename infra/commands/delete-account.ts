import { randomBytes } from 'node:crypto';
import type { Store } from '../../shared/data/table/store.ts';
import { findWalk } from '../../shared/data/user-data/deletion-walk.ts';
import { type Deletion, findDeletion } from '../../shared/data/user-data/deletions.ts';
import { hasRealExposure, requestDeletion } from '../../shared/lifecycle/account-deletion.ts';
import { type Target, withExisting } from '../catalogue/target.ts';
import { count, UsageError } from './command-line.ts';
import { explainAws } from './explain-aws.ts';
import { findNamedUser } from './find-user.ts';
import { readOptions } from './read-options.ts';

const USAGE = `npm run delete-account -- --user ID|EMAIL     begins the deletion of an account
npm run delete-account -- --status DELETION_ID

Ends all sessions of the user. The job delete-accounts then stops the deployments and removes everything of the user,
for good; it takes some minutes, days in a large table, and goes on after a crash. Refused while real deployments run,
or real positions or orders are open. npm run export -- --user … writes a copy before. Backups keep the account until
they expire.
HUB_TABLE selects a table on AWS, HUB_DYNAMODB_ENDPOINT your own database. The default is the data of npm start.`;

/** @param inRound records that the round which runs has removed. */
const describe = ({ stage, waits_for, erased, rounds, finished_at }: Deletion, inRound: number): string => {
  if (finished_at !== undefined)
    return `The account was deleted at ${finished_at}: ${count(erased)} records.`;
  const waiting = waits_for === undefined ? '' : `, waits for ${waits_for}`;
  const round = stage === 'sweeping' ? `, round ${rounds + 1}` : '';
  return `The account is being deleted: ${stage}${round}${waiting}, ${count(erased + inRound)} records so far. It goes on every minute.`;
};

const printStatus = async (store: Store, deletionId: string): Promise<void> => {
  const deletion = await findDeletion(store, deletionId);
  if (!deletion) throw new UsageError('There is no such deletion.');
  const { members } = await findWalk(store);
  const member = members.find(({ deletion_id }) => deletion_id === deletionId);
  console.log(describe(deletion, member?.erased ?? 0));
};

const begin = async ({ store, where, isServed }: Target, name: string): Promise<void> => {
  const user = await findNamedUser(store, name);
  if (user.deletion) return printStatus(store, user.deletion.deletion_id);
  if (await hasRealExposure(store, user.user_id)) {
    throw new UsageError(
      'Real deployments run, or real positions or orders are open. Stop the deployments and close the positions first.',
    );
  }
  const given = { store, clock: () => new Date(), random: randomBytes };
  const { deletion_id } = await requestDeletion(given, { user, by: 'operator' });
  console.log(`The account in ${where} is being deleted. Its sessions have ended.`);
  console.log(`Deletion  ${deletion_id}`);
  if (!isServed) console.log('The job delete-accounts goes on when the service starts.');
};

const run = async (): Promise<void> => {
  const { values } = readOptions(USAGE, {
    options: { user: { type: 'string' }, status: { type: 'string' } },
  });
  const { user, status } = values;
  if ((user === undefined) === (status === undefined)) throw new UsageError(USAGE);
  await withExisting(process.env, async (target) => {
    if (user !== undefined) await begin(target, user);
    else await printStatus(target.store, status ?? '');
  });
};

run().catch((error: unknown) => {
  console.error(explainAws(error));
  process.exitCode = 1;
});
