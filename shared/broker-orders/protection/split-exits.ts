import { findSeries } from '../../data/candles/series.ts';
import type { Protection } from '../../data/execution/protections.ts';
import { type Decimal, decimal } from '../../domain/money.ts';
import type { ProtectionTerms } from '../../domain/orders/protection-terms.ts';
import { PROTECTIVE_LEVELS } from '../../domain/orders/protective-ids.ts';
import { type Ratio, splitPriceText, splitQuantityText } from '../../domain/splits/ratio.ts';
import type { SeriesSplit } from '../../domain/splits/split-bars.ts';
import { TIMEFRAMES } from '../../domain/strategies/strategies.ts';
import type { ExecutionRuntime } from '../execution-runtime.ts';
import { isTrading, sessionOf } from './exit-plan.ts';
import { filledByExits, isEnd, isLifted, levelsOf, remainingOf } from './figures.ts';
import type { Listed } from './see-exits.ts';

/** Time between two looks for a declared split while the market is closed, in milliseconds. */
const LOOK_MS = 30 * 60_000;
/** Part of a position by which its size in new units may differ: a broker pays fractions out. */
const TOLERANCE = 0.02;

const SPLIT = 'The symbol was split.';

type Level = NonNullable<ProtectionTerms['stop']>;

const splitLevel = (level: Level, ratio: Ratio): Level =>
  'price' in level
    ? { price: splitPriceText(level.price, ratio) }
    : { factor: level.factor, offset: splitPriceText(level.offset, ratio) };

/** Returns a protection in new units, once its exits have ended. What is open of the trade begins as if it had just filled. */
const restated = (protection: Protection, ratio: Ratio, held: Decimal): Protection => {
  const { stop, target } = protection.terms;
  const { moved } = protection;
  const entered = splitQuantityText(remainingOf(protection).toFixed(), ratio);
  return {
    ...protection,
    terms: {
      ...(stop && { stop: splitLevel(stop, ratio) }),
      ...(target && { target: splitLevel(target, ratio) }),
    },
    moved: {
      ...(moved.stop !== undefined && { stop: splitPriceText(moved.stop, ratio) }),
      ...(moved.target !== undefined && { target: splitPriceText(moved.target, ratio) }),
    },
    // A fraction that the broker pays out is not held.
    entered: decimal(entered).lt(held) ? entered : held.toFixed(),
    entry_price: splitPriceText(protection.entry_price, ratio),
    closes: {},
    exited_before: '0',
    exits: [],
    sums: {},
    is_suspended: undefined,
  };
};

const declaredSplit = async (
  { store }: ExecutionRuntime,
  { symbol, split_done: done = 0 }: Protection,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<SeriesSplit | undefined> => {
  const all = await findSeries(store, symbol, TIMEFRAMES);
  const splits = all.flatMap((series) => [
    ...(series?.split ? [series.split] : []),
    ...(series?.splits ?? []),
  ]);
  return splits.find(({ at }) => at > done && at >= from && at < until);
};

const heldOf = ({ broker_symbol, side }: Protection, { positions }: Listed): Decimal | undefined => {
  const position = positions.find(({ symbol }) => symbol === broker_symbol);
  return position?.side === side ? decimal(position.quantity) : undefined;
};

/** Ends the orders of the books whose fills are in old units. The next round has others. */
const withEnded = (protection: Protection): Protection => {
  const reports = { ...protection.reports };
  for (const level of PROTECTIVE_LEVELS) {
    const known = reports[level];
    if (known && !isEnd(known)) {
      reports[level] = { ...known, status: 'cancelled', status_message: SPLIT, sequence: known.sequence + 1 };
    }
  }
  return { ...protection, reports };
};

/**
 * Restates a protection once its exits have ended and the broker's position is in new units. What exits have filled is
 * booked in a round of its own.
 */
const passed = (protection: Protection, split: SeriesSplit, listed: Listed): Protection => {
  const held = heldOf(protection, listed);
  if (!held || !isLifted(protection)) return protection;
  if (filledByExits(protection).gt(0)) return withEnded(protection);
  const expected = decimal(splitQuantityText(remainingOf(protection).toFixed(), split));
  const isNew = held.minus(expected).abs().lte(expected.times(TOLERANCE)) || held.gte(expected);
  return isNew ? { ...restated(protection, split, held), split_done: split.at } : protection;
};

/**
 * Lifts the exits of a trade between the last session in old units and the first one in new units of a declared split, and
 * restates them once the broker's position has new units. The split is looked for while the market is closed.
 */
export const withSplit = async (
  work: ExecutionRuntime,
  protection: Protection,
  listed: Listed,
): Promise<Protection> => {
  const now = work.clock().getTime();
  if (protection.asset_class !== 'equity' || remainingOf(protection).eq(0)) return protection;
  const { stop, target } = levelsOf(protection);
  if (stop === undefined && target === undefined) return protection;
  const isDue = protection.split_looked_at === undefined || now >= protection.split_looked_at + LOOK_MS;
  if (!protection.is_suspended && (isTrading(protection, now) || !isDue)) return protection;
  const session = sessionOf(protection, now);
  if (!session) return protection;
  const looked = { ...protection, split_looked_at: now };
  const split = await declaredSplit(work, looked, { from: protection.created_at, until: session.close });
  if (!split) return { ...looked, is_suspended: undefined };
  return passed({ ...looked, is_suspended: true }, split, listed);
};
