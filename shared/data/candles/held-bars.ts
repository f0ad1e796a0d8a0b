import { type Bar, barAt, columnsOf } from '../../domain/candles/bars.ts';
import type { Store } from '../table/store.ts';
import { changeSeries } from './append-bars.ts';
import type { Series } from './series.ts';

/** Returns the bar of a series that waits for confirmation. */
export const heldBar = (series: Series): Bar | undefined => series.held && barAt(series.held, 0);

/** Returns whether a bar has new units of a split that is declared and not done. */
export const isAfterSplit = ({ split }: Series, { start }: Bar): boolean =>
  split !== undefined && start >= split.at;

/**
 * Appends or drops the held bar of a series. Programs advance over an appended one with the next bar of the feed. One
 * from a declared split on is not appended: the next bar of the feed judges it again.
 *
 * @param bar the held bar as it was shown; no-op if the series holds another one by now.
 */
export const settleHeldBar = async (
  store: Store,
  series: Series,
  bar: Bar,
  verdict: 'confirm' | 'drop',
): Promise<boolean> => {
  const { change } = await changeSeries(
    store,
    series,
    (stored) => {
      const held = stored && heldBar(stored);
      const isHeld = held !== undefined && JSON.stringify(held) === JSON.stringify(bar);
      const isSame = isHeld && !(stored && verdict === 'confirm' && isAfterSplit(stored, bar));
      const bars = columnsOf(isSame && verdict === 'confirm' ? [bar] : []);
      return { bars, held: isSame ? undefined : held, isSame };
    },
    series,
  );
  return change.isSame;
};
