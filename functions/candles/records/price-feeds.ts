import * as z from 'zod';
import { extensionRecord, timestamp } from '../../../shared/api/fields.ts';
import { addressOf } from '../../../shared/channels/market-data/providers.ts';
import { type FeedState, findFeedStates } from '../../../shared/data/candles/pulled-feeds.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import type { PulledFeed } from '../../../shared/settings.ts';

const feedOut = extensionRecord(
  'PriceFeed',
  z.object({
    name: z.string(),
    provider: z.enum(['alpaca', 'binance']),
    address: z.string(),
    symbols: z.array(z.string()),
    is_on: z.boolean(),
    down: z.object({ reason: z.string(), since: timestamp(), retry_at: timestamp() }).nullable(),
    series_refused: z.array(z.object({ symbol: z.string(), reason: z.string() })),
  }),
);

/** Feeds that a user of the service can switch, and other ways to prices. */
export const priceFeedsOut = extensionRecord(
  'PriceFeeds',
  z.object({ can_replay: z.boolean(), feeds: z.array(feedOut) }),
);

const isoOf = (at: number): string => new Date(at).toISOString();

const presentFeed = (
  feed: PulledFeed,
  { is_on, down, series_failures }: FeedState,
): z.input<typeof feedOut> => ({
  name: feed.name,
  provider: feed.provider,
  address: addressOf(feed),
  symbols: [...new Set(feed.follow.map(({ symbol }) => symbol))],
  is_on: is_on === true,
  down: down ? { reason: down.reason, since: isoOf(down.since), retry_at: isoOf(down.retry_at) } : null,
  series_refused: Object.entries(series_failures).map(([name, { reason }]) => ({ symbol: name, reason })),
});

/** Returns the feeds that a user can switch. Those of an operator are not shown. */
export const switchedFeeds = ({ capability }: Pick<Runtime, 'capability'>): readonly PulledFeed[] =>
  capability('marketData').HUB_MARKET_DATA.filter(({ switched }) => switched);

/** Reads the feeds that a user can switch, in one call. */
export const readPriceFeeds = async (
  runtime: Pick<Runtime, 'capability' | 'store'>,
): Promise<z.input<typeof priceFeedsOut>> => {
  const feeds = switchedFeeds(runtime);
  const states = await findFeedStates(
    runtime.store,
    feeds.map(({ name }) => name),
  );
  return {
    can_replay: runtime.capability('replays').HUB_REPLAYS === 'on',
    feeds: feeds.map((feed, index) => presentFeed(feed, states[index] ?? { series_failures: {} })),
  };
};
