import {
  asDeployment,
  type Deployment,
  hasRealOrders,
} from '../../../shared/data/deployments/deployments.ts';
import { asProgram, changeProgram } from '../../../shared/data/engine/programs.ts';
import { asDeploymentSetup } from '../../../shared/data/engine/setups.ts';
import { asStoredProgram, type StoredProgram } from '../../../shared/data/engine/states.ts';
import { readSub, type Sub, subRemoval } from '../../../shared/data/engine/subscriptions.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { TransactionRefusedError } from '../../../shared/data/table/store.ts';
import { isFinalDeploymentStatus } from '../../../shared/domain/deployments/deployment-states.ts';
import type { EngineRuntime } from '../engine-runtime.ts';
import { loadProgram } from '../program-memory.ts';
import { removeUnused } from '../remove-unused.ts';
import { reportDeployment } from '../report-deployment.ts';
import { serveLive } from './serve-live.ts';

/** Notes that a program has an active account, so that its next bar serves it. */
const makeBusy = async (
  { store }: EngineRuntime,
  { symbol, timeframe, in_shard: shard, program_id }: StoredProgram,
): Promise<void> => {
  if (shard === undefined) return;
  const key = keys.program(symbol, timeframe, shard, program_id);
  for (;;) {
    const program = asProgram((await store.getMany([key], { consistent: true }))[0]);
    if (!program || program.busy || (await changeProgram(store, program, { busy: true }))) return;
  }
};

/** Serves the account of a symbol before its next bar. Returns whether nothing is left to do for its end. */
const serveLeg = async (
  engine: EngineRuntime,
  { deployment_id: deploymentId, status }: Deployment,
  programId: string,
): Promise<boolean> => {
  const { store } = engine;
  const [sub, [item]] = await Promise.all([
    readSub(store, programId, deploymentId),
    store.getMany([keys.programState(programId)], { consistent: true }),
  ]);
  const stored = asStoredProgram(item);
  if (!stored || !sub || sub.kind === 'N') return true;
  // Nothing more comes of an account that failed, but its stop is not confirmed: it may hold positions.
  if (sub.error !== undefined) return isFinalDeploymentStatus(status);
  const { live } = loadProgram(stored);
  const span = { live, frames: [], end: sub.at };
  const { isDone } = await serveLive(engine, span, sub, { onActive: () => makeBusy(engine, stored) });
  return isDone;
};

const removeSub = async ({ store }: EngineRuntime, sub: Sub): Promise<void> => {
  try {
    await store.transact([subRemoval(sub)]);
  } catch (error) {
    // It changed meanwhile: what changed it serves it again.
    if (!(error instanceof TransactionRefusedError)) throw error;
  }
};

/**
 * Serves the accounts of a deployment with real orders before their next bar: after a report of the broker, a command or
 * the end. Confirms a stop, and ends the work for a deployment that has ended, once nothing is left at the broker.
 */
export const serveDeployment = async (engine: EngineRuntime, deploymentId: number): Promise<void> => {
  const { store, clock, memory } = engine;
  const own = { deployment: keys.deployment(deploymentId), setup: keys.deploymentSetup(deploymentId) };
  const items = await store.getMany(Object.values(own), { consistent: true });
  const deployment = asDeployment(itemWith(items, own.deployment));
  const setup = asDeploymentSetup(itemWith(items, own.setup));
  if (!deployment || !setup || !hasRealOrders(deployment)) return;
  const done: string[] = [];
  for (const programId of setup.program_ids) {
    if (await serveLeg(engine, deployment, programId)) done.push(programId);
  }
  const isEnded = isFinalDeploymentStatus(deployment.status);
  const { stopping } = deployment;
  const isConfirmed = stopping !== undefined && done.length === setup.program_ids.length;
  if (!isEnded && isConfirmed) {
    const { stop_reason } = stopping;
    await reportDeployment(engine, deploymentId, 'Deployment Stopped', clock().getTime(), { stop_reason });
  }
  if (!isEnded && !isConfirmed) return;
  for (const programId of done) {
    const sub = await readSub(store, programId, deploymentId);
    if (sub) await removeSub(engine, sub);
    await removeUnused(store, programId);
  }
  memory.books.forget(deploymentId);
};
