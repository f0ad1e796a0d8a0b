import { listSeriesInUse, type SeriesInUse } from '../../shared/data/engine/series-in-use.ts';
import type { Item } from '../../shared/data/table/attributes.ts';
import { pack } from '../../shared/data/table/packed.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { columnsOf } from '../../shared/domain/candles/bars.ts';
import { packBars } from '../../shared/domain/candles/packing.ts';

/** Lists all series in use. @throws DamagedItemError for one that cannot be read. */
export const allInUse = (store: Store): Promise<SeriesInUse[]> =>
  listSeriesInUse(store, (error) => {
    throw error;
  });

/** Changes that damage the head of a series, each with the problem that is named. */
export const DAMAGES: readonly (readonly [name: string, damage: Item, problem: string])[] = [
  ['without a count', { count: undefined }, 'count: field required'],
  [
    'with bytes that are no bars',
    { bars: pack({ a: 1 }) },
    'bars: the bytes are damaged, or of a newer version',
  ],
  [
    'with broken bytes',
    { bars: new Uint8Array([7, 7, 7]) },
    'bars: the bytes are damaged, or of a newer version',
  ],
  ['without a bar', { bars: packBars(columnsOf([])) }, 'bars: there is no bar'],
  ['of an unknown calendar', { calendar: 'moon' }, 'calendar: there is no such calendar'],
];
