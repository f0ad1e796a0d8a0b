import type { Ratio } from '../splits/ratio.ts';
import type { SplitEntry } from './entries.ts';
import { type Ledger, LedgerError, MAX_SPLITS } from './ledger-state.ts';
import { type Booked, effectiveTime, withEntry } from './replay.ts';

/** A split of a symbol. */
export interface Split {
  readonly symbol: string;
  readonly ratio: Ratio;
  /** Start of the first bar in new units, in milliseconds. */
  readonly at: number;
}

/** Returns the id of a split, the same for each repeat of its declaration. */
const splitIdOf = ({ symbol, at }: Split): string => `${symbol}:${at}`;

/** Refusal of a split that the books have passed. */
export const passedSplit = (): LedgerError =>
  new LedgerError('too_late', 'the books have passed the time of the split');

/** Returns whether fills of a symbol are booked as of a time or later. */
export const isTradedFrom = ({ recent }: Ledger, symbol: string, at: number): boolean =>
  recent.some((entry) => entry[0] === 'fill' && entry[2] === symbol && entry[1] >= at);

/** Returns whether an order has fills of a symbol on both sides of a time. */
const isFilledAcross = ({ recent }: Ledger, symbol: string, at: number): boolean => {
  const fills = recent.filter((entry) => entry[0] === 'fill' && entry[2] === symbol);
  const old = new Set(fills.filter((entry) => entry[1] <= at).map((entry) => entry[3]));
  return fills.some((entry) => entry[1] > at && old.has(entry[3]));
};

/**
 * Books a split. The position of that time is restated: its quantity in new units, its cost and its results as they were.
 * Fills and quotes from before the split that arrive later count in old units. Fills that are booked as of later have new
 * units already. An order must not have fills on both sides: their steps could not be distinguished afterwards.
 *
 * @returns undefined if the ledger has a split of the symbol at that time.
 * @throws LedgerError if the books have passed the split, or the symbol has too many of them
 */
export const applySplitTo = (ledger: Ledger, split: Split): Booked | undefined => {
  const { symbol, ratio } = split;
  const at = split.at - 1;
  const known = ledger.splits?.[symbol] ?? [];
  if (known.some(([each]) => each === at)) return undefined;
  if (isFilledAcross(ledger, symbol, at) || effectiveTime(ledger, at) > at) {
    throw passedSplit();
  }
  if (known.length >= MAX_SPLITS) {
    throw new LedgerError('too_many_splits', `a symbol can be split at most ${MAX_SPLITS} times`);
  }
  const own = [...known, [at, ratio.units, ratio.of] as [number, number, number]].sort(
    ([left], [right]) => left - right,
  );
  const entry: SplitEntry = ['split', at, symbol, splitIdOf(split), ratio.units, ratio.of];
  return withEntry({ ...ledger, splits: { ...ledger.splits, [symbol]: own } }, entry);
};
