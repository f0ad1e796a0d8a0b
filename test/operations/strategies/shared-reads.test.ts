import { describe, expect, test } from '@jest/globals';
import { SHARED_MS } from '../../../shared/data/table/timed-memory.ts';
import { openHub } from '../../support/open-hub.ts';
import {
  build,
  explore,
  furnishWithInstruments,
  like,
  list,
  person,
  search,
  setState,
} from '../../support/strategies.ts';

const hub = await openHub(furnishWithInstruments);

const listed = async (strategy_name: string) => {
  const author = await person(hub);
  const { body } = await build(hub, { user_id: author.user_id, strategy_name });
  await list(hub, author.user_id, body.strategy_id);
  return { ...author, strategy_id: Number(body.strategy_id) };
};

const callsOf = async (run: () => Promise<unknown>): Promise<number> => {
  hub.takeCalls();
  await run();
  return hub.takeCalls().length;
};

describe('the first page of the catalogue', () => {
  test('is read once for all callers, and again after some seconds', async () => {
    await listed('Shared One');
    const viewers = await Promise.all(Array.from({ length: 3 }, () => person(hub)));
    hub.advance(SHARED_MS);
    const pages = () => Promise.all(viewers.map(({ user_id }) => explore(hub, user_id)));
    // One read for each viewer, and one for the page.
    expect(await callsOf(pages)).toBe(4);
    hub.advance(SHARED_MS - 1);
    expect(await callsOf(pages)).toBe(3);
    hub.advance(1);
    expect(await callsOf(pages)).toBe(4);
  });

  test('shows each caller the own likes', async () => {
    const { strategy_id } = await listed('Shared Likes');
    const [fan, other] = [await person(hub), await person(hub)];
    const isLiked = async (user_id: string) => (await explore(hub, user_id)).body.items[0].is_liked;
    expect([await isLiked(fan.user_id), await isLiked(other.user_id)]).toEqual([false, false]);
    await like(hub, fan.user_id, strategy_id);
    expect([await isLiked(fan.user_id), await isLiked(other.user_id)]).toEqual([true, false]);
    expect((await explore(hub, other.user_id)).body.items[0].like_count).toBe(1);
  });

  test('shows what is published and withdrawn at once, to everyone', async () => {
    const viewer = await person(hub);
    const before = (await explore(hub, viewer.user_id)).body;
    const { user_id, strategy_id } = await listed('Shared News');
    const first = async (id: string) => (await explore(hub, id)).body.items[0].strategy_id;
    expect([await first(user_id), await first(viewer.user_id)]).toEqual([strategy_id, strategy_id]);
    await setState(hub, user_id, strategy_id, 0);
    expect((await explore(hub, viewer.user_id)).body).toEqual(before);
  });

  test('shows a change of a strategy at once where it was made', async () => {
    const { user_id, strategy_id } = await listed('Shared Old');
    const name = async () => (await explore(hub, user_id)).body.items[0].strategy_name;
    expect(await name()).toBe('Shared Old');
    const query = { user_id, strategy_id: String(strategy_id), strategy_name: 'Shared New' };
    expect((await hub.call('POST /rename_strategy', { query })).status).toBe(200);
    expect(await name()).toBe('Shared New');
  });
});

test('a search is answered from memory for some seconds, and again after a change of a strategy', async () => {
  const found = async () => (await search(hub, 'quokka')).body.length;
  expect(await found()).toBe(0);
  const { user_id, strategy_id } = await listed('Quokka Breakout');
  expect(await callsOf(found)).toBe(3);
  expect(await callsOf(found)).toBe(0);
  hub.advance(SHARED_MS);
  expect(await callsOf(found)).toBe(3);
  await setState(hub, user_id, strategy_id, 0);
  expect(await found()).toBe(0);
});

test('the brokers of sign-in pages and the retail brokers are read once for all callers', async () => {
  const [one, other] = [await person(hub), await person(hub)];
  hub.advance(SHARED_MS);
  const blloo = () => hub.call('GET /blloo');
  expect(await callsOf(blloo)).toBe(2);
  expect(await callsOf(blloo)).toBe(0);
  const retail = (user_id: string) => () => hub.call('GET /get_b2c_brokers', { query: { user_id } });
  expect(await callsOf(retail(one.user_id))).toBe(2);
  expect(await callsOf(retail(other.user_id))).toBe(1);
});
