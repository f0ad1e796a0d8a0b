import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { priceFeedsOut, readPriceFeeds } from './records/price-feeds.ts';

export const getPriceFeeds = defineOperation({
  method: 'GET',
  path: '/get_price_feeds',
  name: 'get_price_feeds',
  summary: 'List the ways to prices on this service',
  description:
    'Feeds of public prices that a user can switch on, with what they call and how they fare, and whether recorded ' +
    'candles can be replayed. Only a service on one machine has such feeds; elsewhere the list is empty.',
  caller: 'user',
  scope: 'read',
  extension: true,
  input: { query: z.object({ user_id: z.string() }) },
  output: priceFeedsOut,
  errors: ['user_unknown'],
  uses: ['marketData', 'replays'],
  table: 'read',
  handler: async (_input, call) => {
    const [feeds] = await Promise.all([readPriceFeeds(call), call.user()]);
    return feeds;
  },
});
