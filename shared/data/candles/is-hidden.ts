import { pulledSource } from '../../domain/candles/pulled-bars.ts';
import type { BaseRuntime } from '../../runtime.ts';
import type { Series } from './series.ts';

/** Returns whether the licence of a series' source forbids showing its candles to users. */
export const isHidden = (
  { capability }: Pick<BaseRuntime, 'capability'>,
  { source }: Pick<Series, 'source'>,
): boolean => {
  const pulled = capability('marketData').HUB_MARKET_DATA.map((feed) => ({
    source: pulledSource(feed),
    display: feed.display,
  }));
  const { HUB_FEEDS: feeds } = capability('feeds');
  return [...pulled, ...(feeds === '*' ? [] : feeds)].some((feed) => !feed.display && feed.source === source);
};
