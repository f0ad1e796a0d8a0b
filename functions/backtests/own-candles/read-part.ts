import { ValidationError } from '../../../shared/api/errors.ts';
import type { ValidationDetail } from '../../../shared/api/validation-detail.ts';
import { endOfSpan } from '../../../shared/data/candles/import-bars.ts';
import { kindOf, newestBar, type Series, type SeriesFacts } from '../../../shared/data/candles/series.ts';
import { type Bar, type BarColumns, columnsOf } from '../../../shared/domain/candles/bars.ts';
import { faultOf } from '../../../shared/domain/candles/checks.ts';

/** Items of candles that a request writes. */
const MOST_SPANS = 20;

const barOf = ([start = 0, open = 0, high = 0, low = 0, close = 0, volume = 0]: readonly number[]): Bar => ({
  start,
  open,
  high,
  low,
  close,
  volume,
});

interface Bounds {
  readonly facts: SeriesFacts;
  readonly stored: Series | undefined;
  readonly now: Date;
}

/**
 * Reads a part of a file as valid bars, oldest first.
 *
 * @throws ValidationError with the place of each fault.
 */
const readBars = (rows: readonly (readonly number[])[], { facts, stored, now }: Bounds): Bar[] => {
  const kind = kindOf(facts);
  const bars = rows.map(barOf);
  const problems: ValidationDetail[] = [];
  const first = bars[0]?.start ?? 0;
  let previous = stored && stored.last < first ? newestBar(stored) : undefined;
  for (const [index, bar] of bars.entries()) {
    const order =
      previous && bar.start <= previous.start ? 'the time is not after that of the candle before' : undefined;
    const early = bar.start > now.getTime() ? 'the candle has not begun yet' : undefined;
    const fault = order ?? early ?? faultOf(bar, previous, kind);
    if (fault !== undefined) {
      problems.push({ loc: ['body', 'bars', index], msg: fault, type: 'value_error.candle' });
      continue;
    }
    previous = bar;
  }
  if (problems.length > 0) throw new ValidationError(problems);
  return bars;
};

/** Returns the first bars of a part, as many as a request writes. @throws ValidationError */
export const readPart = (rows: readonly (readonly number[])[], bounds: Bounds): BarColumns => {
  const bars = readBars(rows, bounds);
  let end = bars[0]?.start ?? 0;
  for (let span = 0; span < MOST_SPANS; span++) end = endOfSpan(bounds.facts, end);
  return columnsOf(bars.filter(({ start }) => start < end));
};
