import { findSeries, type Series } from '../../../shared/data/candles/series.ts';
import {
  asProgram,
  asProgramShards,
  type EngineProgram,
  newProgramWrites,
  programWrite,
  shardWithRoom,
} from '../../../shared/data/engine/programs.ts';
import { type ScannedInstrument, scannerSubWrite } from '../../../shared/data/engine/scanners.ts';
import {
  asStoredProgram,
  isOfOtherUnits,
  joinWrite,
  newStateWrite,
  type StoredProgram,
  stateRemoval,
} from '../../../shared/data/engine/states.ts';
import { retryOnConflict } from '../../../shared/data/numbered-list/retry.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import type { Timeframe } from '../../../shared/domain/strategies/strategies.ts';
import { requireNoSplit } from '../split/split-pending.ts';

/** An instrument that joins a scanner. */
export interface JoiningInstrument {
  readonly deploymentId: number;
  readonly instrument: ScannedInstrument;
  readonly timeframe: Timeframe;
  /** Canonical text of the rules with their parameters filled in, and its hash. */
  readonly rules: string;
  readonly rulesHash: string;
}

const listingOf = (
  { instrument, rulesHash }: JoiningInstrument,
  stored: Pick<StoredProgram, 'program_id' | 'symbol' | 'timeframe' | 'source' | 'calendar' | 'from'>,
  shard: number,
  state_at: number,
): EngineProgram => ({
  program_id: stored.program_id,
  symbol: stored.symbol,
  timeframe: stored.timeframe,
  source: stored.source,
  calendar: stored.calendar,
  rules_hash: rulesHash,
  shard,
  from: stored.from,
  at: Math.max(instrument.at, state_at),
  saved_at: state_at,
  busy: false,
  scans: true,
  rev: 1,
});

/** Returns the writes that list a program for a scanner. Its next bar warms it up. */
const listWrites = (
  joining: JoiningInstrument,
  known: StoredProgram | undefined,
  shardsItem: Item | undefined,
): Write[] => {
  const shards = asProgramShards(shardsItem);
  const shard = shardWithRoom(shards);
  if (known) {
    return [
      joinWrite(known, shard),
      ...newProgramWrites(listingOf(joining, known, shard, known.state_at), shards),
    ];
  }
  const { timeframe, rules } = joining;
  const { program_id, symbol, source, calendar, from } = joining.instrument;
  const state: StoredProgram = {
    program_id,
    symbol,
    timeframe,
    source,
    calendar,
    from,
    state_at: from - 1,
    program: { rules, saved: '' },
    in_shard: shard,
    joined: 1,
  };
  return [newStateWrite(state), ...newProgramWrites(listingOf(joining, state, shard, from - 1), shards)];
};

/** Returns the writes that mark a listed program. They are refused if it was removed meanwhile. */
const markWrites = async (store: Store, stored: StoredProgram, shard: number): Promise<Write[]> => {
  const key = keys.program(stored.symbol, stored.timeframe, shard, stored.program_id);
  const [item] = await store.getMany([key], { consistent: true });
  const program = asProgram(item);
  // The number of joins guards a mark that is set already.
  return [joinWrite(stored), ...(program && !program.scans ? [programWrite(program, { scans: true })] : [])];
};

/** Reads the series of a program that is warming up: it is not restated at a split, so none may begin or end meanwhile. */
const readSplitting = async (
  store: Store,
  { symbol, source }: StoredProgram,
): Promise<Series | undefined> => {
  const [series] = await findSeries(store, symbol, [source]);
  requireNoSplit(series);
  return series;
};

const unchanged = ({ symbol, timeframe, rev }: Series): Write => ({
  check: keys.series(symbol, timeframe),
  if: { condition: 'rev = :rev', values: { ':rev': rev } },
});

/**
 * Lets the program of an instrument keep its matches for a scanner. Makes the program if it is missing, without warming it
 * up. Idempotent.
 *
 * @throws SplitPendingError
 */
export const joinScan = async (store: Store, joining: JoiningInstrument): Promise<void> =>
  retryOnConflict(async () => {
    const { deploymentId, instrument, timeframe } = joining;
    const { program_id: programId } = instrument;
    const own = {
      state: keys.programState(programId),
      shards: keys.programShards(instrument.symbol, timeframe),
      sub: keys.subscriber(programId, 'S', deploymentId),
    };
    const items = await store.getMany(Object.values(own), { consistent: true });
    if (itemWith(items, own.sub)) return;
    const found = asStoredProgram(itemWith(items, own.state));
    const series = found && found.in_shard === undefined ? await readSplitting(store, found) : undefined;
    const isOutdated = found !== undefined && isOfOtherUnits(found, series);
    if (isOutdated) await store.transact([stateRemoval(found)]);
    const known = isOutdated ? undefined : found;
    const shard = known?.in_shard;
    const writes =
      known && shard !== undefined
        ? await markWrites(store, known, shard)
        : listWrites(joining, known, itemWith(items, own.shards));
    await store.transact([
      ...writes,
      ...(series ? [unchanged(series)] : []),
      scannerSubWrite(programId, deploymentId, instrument.symbol),
    ]);
  });
