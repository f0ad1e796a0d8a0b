import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { SHARED_MS } from '../../../shared/data/table/timed-memory.ts';
import { CATEGORIES } from '../../../shared/domain/strategies/categories.ts';
import { openHub } from '../../support/open-hub.ts';
import { crossRules } from '../../support/rules.ts';
import { soakable } from '../../support/soak.ts';
import {
  build,
  categoryCounts,
  copy,
  explore,
  furnishWithInstruments,
  like,
  list,
  person,
  profile,
  search,
  setRules,
  setState,
} from '../../support/strategies.ts';

const hub = await openHub(furnishWithInstruments);

const NAMES = ['Aurora', 'Borealis dawn', 'Cumulus', 'Dune walker', 'Ember', 'Fjord'] as const;
const KINDS = [
  { symbol: 'AAPL', timeframe: '1m', categories: ['equity', 'scalping'] },
  { symbol: 'EURUSD', timeframe: '1h', categories: ['forex', 'intraday'] },
  { symbol: 'BTCUSD', timeframe: '1w', categories: ['crypto', 'positional'] },
] as const;

/** A simple model of the strategies that the hub must hold. */
interface Model {
  readonly id: number;
  readonly key: string;
  readonly categories: readonly string[];
  name: string;
  state: number;
  listed: boolean;
  /** Sentence that others see. */
  sentence: string | null;
  closed: boolean;
  readonly likers: Set<number>;
  /** People who copied it: each counts once. */
  readonly copiers: Set<number>;
}

type Step = { readonly do: string; readonly strategy: number; readonly by: number; readonly value: number };

const steps = fc.array(
  fc.record({
    do: fc.constantFrom('list', 'list', 'state', 'rename', 'rules', 'like', 'like', 'unlike', 'copy'),
    strategy: fc.nat(2),
    by: fc.nat(3),
    value: fc.nat(5),
  }),
  { minLength: 5, maxLength: 25 },
);

const ids = (body: readonly { strategy_id: number }[]) => body.map(({ strategy_id }) => strategy_id);
const byId = (models: readonly Model[]) => models.map(({ id }) => id).sort((a, b) => a - b);

