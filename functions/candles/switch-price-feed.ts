import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { requireOwnSession } from '../../shared/api/own-session.ts';
import { switchFeed } from '../../shared/data/candles/pulled-feeds.ts';
import { priceFeedsOut, readPriceFeeds, switchedFeeds } from './records/price-feeds.ts';

export const switchPriceFeed = defineOperation({
  method: 'POST',
  path: '/switch_price_feed',
  name: 'switch_price_feed',
  summary: 'Switch a feed of public prices on or off',
  description:
    'Switches a feed of `/get_price_feeds`. One that is on is asked for recent bars within a minute, and for new ones every ' +
    'minute; one that is off calls nothing. A feed that was down is asked again at once. Always requires a session or an API key of the user.',
  caller: 'user',
  scope: 'manage',
  extension: true,
  input: {
    query: z.object({ user_id: z.string() }),
    form: z.object({ feed: z.string(), on: z.boolean() }),
  },
  output: priceFeedsOut,
  errors: ['session_required', 'platform_token_insufficient', 'user_unknown', 'feed_unknown'],
  uses: ['marketData', 'replays'],
  table: 'write',
  handler: async ({ form: { feed, on } }, call) => {
    // A feed is of the whole machine, so no user_id alone switches it.
    requireOwnSession(call, 'A feed is switched by a session of a user. Sign in.', 'switches no feeds');
    await call.user();
    if (!switchedFeeds(call).some(({ name }) => name === feed)) {
      throw new HubError('feed_unknown', 'There is no feed of this name that can be switched.');
    }
    await switchFeed(call.store, feed, on);
    return readPriceFeeds(call);
  },
});
