import * as z from 'zod';

/** Position of a report among the reports of its order: a safe integer, or decimal text beyond 2^53 - 1. */
export const sequenceSchema = z.union([z.int(), z.string().regex(/^\d{16,19}$/)]);

export type Sequence = z.output<typeof sequenceSchema>;

/** Compares two sequences; positive if the left one is higher. */
export const compareSequences = (left: Sequence, right: Sequence): number => {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const [a, b] = [BigInt(left), BigInt(right)];
  if (a === b) return 0;
  return a > b ? 1 : -1;
};
