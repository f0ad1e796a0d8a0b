import { asDeployment } from '../../shared/data/deployments/deployments.ts';
import { asProgram, asProgramShards, programRemovals } from '../../shared/data/engine/programs.ts';
import { asDeploymentSetup } from '../../shared/data/engine/setups.ts';
import { asStoredProgram, stateRemoval } from '../../shared/data/engine/states.ts';
import { hasSubs, readSub, subRemoval } from '../../shared/data/engine/subscriptions.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { isOver } from './deployment-access.ts';
import type { EngineRuntime } from './engine-runtime.ts';

const leaveProgram = (store: Store, programId: string, deploymentId: number): Promise<void> =>
  retryOnConflict(async () => {
    const sub = await readSub(store, programId, deploymentId);
    if (sub) await store.transact([subRemoval(sub)]);
  });

/** Removes a program that works for nobody. A deployment that joins at the same time keeps it. */
const removeUnused = (store: Store, programId: string): Promise<void> =>
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

/** Ends the work for a deployment that has ended, and removes programs that work for no other. Idempotent. */
export const endDeployment = async (
  { store, memory }: EngineRuntime,
  deploymentId: number,
): Promise<void> => {
  const own = { deployment: keys.deployment(deploymentId), setup: keys.deploymentSetup(deploymentId) };
  const items = await store.getMany(Object.values(own), { consistent: true });
  const deployment = asDeployment(itemWith(items, own.deployment));
  const setup = asDeploymentSetup(itemWith(items, own.setup));
  if (!setup || !isOver(deployment)) return;
  for (const programId of setup.program_ids) {
    await leaveProgram(store, programId, deploymentId);
    await removeUnused(store, programId);
    memory.books.forget(deploymentId);
  }
};
