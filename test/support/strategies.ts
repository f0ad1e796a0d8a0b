import { loadCatalogue, readCatalogue } from '../../infra/catalogue/load.ts';
import type { Response, TestHub } from './hub.ts';
import { furnish, register } from './people.ts';

/** Instruments that most tests trade: shares of New York and Mumbai, currency pairs, a metal and a coin. */
const TRADED = [
  'AAPL',
  'MSFT',
  'TSLA',
  'INFY.NS',
  'EURUSD',
  'GBPUSD',
  'USDJPY',
  'USDCHF',
  'XAUUSD',
  'COPPER',
  'BTCUSD',
  'BTCUSDT',
];

const furnishWith = async (hub: TestHub, isWritten: (symbol: string) => boolean): Promise<void> => {
  await furnish(hub);
  const { instruments, ...lists } = readCatalogue();
  const written = instruments.filter(({ symbol }) => isWritten(symbol));
  await loadCatalogue(hub.runtime.store, { ...lists, instruments: written });
};

/** Writes the records that strategies need: clients, brokers and a few instruments. */
export const furnishWithInstruments = (hub: TestHub, symbols: readonly string[] = TRADED): Promise<void> =>
  furnishWith(hub, (symbol) => symbols.includes(symbol));

/** Writes clients, brokers and the whole catalogue, which takes most of a second. */
export const furnishWithCatalogue = (hub: TestHub): Promise<void> => furnishWith(hub, () => true);

interface Making {
  readonly user_id: string;
  readonly strategy_name?: string;
  readonly symbol?: string;
  readonly timeframe?: string;
}

let strategies = 0;

/** Builds a strategy with a new name. */
export const build = (hub: TestHub, making: Making): Promise<Response> =>
  hub.call('POST /build_new_strategy', {
    query: { strategy_name: `Strategy ${++strategies}`, symbol: 'AAPL', timeframe: '1d', ...making },
  });

/** Registers a user with a proven e-mail. @returns the user_id and user_key */
export const person = async (
  hub: TestHub,
  name?: string,
): Promise<{ user_id: string; user_key: string; email: string }> => {
  const { body } = await register(hub, name === undefined ? {} : { name });
  return body;
};

/** Sets the visibility of a strategy. */
export const setState = (hub: TestHub, user_id: string, strategy_id: number, publish_state: number) =>
  hub.call('POST /profile_publish_strategy', {
    query: { user_id, strategy_id: String(strategy_id), publish_state: String(publish_state) },
  });

/** Lists a strategy in the explore catalogue. */
export const list = (hub: TestHub, user_id: string, strategy_id: number) =>
  hub.call('POST /publish_explore_strategy', { query: { user_id, strategy_id: String(strategy_id) } });

/** Likes a strategy or takes the like back. */
export const like = (hub: TestHub, user_id: string, strategy_id: number, liked = true) =>
  hub.call(liked ? 'POST /like_strategy' : 'POST /unlike_strategy', {
    query: { user_id, strategy_id: String(strategy_id) },
  });

/** Copies a strategy by its share key. */
export const copy = (
  hub: TestHub,
  user_id: string,
  strategy_key: string,
  more: Record<string, string> = {},
) => hub.call('POST /copy_strategy', { query: { user_id, strategy_key, ...more } });

/** Searches the explore catalogue. */
export const search = (hub: TestHub, term: string) =>
  hub.call('POST /search_explore_strategies', { query: { term } });

/** Reads a page of the explore catalogue. */
export const explore = (hub: TestHub, user_id: string, page: Record<string, string> = {}) =>
  hub.call('GET /get_explore_strategies', { query: { user_id, ...page } });

/** Reads a page of a profile. */
export const profile = (hub: TestHub, user_key: string, more: Record<string, string> = {}) =>
  hub.call('GET /get_published_strategies', { query: { user_key, ...more } });

/** Reads the categories with their counts. */
export const categoryCounts = async (hub: TestHub): Promise<Record<string, number>> => {
  const { body } = await hub.call('GET /get_strategy_categories');
  return Object.fromEntries(
    body.map(({ slug, strategy_count }: { slug: string; strategy_count: number }) => [slug, strategy_count]),
  );
};

/** Sets the rules of a strategy. */
export const setRules = (
  hub: TestHub,
  { user_id, strategy_id }: { readonly user_id: string; readonly strategy_id: number },
  rules: unknown,
  more: Record<string, string> = {},
) =>
  hub.call('POST /set_strategy_rules', {
    query: { user_id, strategy_id: String(strategy_id), ...more },
    json: rules,
  });
