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

const MAX_SEQUENCE = 2n ** 63n - 1n;
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

const canonical = (sequence: bigint): Sequence =>
  sequence <= MAX_SAFE ? Number(sequence) : String(sequence);

const parseSequence = (sequence: number | string): Sequence | undefined => {
  if (typeof sequence === 'number')
    return Number.isSafeInteger(sequence) && sequence >= 0 ? sequence || 0 : undefined;
  const parsed = /^\d{1,19}$/.test(sequence) ? BigInt(sequence) : -1n;
  return parsed >= 0n && parsed <= MAX_SEQUENCE ? canonical(parsed) : undefined;
};

/** Schema of a sequence in an event. Refuses a JSON number beyond 2^53 - 1, which has lost digits in transit. */
export const sequenceInput = z.union([z.number(), z.string()]).transform((sequence, context) => {
  const parsed = parseSequence(sequence);
  if (parsed !== undefined) return parsed;
  context.addIssue('must be an integer from 0 to 2^63 - 1, as decimal text if it exceeds 2^53 - 1');
  return z.NEVER;
});
