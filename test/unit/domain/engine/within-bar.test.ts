import fc from 'fast-check';
import {
  type EntryPlace,
  judge,
  type Reach,
  reachStop,
  reachTarget,
} from '../../../../shared/domain/engine/account/within-bar.ts';

/** A path of prices: the price moves straight from each to the next. */
type Path = readonly number[];

interface Subject {
  readonly side: 1 | -1;
  readonly place: EntryPlace;
  /** Price of the entry, or the open. */
  readonly entry: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** Returns the part of a path from its first touch of a price on. */
const from = (path: Path, price: number): Path => {
  for (const [index, end] of path.entries()) {
    const begin = path[index - 1] ?? end;
    if (Math.min(begin, end) <= price && price <= Math.max(begin, end)) return [price, ...path.slice(index)];
  }
  return [];
};

const isReached = (path: Path, level: number): boolean =>
  Math.min(...path) <= level && level <= Math.max(...path);

/** Paths through high and low that suffice to show both outcomes of an open level, and some more. */
const pathsOf = ({ open, high, low, close, entry }: Subject, turns: readonly number[]): Path[] =>
  [
    [high, low],
    [low, high],
    [entry, high, low],
    [entry, low, high],
    [high, low, high],
    [low, high, low],
    [...turns, high, low],
    [...turns, low, high],
  ].map((extremes) => [open, ...extremes, close]);

const price = fc.integer({ min: 1, max: 12 });

const subjects = fc
  .record({
    side: fc.constantFrom(1 as const, -1 as const),
    prices: fc.array(price, { minLength: 4, maxLength: 4 }),
    place: fc.constantFrom<EntryPlace>('open', 'limit', 'stop'),
    entry: price,
    level: price,
    turns: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
  })
  .map(({ side, prices, place, entry, level, turns }) => {
    const [open = 0, close = 0] = prices;
    const high = Math.max(...prices);
    const low = Math.min(...prices);
    const inside = turns.map((part) => low + part * (high - low));
    return {
      side,
      place,
      entry: place === 'open' ? open : entry,
      open,
      high,
      low,
      close,
      level,
      turns: inside,
    };
  })
  // The bar reaches the entry from the side that its kind names.
  .filter(({ side, place, entry, open, high, low }) => {
    if (place === 'open') return true;
    return (
      entry >= low &&
      entry <= high &&
      (place === 'limit' ? (open - entry) * side > 0 : (open - entry) * side < 0)
    );
  });

const barOf = ({ open, high, low, close }: Subject) => Float64Array.of(0, open, high, low, close, 1);

const reachBy = (subject: Subject, turns: readonly number[], level: number): Reach => {
  const reached = pathsOf(subject, turns).map((path) => isReached(from(path, subject.entry), level));
  if (reached.every((one) => one)) return 'certain';
  return reached.some((one) => one) ? 'open' : 'impossible';
};

test('a level is certain if all paths reach it after the entry, impossible if none does, else open', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(subjects, ({ level, turns, ...subject }) => {
      const { side, place, entry } = subject;
      const isStop = (level - entry) * side < 0;
      if (level === entry) return;
      const reach = (isStop ? reachStop : reachTarget)(side, place, level, barOf(subject));
      seen.add(`${place} ${isStop} ${reach}`);
      expect(reach).toBe(reachBy(subject, turns, level));
    }),
    { numRuns: 3000 },
  );
  expect([...seen].sort()).toEqual(
    [
      'limit false certain',
      'limit false impossible',
      'limit false open',
      'limit true certain',
      'limit true impossible',
      'open false certain',
      'open false impossible',
      'open true certain',
      'open true impossible',
      'stop false certain',
      'stop false impossible',
      'stop true certain',
      'stop true impossible',
      'stop true open',
    ].sort(),
  );
});

test('a trade gets the worse of the outcomes that its paths have', () => {
  fc.assert(
    fc.property(subjects, price, ({ level, turns, ...subject }, other) => {
      const { side, place, entry } = subject;
      const stop = level;
      const target = other;
      if ((stop - entry) * side >= 0 || (target - entry) * side <= 0) return;
      /** The level that a path reaches first. */
      const outcomeOf = (path: Path): 'stop' | 'target' | undefined => {
        const after = from(path, entry);
        for (let end = 1; end <= after.length; end += 1) {
          const part = after.slice(0, end);
          if (isReached(part, stop)) return 'stop';
          if (isReached(part, target)) return 'target';
        }
        return undefined;
      };
      const outcomes = new Set(pathsOf(subject, turns).map(outcomeOf));
      const { fills, isOpen, isPassed } = judge({ side, stop, target }, place, entry, barOf(subject));
      expect(isPassed).toBe(false);
      expect(isOpen).toBe(outcomes.size > 1);
      const worst = outcomes.has('stop') ? 'stop' : outcomes.has(undefined) ? undefined : 'target';
      expect(fills).toBe(worst);
    }),
    { numRuns: 3000 },
  );
});
