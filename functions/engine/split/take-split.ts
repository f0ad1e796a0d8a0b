import type { InstrumentMemory } from '../../../shared/data/instruments/instrument-memory.ts';
import { MalformedEventError } from '../../../shared/domain/malformed-event.ts';
import { declareSplit, SplitRefusedError } from '../../../shared/lifecycle/declare-split.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import type { GivenSplit } from '../bar-events.ts';
import { requireFeed } from '../take-bars.ts';

/**
 * Takes the declaration of a split by a feed: for its series of the symbol, or the one that it names. Idempotent.
 *
 * @throws MalformedEventError for a split that cannot be.
 */
export const takeSplit = async (
  { store, clock, capability }: Runtime,
  given: GivenSplit,
  { instruments }: { readonly instruments: InstrumentMemory },
): Promise<void> => {
  const { symbol, source, timeframe, split } = given;
  const now = clock();
  const instrument = await instruments.find(store, symbol, now);
  if (!instrument) throw new MalformedEventError('the symbol is not in the catalogue');
  requireFeed(capability('feeds').HUB_FEEDS, given, instrument);
  try {
    const series = await declareSplit(
      store,
      symbol,
      (one) => one.source === source && (timeframe === undefined || one.timeframe === timeframe),
      split,
      now,
    );
    if (series.length > 0) return;
  } catch (error) {
    if (error instanceof SplitRefusedError) throw new MalformedEventError(error.message);
    throw error;
  }
  throw new MalformedEventError('the source has no such series');
};
