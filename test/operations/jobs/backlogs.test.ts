import { expect, test } from '@jest/globals';
import { findDueHalts, newHaltWrite } from '../../../shared/data/switches/halts.ts';
import { findDeletion, newDeletionWrites } from '../../../shared/data/user-data/deletions.ts';
import { runJob } from '../../support/jobs.ts';
import { openHub } from '../../support/open-hub.ts';

const hub = await openHub();
const { store, clock } = hub.runtime;

const NAMES = Array.from({ length: 130 }, (_, n) => `backlog-${n}`);

test('one run takes up all kill switches that a crash left', async () => {
  for (const throw_id of NAMES) {
    const subject = { level: 'user', user_id: throw_id } as const;
    const thrown = { throw_id, subject, actor: { by: 'user' }, reason: 'Enough.', flatten: false } as const;
    await store.transact([newHaltWrite({ ...thrown, at: clock().toISOString() }, clock())]);
  }
  hub.advance(120_000);
  expect(await findDueHalts(store, clock(), 1000)).toHaveLength(NAMES.length);
  expect(await runJob(hub.runtime, { job: 'halt-deployments' })).toEqual({ done: 0, more: false });
  expect(await findDueHalts(store, clock(), 1000)).toEqual([]);
});

test('one run goes on with all accounts to delete', async () => {
  for (const [n, deletion_id] of NAMES.entries()) {
    const account = {
      user_id: deletion_id,
      user_key: deletion_id,
      email: `${deletion_id}@b.example`,
      name: '',
      referral_code: deletion_id,
    };
    const begun = { deletion_id, pseudonym: `gone-${n}`, by: 'user', account } as const;
    const [write] = newDeletionWrites(begun, undefined, clock());
    if (!write) throw new Error('a deletion begins with its item');
    await store.transact([write]);
  }
  const all = () => Promise.all(NAMES.map((id) => findDeletion(store, id)));
  expect(await runJob(hub.runtime, { job: 'delete-accounts' })).toEqual({ done: NAMES.length, more: false });
  expect((await all()).filter((one) => one?.stage === 'stopping')).toEqual([]);
});
