import { readManyClosedBars, type WantedClosed } from '../../../shared/data/candles/read-closed.ts';
import { asSeries, type Series } from '../../../shared/data/candles/series.ts';
import { asStoredProgram, type StoredProgram } from '../../../shared/data/engine/states.ts';
import { type Sub, subIn, subKeys } from '../../../shared/data/engine/subscriptions.ts';
import { type Items, itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import type { BarColumns } from '../../../shared/domain/candles/bars.ts';
import type { Timeframe } from '../../../shared/domain/strategies/strategies.ts';

/** A symbol of a deployment, with the program that works for it. */
export interface LegKeys {
  readonly symbol: string;
  readonly source: Timeframe;
  readonly program_id: string;
}

/** All that is stored for a symbol of a deployment that the hub runs. */
export interface StoredLeg {
  readonly stored: StoredProgram | undefined;
  readonly sub: Sub | undefined;
  readonly series: Series | undefined;
  /** Closed bars after the saved state; undefined if they do not fit into the read. */
  readonly bars: BarColumns | undefined;
}

/** Returns the bars after a saved state; all bars without one, as of a program that warms up. */
const wantedOf = ({ stored, series }: Pick<StoredLeg, 'stored' | 'series'>): WantedClosed | undefined => {
  if (!stored || !series) return undefined;
  const { timeframe, from, state_at, program } = stored;
  const after = program.saved === '' ? from - 1 : state_at;
  return { series, timeframe, after, isBar: after >= from };
};

/**
 * Reads the symbols of a deployment in one or two calls: programs, accounts, series, and the bars after saved states.
 *
 * @param extra keys of further items to read in the first call.
 */
export const readLegs = async (
  store: Store,
  deploymentId: number,
  legs: readonly LegKeys[],
  extra: readonly Key[],
): Promise<{ readonly stored: StoredLeg[]; readonly items: Items }> => {
  const items = await store.getMany(
    [
      ...extra,
      ...legs.flatMap(({ symbol, source, program_id }) => [
        keys.programState(program_id),
        keys.series(symbol, source),
        ...subKeys(program_id, deploymentId),
      ]),
    ],
    { consistent: true },
  );
  const found = legs.map(({ symbol, source, program_id }) => ({
    stored: asStoredProgram(itemWith(items, keys.programState(program_id))),
    series: asSeries(itemWith(items, keys.series(symbol, source))),
    sub: subIn(items, program_id, deploymentId),
  }));
  const wanted = found.map(wantedOf);
  const bars = await readManyClosedBars(
    store,
    wanted.filter((one) => one !== undefined),
  );
  let next = 0;
  const stored = found.map((leg, index) => {
    if (!wanted[index]) return { ...leg, bars: undefined };
    next += 1;
    return { ...leg, bars: bars[next - 1] };
  });
  return { stored, items };
};
