import * as z from 'zod';
import { TIMEFRAMES } from '../../domain/strategies/strategies.ts';
import type { Item } from '../table/attributes.ts';
import { packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';

/** The part of a deployment's setup that names its candles. Readers of it need no rules. */
const marketsItem = z.object({
  setup: packed(
    z.object({
      timeframe: z.enum(TIMEFRAMES),
      legs: z.array(z.object({ symbol: z.string(), source: z.enum(TIMEFRAMES) })),
    }),
  ),
});

/** Timeframe of a deployment that the hub runs, and the stored series of its symbols. */
export type SetupMarkets = z.output<typeof marketsItem>['setup'];

/** Parses the symbols of a deployment's setup; undefined if there is no item. */
export const asSetupMarkets = (item: Item | undefined): SetupMarkets | undefined =>
  item && parseItem(marketsItem, item).setup;