test('no list, count or search has outdated entries, after any operations in any order', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.uuid(), async (walk, run) => {
      const unique = `w${run.replaceAll('-', '').slice(0, 12)}`;
      const author = await person(hub, `Author ${unique}`);
      const fans = await Promise.all(Array.from({ length: 4 }, () => person(hub)));
      const models: Model[] = [];
      for (const [index, { categories, ...kind }] of KINDS.entries()) {
        hub.advance(10);
        const { body } = await build(hub, {
          user_id: author.user_id,
          strategy_name: `${NAMES[index]} ${unique}`,
          ...kind,
        });
        models.push({
          id: body.strategy_id,
          key: body.strategy_key,
          categories,
          name: `${NAMES[index]} ${unique}`,
          state: 0,
          listed: false,
          sentence: null,
          closed: false,
          likers: new Set(),
          copiers: new Set(),
        });
      }
      const before = await categoryCounts(hub);

      const take = async ({ do: what, strategy, by, value }: Step): Promise<void> => {
        const model = models[strategy];
        const fan = fans[by];
        if (!model || !fan) throw new Error('a step names nobody');
        hub.advance(10);
        if (what === 'list') {
          expect((await list(hub, author.user_id, model.id)).status).toBe(200);
          Object.assign(model, { state: 1, listed: true });
        } else if (what === 'state') {
          expect((await setState(hub, author.user_id, model.id, value % 3)).status).toBe(200);
          Object.assign(model, { state: value % 3, listed: model.listed && value % 3 === 1 });
        } else if (what === 'rename') {
          const name = `${NAMES[value]} ${unique} ${model.id}`;
          const { status } = await hub.call('POST /rename_strategy', {
            query: { user_id: author.user_id, strategy_id: String(model.id), strategy_name: name },
          });
          expect(status).toBe(200);
          model.name = name;
        } else if (what === 'rules') {
          const owned = { user_id: author.user_id, strategy_id: model.id };
          const rules_visibility = value < 3 ? 'open' : 'closed';
          const { status } = await setRules(hub, owned, crossRules(5, 10 + value), { rules_visibility });
          expect(status).toBe(200);
          model.closed = value >= 3;
          model.sentence = model.closed
            ? null
            : `Buys with 100% of equity when SMA(5) crosses above SMA(${10 + value}).`;
        } else if (what === 'copy') {
          const { status } = await copy(hub, fan.user_id, model.key);
          expect(status).toBe(model.state === 0 ? 404 : model.closed ? 403 : 200);
          if (status === 200) model.copiers.add(by);
        } else {
          const liked = what === 'like';
          const { status } = await like(hub, fan.user_id, model.id, liked);
          const open = model.state === 1 || (model.state === 2 && model.copiers.has(by));
          expect(status).toBe(open || (!liked && model.likers.has(by)) ? 200 : 404);
          if (status === 200 && liked) model.likers.add(by);
          else if (status === 200) model.likers.delete(by);
        }
      };
      for (const step of walk) await take(step);
      hub.advance(SHARED_MS);

      const listed = models.filter((model) => model.listed);
      const onProfile = models.filter(({ state }) => state === 1);
      const shown = (await profile(hub, author.user_key, { size: '100' })).body;
      expect(ids(shown.items).sort((a, b) => a - b)).toEqual(byId(onProfile));
      expect(shown.total).toBe(onProfile.length);
      for (const { strategy_id, strategy_name, sentence, like_count, copy_count } of shown.items) {
        const model = models.find(({ id }) => id === strategy_id);
        expect({ strategy_name, sentence, like_count, copy_count }).toEqual({
          strategy_name: model?.name,
          sentence: model?.sentence,
          like_count: model?.likers.size,
          copy_count: model?.copiers.size,
        });
      }

      const all = (await explore(hub, author.user_id, { size: '100' })).body.items;
      const mine = all.filter(
        ({ author: { user_key } }: { author: { user_key: string } }) => user_key === author.user_key,
      );
      expect(ids(mine).sort((a, b) => a - b)).toEqual(byId(listed));
      for (const { strategy_id, strategy_name, sentence, like_count } of mine) {
        const model = models.find(({ id }) => id === strategy_id);
        expect({ strategy_name, sentence, like_count }).toEqual({
          strategy_name: model?.name,
          sentence: model?.sentence,
          like_count: model?.likers.size,
        });
      }

      const after = await categoryCounts(hub);
      for (const { slug } of CATEGORIES) {
        const expected = listed.filter(({ categories }) => categories.includes(slug)).length;
        expect([slug, (after[slug] ?? 0) - (before[slug] ?? 0)]).toEqual([slug, expected]);
      }

      expect(ids((await search(hub, unique)).body).sort((a, b) => a - b)).toEqual(byId(listed));
      for (const name of NAMES) {
        const found = ids((await search(hub, `${name} ${unique}`)).body).sort((a, b) => a - b);
        expect([name, found]).toEqual([name, byId(listed.filter((model) => model.name.startsWith(name)))]);
      }

      for (const [index, { user_id }] of fans.entries()) {
        const { body } = await hub.call('GET /get_explore_strategy_favourites', { query: { user_id } });
        const liked = models.filter(({ likers, state }) => likers.has(index) && state !== 0);
        expect(ids(body).sort((a, b) => a - b)).toEqual(byId(liked));
      }
      // Restores the catalogue, as the next run reads its first page.
      for (const { id } of models) await setState(hub, author.user_id, id, 0);
      hub.advance(SHARED_MS);
      expect(ids((await search(hub, unique)).body)).toEqual([]);
    }),
    { numRuns: soakable(2, 24) },
  );
});
