import { asProgram, asProgramShards, programRemovals } from '../../shared/data/engine/programs.ts';
import { asStoredProgram, stateRemoval } from '../../shared/data/engine/states.ts';
import { hasSubs } from '../../shared/data/engine/subscriptions.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { Store } from '../../shared/data/table/store.ts';

/** Removes a program that works for nobody. A deployment that joins at the same time keeps it. */
export const removeUnused = (store: Store, programId: string): Promise<void> =>
  retryOnConflict(async () => {
    const stored = asStoredProgram(
      (await store.getMany([keys.programState(programId)], { consistent: true }))[0],
    );
    if (!stored || (await hasSubs(store, programId))) return;
    const { symbol, timeframe, in_shard: shard } = stored;
    if (shard === undefined) return store.transact([stateRemoval(stored)]);
    const own = {
      program: keys.program(symbol, timeframe, shard, programId),
      shards: keys.programShards(symbol, timeframe),
    };
    const items = await store.getMany(Object.values(own), { consistent: true });
    const program = asProgram(itemWith(items, own.program));
    if (!program) return;
    const shards = asProgramShards(itemWith(items, own.shards));
    await store.transact([stateRemoval(stored), ...programRemovals(program, shards)]);
  });
