import * as z from 'zod';
import { decimalText, fromDouble } from '../money.ts';

/**
 * Price of a stop or a target: fixed, or `factor` times the average price of the entry's fills plus `offset`. So it follows
 * from the fill, without the hub.
 */
const levelSchema = z.union([
  z.object({ price: decimalText }),
  z.object({ factor: decimalText, offset: decimalText }),
]);

/** Schema of the levels at which a trade ends. Without a stop, only the position and the books are compared. */
export const protectionTermsSchema = z.object({
  stop: levelSchema.optional(),
  target: levelSchema.optional(),
});

export type ProtectionTerms = z.output<typeof protectionTermsSchema>;
export type LevelTerms = z.output<typeof levelSchema>;

/** Returns the price of a level by the average price of the fills. Computes as the engine does. */
export const levelPrice = (level: LevelTerms, average: string): string =>
  'price' in level ? level.price : fromDouble(Number(average) * Number(level.factor) + Number(level.offset));

/** Choices for a position that cannot be protected at its broker. */
export const UNPROTECTED_CHOICES = ['close', 'keep'] as const;
