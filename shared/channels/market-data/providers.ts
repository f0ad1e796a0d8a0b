import type { Runtime } from '../../runtime.ts';
import type { PulledFeed } from '../../settings.ts';
import { alpaca } from './alpaca.ts';
import { binance } from './binance.ts';
import type { MarketData } from './market-data.ts';

/** Base addresses of the providers. */
const ADDRESSES: Readonly<Record<PulledFeed['provider'], string>> = {
  alpaca: 'https://data.alpaca.markets',
  // Serves public market data only.
  binance: 'https://data-api.binance.vision',
};

/** Returns the base address that a feed calls. */
export const addressOf = ({ url, provider }: Pick<PulledFeed, 'url' | 'provider'>): string =>
  url ?? ADDRESSES[provider];

/** Returns the provider of a feed. */
export const marketDataOf = async (runtime: Runtime, feed: PulledFeed): Promise<MarketData> => {
  const { provider, symbols, quotes, stock_feed: stockFeed } = feed;
  const shared = { url: addressOf(feed), symbols, clock: runtime.clock };
  if (provider === 'binance') return binance({ ...shared, quotes });
  const { alpacaKeyId: keyId, alpacaSecretKey: secretKey } = await runtime.secrets();
  return alpaca({ ...shared, stockFeed, keyId, secretKey });
};
