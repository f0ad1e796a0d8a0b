import type { Operation } from '../../shared/api/operation.ts';
import { getCandles } from './get-candles.ts';

/** Candles of instruments. */
export const candlesOperations: readonly Operation[] = [getCandles];
