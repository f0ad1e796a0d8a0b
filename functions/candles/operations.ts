import type { Operation } from '../../shared/api/operation.ts';
import { getCandles } from './get-candles.ts';
import { getPriceFeeds } from './get-price-feeds.ts';
import { switchPriceFeed } from './switch-price-feed.ts';

/** Candles of instruments, and the feeds that bring them. */
export const candlesOperations: readonly Operation[] = [getCandles, getPriceFeeds, switchPriceFeed];
