import * as z from 'zod';
import type { PulledFeed } from '../../../shared/settings.ts';
import type { Environment } from '../lambda/environment.ts';

const PAIRS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'] as const;
const TIMEFRAMES = ['1m', '1h', '1d'] as const;

/** Feed of Binance's public prices. It calls nothing before it is switched on. */
export const CRYPTO_FEED = {
  name: 'crypto',
  provider: 'binance',
  asset_classes: ['crypto'],
  exchanges: ['OTC'],
  display: true,
  switched: true,
  follow: PAIRS.flatMap((symbol) => TIMEFRAMES.map((timeframe) => ({ symbol, timeframe }))),
} as const satisfies Partial<PulledFeed>;

const feedList = z.array(z.looseObject({ name: z.string().optional() }));

const listIn = (text: string): z.output<typeof feedList> | undefined => {
  try {
    return feedList.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/**
 * Adds the feed of public prices to the settings. A text that is no list of feeds stays as it is, and is named when it is
 * checked; so does a list with a feed of that name.
 */
export const withCryptoFeed = (environment: Environment): Environment => {
  const given = listIn(environment.HUB_MARKET_DATA || '[]');
  if (!given || given.some(({ name }) => name === CRYPTO_FEED.name)) return environment;
  const { HUB_CRYPTO_URL: url } = environment;
  const feed = { ...CRYPTO_FEED, ...(url && { url }) };
  return { ...environment, HUB_MARKET_DATA: JSON.stringify([...given, feed]) };
};
