import * as z from 'zod';
import { TIMEFRAMES } from '../../domain/strategies/strategies.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Write } from '../table/writes.ts';
import { ADJUSTMENTS } from './series.ts';

/** A series of a user's own candles, under the symbol of the catalogue. Times are starts of bars in milliseconds. */
const entrySchema = z.object({
  symbol: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  source: z.string(),
  adjustment: z.enum(ADJUSTMENTS),
  calendar: z.string(),
  /** Number of bars that are stored or being imported. */
  count: z.number(),
  first: z.number(),
  last: z.number(),
  changed_at: z.string(),
});

export type OwnSeries = z.output<typeof entrySchema>;

const listSchema = z.object({ series: z.array(entrySchema) });
const listItem = z.object({ rev: z.number(), list: packed(listSchema) });

/** All series of a user's own candles. The plan bounds them. */
export interface OwnSeriesList {
  readonly rev: number;
  readonly list: z.output<typeof listSchema>;
}

/** Parses the item with the own series of a user. */
export const ownSeriesIn = (item: Item | undefined): OwnSeriesList =>
  item ? parseItem(listItem, item) : { rev: 0, list: { series: [] } };

/** Returns whether two entries are of the same series. */
export const isSameSeries = (
  one: Pick<OwnSeries, 'symbol' | 'timeframe'>,
  other: Pick<OwnSeries, 'symbol' | 'timeframe'>,
): boolean => one.symbol === other.symbol && one.timeframe === other.timeframe;

/** Returns the write of a user's own series. Fails if one of them changed since they were read. */
export const ownSeriesWrite = (
  userId: string,
  { rev, list }: OwnSeriesList,
  series: readonly OwnSeries[],
): Write => ({
  key: keys.ownSeries(userId),
  set: { entity: 'own_series', rev: rev + 1, list: pack({ ...list, series }) },
  if:
    rev === 0
      ? { condition: 'attribute_not_exists(rev)' }
      : { condition: 'rev = :rev', values: { ':rev': rev } },
});
