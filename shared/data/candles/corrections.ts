import { type BarColumns, barCount } from '../../domain/candles/bars.ts';
import { mergeBars } from '../../domain/candles/merge.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Key } from '../table/writes.ts';
import { barsItemSchema, toBarsItem } from './packed-bars.ts';
import { headItem, type Series, type SeriesFacts } from './series.ts';
import { sealedSpan } from './spans.ts';

/** Returns the key of the corrections of a bar's sealed span. */
export const correctionsKey = ({ symbol, timeframe }: SeriesFacts, at: number): Key =>
  keys.candleCorrections(symbol, timeframe, sealedSpan(timeframe, at).name);

/**
 * Stores bars of one sealed span as corrections: readers see them instead of the appended bars. The corrections and
 * their count are one transaction.
 *
 * @returns the series after it.
 * @throws TransactionRefusedError if the series has changed since it was read.
 */
export const correctBars = async (store: Store, series: Series, bars: BarColumns): Promise<Series> => {
  const first = bars.start[0] ?? series.first;
  const key = correctionsKey(series, first);
  const item = await store.get(key, barsItemSchema, { consistent: true });
  const { bars: merged } = item ? mergeBars(item.bars, bars, 'replace') : { bars };
  const next: Series = {
    ...series,
    rev: series.rev + 1,
    first: Math.min(series.first, first),
    late_bars: series.late_bars + barCount(bars),
  };
  const put = toBarsItem(key, merged, item);
  await store.transact([
    { put: put.item, if: put.condition },
    { put: headItem(next), if: { condition: 'rev = :rev', values: { ':rev': series.rev } } },
  ]);
  return next;
};
