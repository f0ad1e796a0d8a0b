import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Item } from '../../../shared/data/table/attributes.ts';
import type { BatchMember } from '../../../shared/data/table/batch-write.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { Store } from '../../../shared/data/table/store.ts';
import type { Condition, Key, Write } from '../../../shared/data/table/writes.ts';
import { findWalk } from '../../../shared/data/user-data/deletion-walk.ts';
import { type Deletion, findDeletion } from '../../../shared/data/user-data/deletions.ts';
import { erasePart } from '../../../shared/data/user-data/sweep.ts';
import { continueDeletion } from '../../../shared/lifecycle/account-deletion.ts';
import { walkForDeletions } from '../../../shared/lifecycle/deletion-walk.ts';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { openEngineClient } from '../../support/engine.ts';
import type { TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, furnish, PASSWORD, signUp } from '../../support/people.ts';

const MINUTE = 60_000;
const PAGE = 4;

const whole = await openHub(furnish);

/** Pages that were read, by the keys at which they begin and end. */
const scans: { from: unknown; to: unknown }[] = [];
/** Runs after each page is read, before anything of it is changed. */
let afterScan: (items: string) => Promise<void> = async () => undefined;
const client = openEngineClient(whole.endpoint);
client.middlewareStack.add(
  (next, context) => async (args) => {
    if (context.commandName !== 'ScanCommand') return next(args);
    const result = await next({ ...args, input: { ...args.input, Limit: PAGE } });
    const from = 'ExclusiveStartKey' in args.input ? args.input.ExclusiveStartKey : undefined;
    const to = 'LastEvaluatedKey' in result.output ? result.output.LastEvaluatedKey : undefined;
    scans.push({ from, to });
    if ('Items' in result.output) await afterScan(JSON.stringify(result.output.Items));
    return result;
  },
  { step: 'initialize', name: 'smallPages' },
);
afterAll(() => client.destroy());
/** The hub, with a table whose pages hold a few items. */
const hub: TestHub = whole.over(new Store(client, whole.runtime.store.table));
const { store } = hub.runtime;

beforeEach(() => {
  scans.length = 0;
  afterScan = async () => undefined;
});

interface Leaver {
  readonly user_id: string;
  readonly email: string;
  readonly deletion_id: string;
}

/** Signs a user up, who then asks for the deletion of the account. */
const leaver = async (): Promise<Leaver> => {
  const { user_id, email, access_token } = (await signUp(hub)).body;
  const { body } = await hub.call('POST /delete_account', {
    query: { user_id },
    json: { email, password: PASSWORD },
    headers: bearer(access_token),
  });
  return { user_id, email, deletion_id: body.deletion_id };
};

const leavers = (count: number): Promise<Leaver[]> => Promise.all(Array.from({ length: count }, leaver));

const run = (over: TestHub = hub, remainingMs?: () => number) =>
  runJob(over.runtime, { job: 'delete-accounts' }, remainingMs);

const deletionOf = async ({ deletion_id }: Leaver): Promise<Deletion> => {
  const deletion = await findDeletion(store, deletion_id);
  if (!deletion) throw new Error('the deletion is gone');
  return deletion;
};

/** Runs the job until the deletions end. */
const finish = async (all: readonly Leaver[]): Promise<Deletion[]> => {
  for (let left = 40; left > 0; left--) {
    const deletions = await Promise.all(all.map(deletionOf));
    if (deletions.every(({ finished_at }) => finished_at !== undefined)) return deletions;
    await run();
    hub.advance(20 * MINUTE);
  }
  throw new Error('the deletions do not end');
};

/** Requires that nothing of a user is left. */
const expectGone = async (all: readonly Leaver[]): Promise<void> => {
  const text = await whole.tableText();
  for (const { user_id, email } of all) {
    expect([user_id, text.includes(user_id), text.includes(email)]).toEqual([user_id, false, false]);
  }
  const claims = await store.getMany(all.map(({ email }) => keys.credentials(email)));
  expect(claims.filter(Boolean)).toEqual([]);
};

/** Requires that the pages which were read are whole rounds, each from the start to the end. @returns their number. */
const expectWholeRounds = (): number => {
  let rounds = 0;
  let place: unknown;
  for (const { from, to } of scans) {
    expect(from).toEqual(place);
    place = to;
    if (to === undefined) rounds += 1;
  }
  expect(place).toBeUndefined();
  return rounds;
};

