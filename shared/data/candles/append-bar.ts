import { type Bar, columnsOf } from '../../domain/candles/bars.ts';
import type { Store } from '../table/store.ts';
import { appendBars } from './append-bars.ts';
import type { Series, SeriesFacts } from './series.ts';

/** Result of an append: the series after it, and whether the bar was new. */
export interface Append {
  readonly series: Series;
  readonly outcome: 'appended' | 'repeated' | 'late';
}

/**
 * Appends a valid bar to a series, as {@link appendBars} does.
 *
 * @param known the series as last read or appended to; read again if it has changed since.
 */
export const appendBar = async (
  store: Store,
  facts: SeriesFacts,
  bar: Bar,
  known?: Series,
): Promise<Append> => {
  const { series, appended, late } = await appendBars(store, facts, columnsOf([bar]), known);
  const old = late > 0 ? 'late' : 'repeated';
  return { series, outcome: appended > 0 ? 'appended' : old };
};
