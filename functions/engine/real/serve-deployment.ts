import { describeError } from '../../../shared/api/redact.ts';
import {
  asDeployment,
  hasRealOrders,
  type TradingDeployment,
} from '../../../shared/data/deployments/deployments.ts';
import { asProgram, changeProgram } from '../../../shared/data/engine/programs.ts';
import { asDeploymentSetup } from '../../../shared/data/engine/setups.ts';
import { asStoredProgram, type StoredProgram } from '../../../shared/data/engine/states.ts';
import { readSub, type Sub } from '../../../shared/data/engine/subscriptions.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { isFinalDeploymentStatus } from '../../../shared/domain/deployments/deployment-states.ts';
import { AccountFaultError } from '../../../shared/domain/engine/running/account-fault.ts';
import { allowedBy } from '../../../shared/lifecycle/engine-accounts/advance-real-account.ts';
import { loadProgram } from '../../../shared/lifecycle/engine-accounts/program-memory.ts';
import { STOPPED } from '../../../shared/lifecycle/reports/report.ts';
import { takeReport } from '../../../shared/lifecycle/reports/take-report.ts';
import type { EngineRuntime } from '../engine-runtime.ts';
import { failDeployment } from '../fail-deployment.ts';
import { dropSub } from '../leave-program.ts';
import { isPassing } from '../passing-errors.ts';
import { removeUnused } from '../remove-unused.ts';
import { serveAccount } from '../serve-account.ts';
import { settleFailed } from '../settle-failed.ts';
import { type FailedLeg, settleReal } from './settle-real.ts';

const FAULT = 'the engine cannot work on the account, which is to be closed';

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

type ServedSub = Exclude<Sub, { readonly kind: 'N' }>;

/** Leg of a deployment, with its program. */
interface Leg extends FailedLeg {
  readonly program_id: string;
}

/** Reads the program of a leg; undefined for one that this version cannot read. */
const readProgram = async (
  { store }: EngineRuntime,
  { program_id }: Leg,
): Promise<StoredProgram | undefined> => {
  const [item] = await store.getMany([keys.programState(program_id)], { consistent: true });
  try {
    return asStoredProgram(item);
  } catch (error) {
    if (isPassing(error)) throw error;
    return undefined;
  }
};

/** Settles an account that has failed, and lets its next bar do so if something is left. */
const settleLeg = async (engine: EngineRuntime, leg: Leg, sub: ServedSub): Promise<boolean> => {
  const isDone = await settleFailed(engine, sub);
  if (isDone) return true;
  const stored = await readProgram(engine, leg);
  if (stored) await makeBusy(engine, stored);
  return false;
};

const serveSub = async (engine: EngineRuntime, leg: Leg, sub: ServedSub): Promise<boolean> => {
  const stored = await readProgram(engine, leg);
  if (!stored) throw new AccountFaultError('the program of the account cannot be read');
  const { running } = loadProgram(stored);
  const span = { running, calendar: stored.calendar, frames: [], end: sub.at };
  const onActive = () => makeBusy(engine, stored);
  const { isDone } = await serveAccount(engine, span, sub, { isCommanded: true, onActive });
  return isDone;
};

/**
 * Serves the account of a symbol before its next bar. An account that has failed, and one at which the engine has a fault
 * while it is to be closed, is settled by its books.
 *
 * @returns whether nothing is left to do for its end.
 */
const serveLeg = async (engine: EngineRuntime, deployment: TradingDeployment, leg: Leg): Promise<boolean> => {
  const { flatten } = allowedBy(deployment);
  let sub: Sub | undefined;
  try {
    sub = await readSub(engine.store, leg.program_id, leg.deployment_id);
    if (!sub || sub.kind === 'N') return true;
    return await (sub.error === undefined ? serveSub(engine, leg, sub) : settleLeg(engine, leg, sub));
  } catch (error) {
    if (isPassing(error) || !flatten) throw error;
    engine.log.error('an account to be closed could not be served', {
      deployment_id: leg.deployment_id,
      symbol: leg.symbol,
      ...describeError(error),
    });
    // A subscription that cannot be read is not marked: its account fails at the first report on the close.
    if (!sub) return settleReal(engine, leg);
    const found = (await readSub(engine.store, leg.program_id, leg.deployment_id)) ?? sub;
    return failDeployment(engine, found, engine.clock().getTime(), new AccountFaultError(FAULT));
  }
};

/** Ends the work of a program for a deployment. A damaged program stays until it is mended: it must not block the end. */
const endLeg = async (engine: EngineRuntime, programId: string, deploymentId: number): Promise<void> => {
  const sub = await readSub(engine.store, programId, deploymentId);
  try {
    await (sub ? dropSub(engine, sub) : removeUnused(engine.store, programId));
  } catch (error) {
    if (isPassing(error)) throw error;
    engine.log.error('a program cannot be removed', { program_id: programId, ...describeError(error) });
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
  for (const [index, { symbol }] of setup.setup.legs.entries()) {
    const program_id = setup.program_ids[index];
    if (program_id === undefined) continue;
    const leg = { deployment_id: deploymentId, symbol, program_id };
    if (await serveLeg(engine, deployment, leg)) done.push(program_id);
  }
  const isEnded = isFinalDeploymentStatus(deployment.status);
  const { stopping } = deployment;
  const isConfirmed = stopping !== undefined && done.length === setup.program_ids.length;
  if (!isEnded && isConfirmed) {
    const { stop_reason } = stopping;
    const occurred_at = clock().toISOString();
    await takeReport(engine, STOPPED.ofHub({ deployment_id: deploymentId, occurred_at, stop_reason }));
  }
  if (!isEnded && !isConfirmed) return;
  for (const programId of done) await endLeg(engine, programId, deploymentId);
  memory.books.forget(deploymentId);
};
