import { SmallerBars } from '../../shared/data/candles/smaller-bars.ts';
import type { AccountSub } from '../../shared/data/engine/subscriptions.ts';
import type { BarColumns } from '../../shared/domain/candles/bars.ts';
import { sourcesOf } from '../../shared/domain/candles/timeframes.ts';
import type { SmallerOf } from '../../shared/domain/engine/running/paper-fills.ts';
import type { Span } from '../../shared/lifecycle/engine-accounts/advance-account.ts';
import type { Advanced } from '../../shared/lifecycle/engine-accounts/advance-paper-account.ts';
import type { EngineRuntime } from './engine-runtime.ts';

/** Readers of smaller bars by the bars that they make up. All accounts of a program share what is read. */
const readers = new WeakMap<Span, SmallerBars>();

const readerOf = ({ store }: EngineRuntime, span: Span, symbol: string): SmallerBars => {
  const { calendar, running } = span;
  const { timeframe } = running;
  const known = readers.get(span);
  if (known) return known;
  const smaller = sourcesOf(timeframe).toReversed();
  const made = new SmallerBars(store, { symbol, timeframe, calendar }, smaller, { asAppended: true });
  readers.set(span, made);
  return made;
};

/**
 * Advances an account with the smaller bars that it asks for. One whose reports are booked in part has the smaller bars
 * that were noted with the first of them, even if others are stored meanwhile.
 *
 * @param advance changes nothing; called again with more smaller bars.
 */
export const advanceWithSmaller = async (
  engine: EngineRuntime,
  span: Span,
  { symbol, booking, used }: AccountSub,
  advance: (smallerOf: SmallerOf) => Advanced,
): Promise<Advanced> => {
  const known = new Map<number, BarColumns | null>(used ? [[used.start, used.bars]] : []);
  const smallerOf: SmallerOf = (start) => (known.has(start) || !booking ? known.get(start) : null);
  for (;;) {
    const advanced = advance(smallerOf);
    if (!advanced.asked) return advanced;
    const start = advanced.asked[0] ?? Number.NaN;
    known.set(start, (await readerOf(engine, span, symbol).read(advanced.asked)) ?? null);
  }
};
