import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';
import type { Timeframe } from '../strategies/strategies.ts';

/** Parts of a strategy that a track record is bound to. */
export interface RecordSubject {
  /** Hash of the rules, with the values of their parameters. */
  readonly rules_hash: string;
  readonly legs: readonly { readonly symbol: string; readonly weight: number }[];
  readonly timeframe: Timeframe;
}

/** Returns the symbols of a strategy with their shares of the capital, which sum up to 1. */
export const sharesOf = ({ legs }: Pick<RecordSubject, 'legs'>): { symbol: string; share: number }[] => {
  const sum = legs.reduce((total, { weight }) => total + weight, 0);
  return legs.map(({ symbol, weight }) => ({ symbol, share: sum > 0 ? weight / sum : 1 / legs.length }));
};

/**
 * Returns the identity of what a track record measures: rules with the values of their parameters, symbols with their
 * shares, timeframe. Another identity is another record.
 */
export const recordIdentity = (subject: RecordSubject): string => {
  const { rules_hash, timeframe } = subject;
  const shares = sharesOf(subject).toSorted((left, right) => (left.symbol < right.symbol ? -1 : 1));
  return createHash('sha256').update(canonicalJson({ rules_hash, timeframe, shares })).digest('hex');
};
