import * as z from 'zod';
import { TIMEFRAMES } from '../../domain/strategies/strategies.ts';
import type { Series } from '../candles/series.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

const stateSchema = z.object({
  program_id: z.string(),
  symbol: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  source: z.enum(TIMEFRAMES),
  calendar: z.string(),
  /** Start of the first bar, with which the indicators begin. */
  from: z.number(),
  /** Start of the last bar in the state, or a moment before the first bar. */
  state_at: z.number(),
  /** Canonical text of the rules with their parameters filled in, and the saved program. */
  program: packed(z.object({ rules: z.string(), saved: z.string() })),
  /** Number of splits of the series that its bars are restated at; absent without any. */
  splits: z.int().optional(),
  /** Shard in which the program is listed; absent while it warms up. */
  in_shard: z.int().optional(),
  /** Number of subscribers that have ever joined: a program that somebody joins is not removed. */
  joined: z.int(),
});

/** Rules and saved state of a program. */
export type StoredProgram = z.output<typeof stateSchema>;

/** Parses the state of a program; undefined if there is no item. */
export const asStoredProgram = (item: Item | undefined): StoredProgram | undefined =>
  item && parseItem(stateSchema, item);

/**
 * Returns whether a program that is warming up began before a split, or with a series that was replaced since: those that
 * are listed are restated.
 */
export const isOfOtherUnits = (
  { in_shard, splits = 0 }: StoredProgram,
  series: Pick<Series, 'splits'> | undefined,
): boolean => in_shard === undefined && splits !== (series?.splits?.length ?? 0);

/** Returns the write of a program that does not exist yet. */
export const newStateWrite = (state: StoredProgram): Write => ({
  put: {
    ...state,
    ...keys.programState(state.program_id),
    entity: 'engine_state',
    program: pack(state.program),
  },
  if: { condition: 'attribute_not_exists(pk)' },
});

/**
 * Saves the state of a program after a bar; no-op if one of this bar or a later one is saved, or if the program was
 * removed.
 *
 * @param options.isWarming saves only while the program is not listed.
 */
export const saveProgramState = async (
  store: Store,
  { program_id, program }: StoredProgram,
  state: { readonly state_at: number; readonly saved: string },
  { isWarming = false }: { readonly isWarming?: boolean } = {},
): Promise<void> => {
  try {
    await store.update(
      keys.programState(program_id),
      {
        update: 'SET state_at = :at, program = :program',
        condition: `state_at < :at${isWarming ? ' AND attribute_not_exists(in_shard)' : ''}`,
        values: {
          ':at': state.state_at,
          ':program': pack({ ...program, saved: state.saved }),
        },
      },
      z.record(z.string(), z.unknown()),
    );
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
  }
};

/** Returns the write of a program that was computed again from its first bar. The listing of the program guards it. */
export const restatedStateWrite = (
  { program_id, program }: StoredProgram,
  {
    saved,
    ...state
  }: Required<Pick<StoredProgram, 'from' | 'state_at' | 'splits'>> & {
    readonly saved: string;
  },
): Write => ({
  key: keys.programState(program_id),
  set: { ...state, program: pack({ ...program, saved }) },
});

/** Returns the write that counts a subscriber, and lists the program if it was warming up. */
export const joinWrite = ({ program_id, in_shard, joined }: StoredProgram, newShard?: number): Write => ({
  key: keys.programState(program_id),
  set: { joined: joined + 1, ...(newShard !== undefined && { in_shard: newShard }) },
  if: {
    condition: `joined = :joined AND ${in_shard === undefined ? 'attribute_not_exists(in_shard)' : 'attribute_exists(in_shard)'}`,
    values: { ':joined': joined },
  },
});

/** Returns the write that removes a program, unless a subscriber has joined since it was read. */
export const stateRemoval = ({ program_id, joined }: StoredProgram): Write => ({
  delete: keys.programState(program_id),
  if: { condition: 'joined = :joined', values: { ':joined': joined } },
});
