import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { entryKey } from '../../../shared/data/numbered-list/numbered-list.ts';
import { rankingIn, rankingKey } from '../../../shared/data/rankings/rankings.ts';
import { EXPLORE_LIST } from '../../../shared/data/strategies/listings.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { rankedFigures } from '../../../shared/domain/rankings/ranked-figures.ts';
import { MAX_RANKED, type Ranking } from '../../../shared/domain/rankings/rankings.ts';
import { categoriesOf } from '../../../shared/domain/strategies/categories.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { putCards, type RandomCard, randomCards, rank, setRecordsBegun } from '../../support/rankings.ts';

let hub: TestHub;
beforeEach(async () => {
  hub = await startHub([]);
});
afterEach(() => hub.close());

const CARDS = 2200;

/** Ranks a list of cards plainly. */
const plainly = (cards: readonly RandomCard[], { sort, category, isLow }: Ranking): number[] =>
  cards
    .flatMap((card) => {
      const figures = rankedFigures(card);
      if (!figures || (category !== undefined && !categoriesOf(card).includes(category))) return [];
      if (isLow && figures.drawdown_pct >= 20) return [];
      const { sharpe_ratio, cagr_pct, volatility_pct, years, drawdown_pct } = figures;
      // The luck of the best of 100 records.
      const luck = 2.5306028932 / Math.sqrt(years);
      const score = {
        newest: card.seq,
        return: cagr_pct - luck * volatility_pct,
        sharpe: sharpe_ratio - luck,
        drawdown: -drawdown_pct,
      }[sort];
      return [{ seq: card.seq, score: Number(score.toFixed(4)) }];
    })
    .toSorted((left, right) => right.score - left.score || left.seq - right.seq)
    .slice(0, MAX_RANKED)
    .map(({ seq }) => seq);

const RANKINGS: readonly Ranking[] = [
  { sort: 'newest', category: undefined, isLow: false },
  { sort: 'return', category: undefined, isLow: false },
  { sort: 'sharpe', category: undefined, isLow: true },
  { sort: 'sharpe', category: 'crypto', isLow: false },
  { sort: 'drawdown', category: 'scalping', isLow: false },
  { sort: 'return', category: 'multi', isLow: true },
];

const storedRankings = async (): Promise<(readonly number[])[]> => {
  const items = await hub.runtime.store.getMany(RANKINGS.map(rankingKey), { consistent: true });
  return items.map((item) => rankingIn(item).seqs);
};

/** Time for so many looks at the clock. */
const looks = (count: number) => {
  let left = count;
  return () => (left-- > 0 ? 60_000 : 5_000);
};

test('rankings are those of a plain sort, in one run or in many with a crash between', async () => {
  await setRecordsBegun(hub, 100);
  const cards = randomCards(hub, 7, CARDS);
  await putCards(hub, cards);
  const expected = RANKINGS.map((ranking) => plainly(cards, ranking));
  expect(expected.map(({ length }) => length)).toContain(MAX_RANKED);
  await rank(hub);
  expect(await storedRankings()).toEqual(expected);

  hub.advance(3_600_000);
  let runs = 0;
  for (let more = true; more; runs++) {
    ({ more } = await runJob(hub.runtime, { job: 'rank-strategies' }, looks(1)));
    // Begins the round again: the pool is of another place.
    if (runs === 1)
      await hub.runtime.store.transact([{ key: keys.rankingPool('crypto'), set: { through: 3 } }]);
  }
  expect(runs).toBeGreaterThan(3);
  expect(await storedRankings()).toEqual(expected);
});

test('a card that cannot be read is reported, and the others are ranked', async () => {
  const [damaged, ...others] = randomCards(hub, 8, 50);
  if (!damaged) throw new Error('no card was made');
  await putCards(hub, [damaged, ...others]);
  await hub.runtime.store.transact([
    { key: entryKey(EXPLORE_LIST, damaged.seq), set: { performance: 'nonsense' } },
  ]);
  await expect(rank(hub)).rejects.toThrow('1 in a round of rank-strategies failed');
  const item = await hub.runtime.store.getMany([
    rankingKey({ sort: 'newest', category: undefined, isLow: false }),
  ]);
  expect(rankingIn(item[0]).seqs).toEqual(
    plainly(others, { sort: 'newest', category: undefined, isLow: false }),
  );
});

test('a round is due once an hour, and a missed one is left out', async () => {
  const run = async () => (await runJob(hub.runtime, { job: 'rank-strategies' })).round;
  await putCards(hub, randomCards(hub, 9, 3));
  const first = await run();
  expect(first?.done).toBe(3);
  hub.advance(60_000);
  expect((await run())?.started_at).toBe(first?.started_at);
  hub.advance(5 * 3_600_000);
  expect((await run())?.started_at).not.toBe(first?.started_at);
});

test('a round whose found strategies are damaged is reported, and begins again', async () => {
  const cards = randomCards(hub, 11, CARDS);
  await putCards(hub, cards);
  const { store } = hub.runtime;
  const run = () => runJob(hub.runtime, { job: 'rank-strategies' }, looks(1));
  expect((await run()).more).toBe(true);
  await store.transact([{ key: keys.rankingPool('swing'), set: { found: 'nonsense' } }]);
  await expect(run()).rejects.toThrow('1 in a round of rank-strategies failed');
  for (let more = true; more; ) ({ more } = await run());
  const newest = { sort: 'newest', category: 'swing', isLow: false } as const;
  const [item] = await store.getMany([rankingKey(newest)], { consistent: true });
  expect(rankingIn(item).seqs).toEqual(plainly(cards, newest));
});
