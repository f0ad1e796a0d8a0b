import * as z from 'zod';
import type { PulledFeed } from '../../settings.ts';
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
  series_failures: z.record(z.string(), failure).default({}),
  /** True if a user has switched the feed on. */
  is_on: z.boolean().optional(),
});

/** Failures of a feed that the hub pulls. They delay its next requests. */
export type FeedState = z.output<typeof feedState>;
export type FeedFailure = z.output<typeof failure>;

const NO_FAILURES: FeedState = { series_failures: {} };

/** Reads the failures of feeds. */
export const findFeedStates = async (store: Store, names: readonly string[]): Promise<FeedState[]> =>
  Promise.all(names.map(async (name) => (await store.get(keys.pulledFeed(name), feedState)) ?? NO_FAILURES));

/** Returns the feeds that are pulled now: those that need no switch, and those that are switched on. */
export const findFeedsOn = async <F extends Pick<PulledFeed, 'name' | 'switched'>>(
  store: Store,
  feeds: readonly F[],
): Promise<{ readonly feed: F; readonly state: FeedState }[]> => {
  const states = await findFeedStates(
    store,
    feeds.map(({ name }) => name),
  );
  return feeds.flatMap((feed, index) => {
    const state = states[index] ?? NO_FAILURES;
    return feed.switched && !state.is_on ? [] : [{ feed, state }];
  });
};

/** Switches a feed on or off. A feed that was down is asked again at once. */
export const switchFeed = (store: Store, name: string, isOn: boolean): Promise<void> =>
  store.transact([
    {
      key: keys.pulledFeed(name),
      set: { entity: 'pulled_feed', is_on: isOn, down: undefined, series_failures: {} },
    },
  ]);

/** Stores the failures of a feed. The last of two runs at once wins. */
export const saveFeedState = (
  store: Store,
  name: string,
  { down, series_failures }: FeedState,
): Promise<void> =>
  store.transact([{ key: keys.pulledFeed(name), set: { entity: 'pulled_feed', down, series_failures } }]);
