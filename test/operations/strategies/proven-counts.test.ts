import { beforeEach, expect, test } from '@jest/globals';
import { keys } from '../../../shared/data/table/keys.ts';
import { runJob } from '../../support/jobs.ts';
import { openHub } from '../../support/open-hub.ts';
import { prove, registerUnproven } from '../../support/people.ts';
import { proveByLink } from '../../support/secured.ts';
import {
  build,
  copy,
  explore,
  furnishWithInstruments,
  like,
  list,
  person,
  search,
} from '../../support/strategies.ts';
import { deployTrading } from '../../support/trading.ts';

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(60_000));

/** Makes a listed strategy. */
const listed = async (strategy_name: string) => {
  const author = await person(hub);
  const { body } = await build(hub, { user_id: author.user_id, strategy_name });
  await list(hub, author.user_id, body.strategy_id);
  return { author, ...body } as {
    author: typeof author;
    strategy_id: number;
    strategy_key: string;
    keygen: string;
  };
};

/** Returns the counts that others see. */
const countsOf = async ({ author, strategy_id }: Awaited<ReturnType<typeof listed>>) => {
  // The first page of the catalogue is kept for some seconds.
  hub.advance(6000);
  const { body } = await explore(hub, author.user_id);
  const card = body.items.find((one: { strategy_id: number }) => one.strategy_id === strategy_id);
  const [stored] = await hub.runtime.store.getMany([keys.strategy(strategy_id)], { consistent: true });
  expect(card).toMatchObject({ like_count: stored?.like_count, copy_count: stored?.copy_count });
  return [stored?.like_count, stored?.copy_count, stored?.deployment_count];
};

const unproven = async () => (await registerUnproven(hub)).body as { user_id: string; email: string };

test('twelve accounts that nobody has proven give no likes, copies or deployments', async () => {
  const strategy = await listed('Twelve Accounts');
  for (let count = 0; count < 12; count += 1) {
    const { user_id } = await unproven();
    const liked = await like(hub, user_id, strategy.strategy_id);
    expect(liked).toMatchObject({ status: 200, body: { is_liked: true, like_count: 0 } });
    const copied = await copy(hub, user_id, strategy.strategy_key);
    expect(copied).toMatchObject({ status: 200, body: { is_copied: 1 } });
    expect((await deployTrading(hub, copied.body.keygen)).status).toBe(200);
  }
  expect(await countsOf(strategy)).toEqual([0, 0, 0]);
});

test('a proven account counts once, however often it copies and deploys, and the author never', async () => {
  const strategy = await listed('Counted Once');
  const reader = await person(hub);
  for (const user_id of [reader.user_id, strategy.author.user_id]) {
    for (let count = 0; count < 3; count += 1) {
      await like(hub, user_id, strategy.strategy_id);
      const { body } = await copy(hub, user_id, strategy.strategy_key);
      for (let made = 0; made < 2; made += 1) {
        const { body: deployed } = await deployTrading(hub, body.keygen);
        await hub.call('POST /undeploy_live_strategy', {
          query: { user_id, deployment_id: String(deployed.deployment_id) },
        });
      }
    }
  }
  await deployTrading(hub, strategy.keygen);
  expect(await countsOf(strategy)).toEqual([1, 1, 1]);
  await like(hub, reader.user_id, strategy.strategy_id, false);
  await like(hub, strategy.author.user_id, strategy.strategy_id, false);
  expect(await countsOf(strategy)).toEqual([0, 1, 1]);
});

test('copies and deployments of one user at the same time count once', async () => {
  const strategy = await listed('At Once');
  const { user_id } = await person(hub);
  const copies = await Promise.all(
    Array.from({ length: 4 }, () => copy(hub, user_id, strategy.strategy_key)),
  );
  expect(copies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const deployed = await Promise.all(copies.map(({ body }) => deployTrading(hub, body.keygen)));
  expect(deployed.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await countsOf(strategy)).toEqual([0, 1, 1]);
});

test('an account counts from the proof of its e-mail on, and ranks the strategy in search', async () => {
  const strategy = await listed('Quaggaproof');
  const early = await Promise.all(Array.from({ length: 3 }, unproven));
  for (const { user_id } of early) {
    await like(hub, user_id, strategy.strategy_id);
    const { body } = await copy(hub, user_id, strategy.strategy_key);
    await deployTrading(hub, body.keygen);
  }
  expect(await countsOf(strategy)).toEqual([0, 0, 0]);
  for (const [index, one] of early.entries()) {
    hub.advance(60_000);
    expect((await proveByLink(hub, one)).status).toBe(200);
    expect(await countsOf(strategy)).toEqual([index + 1, index + 1, index + 1]);
  }
  expect((await search(hub, 'quagga')).body).toMatchObject([{ like_count: 3 }]);
  const [one] = early;
  expect((await like(hub, one?.user_id ?? '', strategy.strategy_id, false)).body.like_count).toBe(2);
});

test('the weekly comparison counts what a proof has missed, and no longer what lost its proof', async () => {
  const strategy = await listed('Compared');
  const [missed, lost] = [await unproven(), await person(hub)];
  for (const { user_id } of [missed, lost]) {
    await like(hub, user_id, strategy.strategy_id);
    const { body } = await copy(hub, user_id, strategy.strategy_key);
    await deployTrading(hub, body.keygen);
  }
  expect(await countsOf(strategy)).toEqual([1, 1, 1]);
  const check = async () => {
    const { round } = await runJob(hub.runtime, { job: 'reconcile-lists', by_hand: true });
    return round?.counts['tallies.repaired'];
  };
  await prove(hub, missed.user_id);
  expect(await check()).toBe(3);
  expect(await countsOf(strategy)).toEqual([2, 2, 2]);
  await hub.runtime.store.transact([{ key: keys.user(lost.user_id), set: { email_verified: false } }]);
  expect(await check()).toBe(3);
  expect(await check()).toBeUndefined();
  expect(await countsOf(strategy)).toEqual([1, 1, 1]);
});
