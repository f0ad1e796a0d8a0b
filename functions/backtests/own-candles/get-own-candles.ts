import * as z from 'zod';
import { extensionRecord, integer } from '../../../shared/api/fields.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { unknownUser } from '../../../shared/api/refusals.ts';
import { ownSeriesIn } from '../../../shared/data/candles/own-series.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { asUser } from '../../../shared/data/users/users.ts';
import { ownCandleLimits, tierOf } from '../../../shared/domain/plans.ts';
import { ownSeriesOut, presentOwnSeries } from './series-out.ts';

const ownCandlesOut = extensionRecord(
  'OwnCandlesList',
  z.object({
    items: z.array(ownSeriesOut),
    most_series: integer(),
    most_candles: integer(),
  }),
);

export const getOwnCandles = defineOperation({
  method: 'GET',
  path: '/get_own_candles',
  name: 'get_own_candles',
  summary: 'List the own candles of a user',
  description:
    'All series of candles that the user imported, sorted by symbol and timeframe, and how many the account may have. Nobody else sees or uses them.',
  caller: 'user',
  scope: 'research',
  extension: true,
  input: { query: z.object({ user_id: z.string() }) },
  output: ownCandlesOut,
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId } }, call) => {
    const own = { user: keys.user(userId), series: keys.ownSeries(userId) };
    const items = await call.store.getMany(Object.values(own), { consistent: true });
    const user = asUser(itemWith(items, own.user));
    if (!user) throw unknownUser();
    const { series, candles } = ownCandleLimits(tierOf(user));
    return {
      items: ownSeriesIn(itemWith(items, own.series)).list.series.map(presentOwnSeries),
      most_series: series,
      most_candles: candles,
    };
  },
});
