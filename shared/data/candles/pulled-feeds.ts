import * as z from 'zod';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';

const failure = z.object({
  /** Failures in a row. */
  failures: z.int(),
  /** Milliseconds since the epoch. */
  retry_at: z.number(),
  /** Without texts of the provider. */
  reason: z.string(),
});

const feedState = z.object({
  /** Failure of the provider; absent while it answers. */
  down: failure.extend({ since: z.number() }).optional(),
  /** Failures of single series, `<symbol>#<timeframe>`. */
  series_failures: z.record(z.string(), failure),
});

/** Failures of a feed that the hub pulls. They delay its next requests. */
export type FeedState = z.output<typeof feedState>;
export type FeedFailure = z.output<typeof failure>;

const NO_FAILURES: FeedState = { series_failures: {} };

/** Reads the failures of feeds. */
export const findFeedStates = async (store: Store, names: readonly string[]): Promise<FeedState[]> =>
  Promise.all(names.map(async (name) => (await store.get(keys.pulledFeed(name), feedState)) ?? NO_FAILURES));

/** Stores the failures of a feed. The last of two runs at once wins. */
export const saveFeedState = (
  store: Store,
  name: string,
  { down, series_failures }: FeedState,
): Promise<void> =>
  store.transact([{ key: keys.pulledFeed(name), set: { entity: 'pulled_feed', down, series_failures } }]);
