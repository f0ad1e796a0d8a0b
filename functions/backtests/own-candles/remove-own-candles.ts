import * as z from 'zod';
import { extensionRecord } from '../../../shared/api/fields.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { invalidValue, unknownUser } from '../../../shared/api/refusals.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { isSameSeries, ownSeriesIn, ownSeriesWrite } from '../../../shared/data/candles/own-series.ts';
import { ownSymbol } from '../../../shared/data/candles/own-symbol.ts';
import { retryOnConflict } from '../../../shared/data/numbered-list/retry.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { asUser } from '../../../shared/data/users/users.ts';
import { normaliseSymbol } from '../../../shared/domain/instruments/instruments.ts';
import { TIMEFRAMES } from '../../../shared/domain/strategies/strategies.ts';

const removedOut = extensionRecord(
  'RemovedOwnCandles',
  z.object({ symbol: z.string(), timeframe: z.enum(TIMEFRAMES) }),
);

export const removeOwnCandles = defineOperation({
  method: 'POST',
  path: '/remove_own_candles',
  name: 'remove_own_candles',
  summary: 'Remove own candles',
  description:
    'Removes a series of candles that the user imported. Results that were made with it stay; tests that run with it fail. Idempotent.',
  caller: 'user',
  scope: 'research',
  extension: true,
  input: {
    query: z.object({ user_id: z.string(), symbol: z.string(), timeframe: z.enum(TIMEFRAMES) }),
  },
  output: removedOut,
  errors: ['user_unknown', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { user_id: userId, symbol: text, timeframe } }, call) => {
    const symbol = normaliseSymbol(text);
    if (symbol === undefined) {
      throw invalidValue(['query', 'symbol'], 'value is not a symbol', 'value_error.symbol');
    }
    const [user] = await call.store.getMany([keys.user(userId)], { consistent: true });
    if (!asUser(user)) throw unknownUser();
    const removed = { symbol, timeframe };
    const stored = { symbol: ownSymbol(userId, symbol), timeframe };
    await retryOnConflict(async () => {
      await removeSeries(call.store, stored);
      const [item] = await call.store.getMany([keys.ownSeries(userId)], { consistent: true });
      const owned = ownSeriesIn(item);
      const { series } = owned.list;
      const left = series.filter((one) => !isSameSeries(one, removed));
      if (left.length === series.length) return;
      // An import at the same time begins the series again: without its entry it would count for nobody.
      const isGone: Write = {
        check: keys.series(stored.symbol, timeframe),
        if: { condition: 'attribute_not_exists(pk)' },
      };
      await call.store.transact([ownSeriesWrite(userId, owned, left), isGone]);
    });
    return removed;
  },
});
