import { type Bar, type BarColumns, listBars } from '../candles/bars.ts';
import { opensBeyondLimit, type SeriesKind } from '../candles/checks.ts';
import { type Judged, type JudgedLate, judgeBars, judgeLate, type KnownBars } from '../candles/judge.ts';
import { type SeriesSplit, splitBar, splitBars } from './split-bars.ts';

/** Adds the held bar, in the order of the bars, unless the feed sent it again. */
const withHeld = (bars: readonly Bar[], held: Bar): Bar[] => {
  const after = bars.findIndex(({ start }) => start >= held.start);
  const at = after < 0 ? bars.length : after;
  return bars[at]?.start === held.start ? [...bars] : bars.toSpliced(at, 0, held);
};

/**
 * Judges bars of a feed in the newest units, as {@link judgeBars} does. Judges a held bar again if a split explains its
 * jump. The bars that are given and returned have the units of their time.
 */
export const judgeInUnits = (
  bars: readonly Bar[],
  known: KnownBars | undefined,
  kind: SeriesKind,
  splits: readonly SeriesSplit[],
): Judged => {
  if (splits.length === 0) return judgeBars(bars, known, kind);
  const stored = new Map<Bar, Bar>();
  const restate = (bar: Bar): Bar => {
    const restated = splitBar(bar, splits);
    stored.set(restated, bar);
    return restated;
  };
  const back = (bar: Bar): Bar => stored.get(bar) ?? bar;
  const last = known && restate(known.last);
  const held = known?.held && restate(known.held);
  const isExplained = held && last && !opensBeyondLimit(held, last, kind.assetClass);
  const restated = bars.map(restate);
  const judged = judgeBars(
    isExplained ? withHeld(restated, held) : restated,
    known && last && { ...known, last, held: isExplained ? undefined : held },
    kind,
  );
  return {
    accepted: judged.accepted.map(back),
    held: judged.held && back(judged.held),
    refused: judged.refused,
    dropped: judged.dropped.map(back),
  };
};

/** Judges late bars in the newest units, as {@link judgeLate} does. All bars have the units of their time. */
export const judgeLateInUnits = (
  stored: BarColumns,
  late: BarColumns,
  kind: SeriesKind,
  splits: readonly SeriesSplit[],
): JudgedLate => {
  if (splits.length === 0) return judgeLate(stored, late, kind);
  const judged = judgeLate(splitBars(stored, splits), splitBars(late, splits), kind);
  const given = new Map(listBars(late).map((bar) => [bar.start, bar]));
  const back = (bar: Bar): Bar => given.get(bar.start) ?? bar;
  return { ...judged, accepted: judged.accepted.map(back), dropped: judged.dropped.map(back) };
};
