import * as z from 'zod';
import { TIMEFRAMES, type Timeframe } from '../../domain/strategies/strategies.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { unlessNewer } from '../table/newer-record.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import { ConditionFailedError } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { seriesInUseWrite } from './series-in-use.ts';

/** Programs of a shard. One worker advances a shard, so the number bounds its time. */
const PROGRAMS_PER_SHARD = 250;

const programSchema = z.object({
  program_id: z.string(),
  symbol: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  /** Timeframe of the stored bars: smaller ones are derived from. */
  source: z.enum(TIMEFRAMES),
  calendar: z.string(),
  rules_hash: z.string(),
  shard: z.int(),
  /** Start of the first bar, with which the indicators begin. */
  from: z.number(),
  /** Start of a bar up to which all work is done. Bars after it without any work need no write. */
  at: z.number(),
  /** Start of the last bar in the saved state. */
  saved_at: z.number(),
  /** Start of the last bar on which accounts may have entered. */
  entries_at: z.number().optional(),
  /** False if no account has a trade or an order. */
  busy: z.boolean(),
  /** Set while scanners use the program: the bars on which an entry's condition holds are kept for them. */
  scans: z.literal(true).optional(),
  /** Number of splits of the series that its bars are restated at; absent without any. */
  splits: z.int().optional(),
  /** Increases with every change; conditions compare it with the one that was read. */
  rev: z.int(),
});

/** A program that the hub's engine advances, without its rules and state. Times are starts of bars in milliseconds. */
export type EngineProgram = z.output<typeof programSchema>;

const shardsSchema = z.object({
  /** Number of programs per shard. */
  counts: z.array(z.int()),
  rev: z.int(),
});

/** Numbers of programs of a symbol and timeframe. */
export type ProgramShards = z.output<typeof shardsSchema>;

/** Parses the numbers of programs. */
export const asProgramShards = (item: Item | undefined): ProgramShards =>
  item ? parseItem(shardsSchema, item) : { counts: [], rev: 0 };

interface ShardPrograms {
  readonly programs: readonly EngineProgram[];
  /** Errors of those that cannot be read. Those that only a newer version can read are left out. */
  readonly failures: readonly unknown[];
  /** Number of shards, as far as this one tells. */
  readonly shards: number;
}

/** Reads the programs of a shard in one Query, and the number of shards with those of the first one. */
export const findPrograms = async (
  store: Store,
  symbol: string,
  timeframe: Timeframe,
  shard: number,
): Promise<ShardPrograms> => {
  const head = keys.programShards(symbol, timeframe);
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.program(symbol, timeframe, shard, '').pk },
    ConsistentRead: true,
  });
  const shards = asProgramShards(items.find(({ pk, sk }) => pk === head.pk && sk === head.sk));
  const programs: EngineProgram[] = [];
  const failures: unknown[] = [];
  for (const item of items) {
    if (item.sk === head.sk) continue;
    try {
      const program = unlessNewer(() => parseItem(programSchema, item));
      if (program) programs.push(program);
    } catch (error) {
      failures.push(error);
    }
  }
  return {
    programs,
    failures,
    shards: Math.max(shards.counts.length, shard + 1),
  };
};

/** Parses an item as a program; undefined if there is no item. */
export const asProgram = (item: Item | undefined): EngineProgram | undefined =>
  item && parseItem(programSchema, item);

const keyOf = ({ symbol, timeframe, shard, program_id }: EngineProgram) =>
  keys.program(symbol, timeframe, shard, program_id);

/** Returns the first shard with room. */
export const shardWithRoom = ({ counts }: ProgramShards): number => {
  const found = counts.findIndex((count) => count < PROGRAMS_PER_SHARD);
  return found < 0 ? counts.length : found;
};

const shardsWrite = (
  { symbol, timeframe, shard }: EngineProgram,
  shards: ProgramShards,
  change: 1 | -1,
): Write => {
  const counts = Array.from(
    { length: Math.max(shards.counts.length, shard + 1) },
    (_, index) => (shards.counts[index] ?? 0) + (index === shard ? change : 0),
  );
  return {
    put: {
      ...shards,
      ...keys.programShards(symbol, timeframe),
      entity: 'engine_shards',
      counts,
      rev: shards.rev + 1,
    },
    if:
      shards.rev === 0
        ? { condition: 'attribute_not_exists(pk)' }
        : { condition: 'rev = :rev', values: { ':rev': shards.rev } },
  };
};

/** Returns the writes that list a new program, so that it is advanced. Fail if the shards changed meanwhile. */
export const newProgramWrites = (program: EngineProgram, shards: ProgramShards): Write[] => [
  {
    put: { ...program, ...keyOf(program), entity: 'engine_program' },
    if: { condition: 'attribute_not_exists(pk)' },
  },
  shardsWrite(program, shards, 1),
  seriesInUseWrite(program.symbol, program.source),
];

/** Returns the writes that remove a program. Fail if the program or the shards changed meanwhile. */
export const programRemovals = (program: EngineProgram, shards: ProgramShards): Write[] => [
  { delete: keyOf(program), if: { condition: 'rev = :rev', values: { ':rev': program.rev } } },
  shardsWrite(program, shards, -1),
  seriesInUseWrite(program.symbol, program.source, -1),
];

/** Fields of a program that its work changes. */
type Progress = Partial<Pick<EngineProgram, 'at' | 'saved_at' | 'entries_at' | 'busy'>>;

/** Fields of a program that is computed again. */
type Restated = Partial<Pick<EngineProgram, 'from' | 'splits'>>;

/**
 * Returns the write that changes a program; `scans: undefined` removes the mark. Its condition fails if the program
 * changed since it was read.
 */
export const programWrite = (
  program: EngineProgram,
  change: Progress & Restated & { readonly scans?: true | undefined },
): Write => ({
  key: keyOf(program),
  set: { ...change, rev: program.rev + 1 },
  if: { condition: 'rev = :rev', values: { ':rev': program.rev } },
});

/**
 * Changes a program.
 *
 * @returns the program afterwards; undefined if another worker changed it since it was read.
 */
export const changeProgram = async (
  store: Store,
  program: EngineProgram,
  change: Progress,
): Promise<EngineProgram | undefined> => {
  const names = Object.keys(change);
  try {
    return await store.update(
      keyOf(program),
      {
        update: `SET rev = :next, ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
        condition: 'rev = :rev',
        names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        values: {
          ':rev': program.rev,
          ':next': program.rev + 1,
          ...Object.fromEntries(Object.entries(change).map(([name, value]) => [`:${name}`, value])),
        },
      },
      programSchema,
    );
  } catch (error) {
    if (error instanceof ConditionFailedError) return undefined;
    throw error;
  }
};

/** Reads a program; undefined if it was removed. */
export const readProgram = (store: Store, program: EngineProgram): Promise<EngineProgram | undefined> =>
  store.get(keyOf(program), programSchema, { consistent: true });