/** Makes a run that ends after some pages of a round. @returns the pages that it read. */
const runPages = async (pages: number): Promise<number> => {
  const before = scans.length;
  await run(hub, () => (scans.length - before < pages ? Number.POSITIVE_INFINITY : 0));
  return scans.length - before;
};

/** Lets a run read some pages of a round. */
const readPages = async (pages: number): Promise<void> => {
  expect(await runPages(pages)).toBe(pages);
};

/** Takes the steps before the walk: stops, and waits for messages. The next run withdraws and walks. */
const settle = async (): Promise<void> => {
  await runPages(1);
  hub.advance(2 * MINUTE);
};

describe('the walk that deletions share', () => {
  test('reads each page once for all, also with several workers, and none without a deletion', async () => {
    const all = await leavers(5);
    await settle();
    // All wait for the walk: a worker that began a round meanwhile would leave the others to the next one.
    for (const one of all) await continueDeletion(hub.runtime, await deletionOf(one), () => true);
    for (let round = 1; round <= 2; round++) {
      await Promise.all([run(), run(), run()]);
      hub.advance(MINUTE);
    }
    expect(scans.length).toBeGreaterThan(10);
    expect(expectWholeRounds()).toBe(2);
    for (const deletion of await Promise.all(all.map(deletionOf))) {
      expect(deletion).toMatchObject({ finished_at: expect.any(String), rounds: 2 });
      expect([deletion.account, deletion.erased > 0]).toEqual([undefined, true]);
    }
    await expectGone(all);
    const read = scans.length;
    await run();
    expect(scans).toHaveLength(read);
  });

  test('goes on in the next run, and a deletion that comes meanwhile waits for the next round', async () => {
    const first = await leaver();
    await settle();
    await readPages(2);
    const late = await leaver();
    await settle();
    await readPages(2);
    expect((await deletionOf(late)).stage).toBe('sweeping');
    expect((await findWalk(store)).members.map(({ deletion_id }) => deletion_id)).not.toContain(
      late.deletion_id,
    );
    await run();
    expect(expectWholeRounds()).toBe(1);
    const counted = await Promise.all([first, late].map(deletionOf));
    expect(counted.map(({ rounds }) => rounds)).toEqual([1, 0]);
    await finish([first, late]);
    // The first ends with the second round, in which the late one begins.
    expect(expectWholeRounds()).toBe(3);
    await expectGone([first, late]);
  });

  test('takes no more deletions than fit into a round', async () => {
    const all = await leavers(3);
    await run();
    hub.advance(2 * MINUTE);
    for (const one of all) await continueDeletion(hub.runtime, await deletionOf(one), () => true);
    for (let round = 0; round < 2; round++) {
      await walkForDeletions(hub.runtime, () => true, 2);
      hub.advance(MINUTE);
    }
    const rounds = (await Promise.all(all.map(deletionOf))).map((one) => one.rounds);
    expect(rounds.sort()).toEqual([0, 2, 2]);
    await finish(all);
    await expectGone(all);
  });

  test('pauses after a long round, so that a large table is not read all the time', async () => {
    const one = await leaver();
    await settle();
    await readPages(2);
    hub.advance(60 * MINUTE);
    await run();
    expect(expectWholeRounds()).toBe(1);
    hub.advance(179 * MINUTE);
    await run();
    expect(expectWholeRounds()).toBe(1);
    hub.advance(MINUTE);
    await run();
    expect(expectWholeRounds()).toBe(2);
    expect((await deletionOf(one)).finished_at).toBeDefined();
  });

  // A crash before a write leaves the same as one after the write before.
  test('survives a crash at any write', async () => {
    let reached = 0;
    for (let writes = 1; reached === writes - 1; writes++) {
      const one = await leaver();
      await settle();
      await run(whole.over(new DyingStore(whole.runtime.store, writes, false))).then(
        () => undefined,
        () => {
          reached = writes;
        },
      );
      hub.advance(2 * MINUTE);
      const [deletion] = await finish([one]);
      // The round in which it was found does not end it, also if the crash hides what was removed.
      expect(deletion?.rounds).toBeGreaterThan(1);
      await expectGone([one]);
    }
    expect(reached).toBeGreaterThan(6);
  });

  test('one account that fails does not stop the others', async () => {
    const [failing, ...others] = await leavers(3);
    if (!failing) throw new Error('nobody leaves');
    class FailingStore extends Store {
      override batchWrite(members: readonly BatchMember[]): Promise<void> {
        const isHit = members.some(
          (one) => 'delete' in one && one.delete.pk === keys.user(failing?.user_id ?? '').pk,
        );
        return isHit ? Promise.reject(new Error('refused')) : super.batchWrite(members);
      }
    }
    const broken = hub.over(new FailingStore(store.client, store.table));
    await settle();
    // Something of its own is left, which cannot be removed.
    await store.put({ ...keys.pushRegistrations(failing.user_id), entity: 'push_registrations' });
    for (let round = 0; round < 2; round++) {
      await expect(run(broken)).rejects.toThrow('deletions of accounts failed');
      hub.advance(MINUTE);
    }
    const deletions = await Promise.all([failing, ...others].map(deletionOf));
    expect(deletions.map(({ finished_at }) => finished_at !== undefined)).toEqual([false, true, true]);
    await finish([failing]);
    await expectGone([failing, ...others]);
  });

  /** Changes an item right after the walk has read it, once. */
  const changeAfterRead = (pk: string, change: () => Promise<void>): void => {
    afterScan = async (items) => {
      if (!items.includes(`"${pk}"`)) return;
      afterScan = async () => undefined;
      await change();
    };
  };

  test('loses no change of an item of somebody else that names the user', async () => {
    const one = await leaver();
    const key = { pk: 'NOTE#of another', sk: 'NOTE' };
    await settle();
    const likes = { first: { by: one.user_id, is_new: true, at: null } };
    await store.put({ ...key, entity: 'note', text: 'a note', likes, count: 1 });
    const second = { by: 'another', is_new: false, at: null };
    changeAfterRead(key.pk, () =>
      whole.runtime.store.transact([{ key, set: { likes: { ...likes, second }, count: 2 } }]),
    );
    await finish([one]);
    const { pseudonym } = await deletionOf(one);
    expect((await store.getMany([key]))[0]).toMatchObject({
      likes: { first: { by: pseudonym, is_new: true }, second },
      count: 2,
    });
    await expectGone([one]);
  });

  describe('ends whatever strangers do:', () => {
    /** Lets strangers do something before each round. @returns the deletion after the last one */
    const walkWhile = async (one: Leaver, act: (round: number) => Promise<unknown>): Promise<Deletion> => {
      await settle();
      for (let round = 1; round <= 8; round++) {
        await act(round);
        await run();
        hub.advance(20 * MINUTE);
      }
      return deletionOf(one);
    };
    const askForCode = async ({ email }: Leaver): Promise<void> => {
      const { status } = await hub.call('POST /send_otp_password_reset', { query: { email } });
      expect(status).toBe(200);
      const [code] = await store.getMany([keys.oneTimeCode(email, 'password_reset')]);
      expect(code).toMatchObject({ entity: 'one_time_code' });
    };

    test('requests of codes for the e-mail', async () => {
      const one = await leaver();
      const deletion = await walkWhile(one, () => askForCode(one));
      expect(deletion).toMatchObject({ rounds: 2, finished_at: expect.any(String) });
      await expectGone([one]);
      // The last request came after the end. Its record knows no user and expires within the hour.
      const [left] = await store.getMany([keys.oneTimeCode(one.email, 'password_reset')]);
      expect(left?.user_id).toBeUndefined();
      expect(left?.expires_at_s).toBeLessThanOrEqual(hub.runtime.clock().getTime() / 1000 + 3600);
    });

    test('their own records that mention the user: those from before are changed, and those of the first rounds', async () => {
      const one = await leaver();
      const keyOf = (round: number): Key => ({ pk: `NOTE#${one.user_id.slice(0, 8)} ${round}`, sk: 'NOTE' });
      const deletion = await walkWhile(one, (round) =>
        store.put({ ...keyOf(round), entity: 'note', text: `Write to ${one.email} for more` }),
      );
      expect(deletion).toMatchObject({ rounds: 4, finished_at: expect.any(String) });
      const notes = await store.getMany([1, 2, 3, 4].map(keyOf));
      expect(notes.map((note) => note?.text)).toEqual(
        [1, 2, 3, 4].map(() => `Write to ${deletion.pseudonym} for more`),
      );
    });

    test('but not before something of the user itself is removed', async () => {
      const one = await leaver();
      const own = { ...keys.pushRegistrations(one.user_id), entity: 'push_registrations' };
      expect((await walkWhile(one, () => store.put(own))).finished_at).toBeUndefined();
      await finish([one]);
      await expectGone([one]);
    });

    test('and not before a mention is removed that fails', async () => {
      const one = await leaver();
      const key = { pk: 'NOTE#that cannot be changed', sk: 'NOTE' };
      class RefusingStore extends Store {
        override transact(writes: readonly Write[]): Promise<void> {
          const isHit = writes.some((write) => 'key' in write && write.key.pk === key.pk);
          return isHit ? Promise.reject(new Error('refused')) : super.transact(writes);
        }
      }
      const broken = hub.over(new RefusingStore(store.client, store.table));
      await settle();
      await store.put({ ...key, entity: 'note', text: one.email });
      for (let round = 1; round <= 6; round++) {
        await expect(run(broken)).rejects.toThrow('deletions of accounts failed');
        hub.advance(20 * MINUTE);
      }
      expect((await deletionOf(one)).finished_at).toBeUndefined();
      await finish([one]);
      await expectGone([one]);
    });
  });

  test('leaves a device to the user who has registered on it meanwhile', async () => {
    const one = await leaver();
    const other = (await signUp(hub)).body.user_id;
    const key = keys.pushKey('a device of two');
    await settle();
    await store.put({ ...key, entity: 'push_key', user_id: one.user_id });
    changeAfterRead(key.pk, () => whole.runtime.store.transact([{ key, set: { user_id: other } }]));
    await finish([one]);
    expect((await store.getMany([key]))[0]).toMatchObject({ user_id: other });
    await expectGone([one]);
  });

  test('changes the items of a page ten at a time, so that waiting for other writers does not outlast its lease', async () => {
    let running = 0;
    let most = 0;
    const counted = async (work: () => Promise<void>): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await work().finally(() => {
        running -= 1;
      });
    };
    class CountingStore extends Store {
      override delete(key: Key, condition?: Condition): Promise<void> {
        return counted(() => super.delete(key, condition));
      }
      override transact(writes: readonly Write[]): Promise<void> {
        return counted(() => super.transact(writes));
      }
    }
    const claims = Array.from({ length: 25 }, (_, n) => ({ key: keys.pushKey(`one of ${n}`), userId: 'U' }));
    const items = Array.from({ length: 25 }, (_, n): Item => ({ pk: `NOTE#${n}`, sk: 'NOTE', by: 'U' }));
    for (const { key } of claims) await store.put({ ...key, entity: 'push_key', user_id: 'U' });
    for (const item of items) await store.put(item);
    const replaced = (item: Item): Item => ({ ...item, by: 'deleted' });
    const part = { deletionIds: [], recurring: new Set<string>(), moved: [], removed: [], referred: [] };
    const counting = new CountingStore(store.client, store.table);
    await erasePart(counting, { ...part, claims, rewrites: [] });
    expect(most).toBe(10);
    most = 0;
    await erasePart(counting, { ...part, claims: [], rewrites: items.map((item) => ({ item, replaced })) });
    expect(most).toBe(10);
    expect(await store.getMany(claims.map(({ key }) => key))).toEqual(claims.map(() => undefined));
    const changed = await store.getMany(items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })));
    expect(changed).toEqual(items.map(replaced));
  });

  test('passes by a deletion that cannot be read, and reports it', async () => {
    const one = await leaver();
    const key = { ...keys.deletion('damaged'), entity: 'account_deletion' };
    const due_at = hub.runtime.clock().getTime() + 60 * 24 * MINUTE;
    await store.put({ ...key, due_kind: 'account_sweep', due_at, stage: 'sweeping' });
    let reports: readonly unknown[] = [];
    for (let minute = 0; minute < 12; minute++) {
      await runJob(hub.runtime, { job: 'delete-accounts' }).catch((error: unknown) => {
        reports = error instanceof AggregateError ? error.errors : [error];
      });
      hub.advance(MINUTE);
    }
    expect(reports).toEqual([
      expect.objectContaining({
        name: 'DamagedItemError',
        message: 'the deletion DELETION#damaged cannot be read: deletion_id: field required',
      }),
    ]);
    await store.delete({ pk: key.pk, sk: key.sk });
    expect((await deletionOf(one)).finished_at).toBeDefined();
    await expectGone([one]);
  });

  test('ends with a round that found nothing, and not before', async () => {
    const one = await leaver();
    await settle();
    await run();
    // A late message writes again what is gone.
    await store.put({ ...keys.pushRegistrations(one.user_id), entity: 'push_registrations' });
    hub.advance(MINUTE);
    await run();
    expect((await deletionOf(one)).finished_at).toBeUndefined();
    await finish([one]);
    await expectGone([one]);
  });
});
