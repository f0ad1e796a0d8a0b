import { expect } from '@jest/globals';
import type { Fill } from './hub-deployments.ts';

/** Matches fills whose prices are the same up to the ninth decimal. Rounding both would differ where one is a tie. */
export const nearFills = (fills: readonly Fill[]) =>
  fills.map((fill) => ({ ...fill, price: expect.closeTo(fill.price, 9) }));
