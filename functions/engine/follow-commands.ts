import { asSeries } from '../../shared/data/candles/series.ts';
import {
  asDeployment,
  type TradingDeployment,
  takesSignals,
} from '../../shared/data/deployments/deployments.ts';
import { ENGINE_COMMANDED } from '../../shared/data/engine/events.ts';
import { asProgram } from '../../shared/data/engine/programs.ts';
import { asDeploymentSetup, type DeploymentSetup } from '../../shared/data/engine/setups.ts';
import { asStoredProgram } from '../../shared/data/engine/states.ts';
import { readSub, subIn, subKeys } from '../../shared/data/engine/subscriptions.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { recallOrLoad } from '../../shared/lifecycle/engine-accounts/program-memory.ts';
import { advanceProgram, expectEntries, ProgramGoneError } from './advance-program.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { sharedReader } from './series-reader.ts';
import { serveAccount } from './serve-account.ts';
import { OutOfTimeError } from './serve-accounts.ts';
import { settleFailed } from './settle-failed.ts';
import { requireNoSplit } from './split/split-pending.ts';
import { watchAccounts } from './watch-accounts.ts';

type Leg = DeploymentSetup['setup']['legs'][number];

/**
 * Lets the account of a symbol work on the bars so far, and follow the commands to its deployment. A flat account does
 * so at its next entry's signal; at once if signals place its orders. An account that has failed is settled by its books.
 *
 * @returns false if there was no time.
 */
const followOne = async (
  engine: EngineRuntime,
  deployment: TradingDeployment,
  { symbol, source }: Leg,
  programId: string,
): Promise<boolean> => {
  const { deployment_id: id } = deployment;
  const { store, memory } = engine;
  const own = { series: keys.series(symbol, source), state: keys.programState(programId) };
  const wanted = [...Object.values(own), ...subKeys(programId, id)];
  const items = await store.getMany(wanted, { consistent: true });
  const known = subIn(items, programId, id);
  if (known && known.kind !== 'N' && known.error !== undefined) {
    await settleFailed(engine, known);
    return true;
  }
  const series = asSeries(itemWith(items, own.series));
  const stored = asStoredProgram(itemWith(items, own.state));
  requireNoSplit(series);
  if (!series || stored?.in_shard === undefined) return true;
  const key = keys.program(symbol, stored.timeframe, stored.in_shard, programId);
  const program = asProgram((await store.getMany([key], { consistent: true }))[0]);
  if (!program) return true;
  const { loaded, failures } = await recallOrLoad(store, memory.programs, [program]);
  if (failures.length > 0) throw new AggregateError(failures, 'a program could not be loaded');
  const found = loaded.get(programId);
  if (!found) return true;
  try {
    // Bars that closed before the command come first.
    const nextBars = sharedReader(store, series, stored.timeframe);
    const outcome = await advanceProgram({ engine, series, loaded: found }, program, nextBars);
    if (outcome === 'out_of_time') return false;
    // The next bars have to look for the order that waits.
    if (takesSignals(deployment)) await expectEntries(store, program, found.at);
  } catch (error) {
    if (error instanceof OutOfTimeError) return false;
    if (error instanceof ProgramGoneError) return true;
    throw error;
  }
  const sub = await readSub(store, programId, id);
  if (!sub || sub.kind === 'N' || sub.error !== undefined) return true;
  if (sub.kind === 'F' && !takesSignals(deployment)) return true;
  const { running, frames, at: end } = found;
  const span = { running, calendar: stored.calendar, frames: [...frames], end };
  await serveAccount(engine, span, sub, { isCommanded: true });
  return true;
};

/**
 * Lets the accounts of a deployment follow its commands: cancels orders, and closes trades. Idempotent.
 *
 * @returns false if there was no time for all of them.
 * @throws SplitPendingError
 */
export const followCommands = async (
  engine: EngineRuntime,
  deployment: TradingDeployment,
  { setup, program_ids }: DeploymentSetup,
): Promise<boolean> => {
  if (deployment.last_hold === undefined) return true;
  for (const [index, leg] of setup.legs.entries()) {
    const programId = program_ids[index];
    if (programId === undefined) continue;
    if (!engine.hasTime() || !(await followOne(engine, deployment, leg, programId))) return false;
  }
  return true;
};

/** Lets the accounts of a deployment follow its commands. Puts an event for another run if time runs out. */
export const commandAccounts = async (engine: EngineRuntime, deploymentId: number): Promise<void> => {
  const own = { deployment: keys.deployment(deploymentId), setup: keys.deploymentSetup(deploymentId) };
  const items = await engine.store.getMany(Object.values(own), { consistent: true });
  const deployment = asDeployment(itemWith(items, own.deployment));
  const setup = asDeploymentSetup(itemWith(items, own.setup));
  if (deployment?.kind !== 'live' || !setup) return;
  await watchAccounts(engine.store, deployment, setup);
  if (await followCommands(engine, deployment, setup)) return;
  await engine.putEvent(ENGINE_COMMANDED, { version: 1, deployment_id: deploymentId });
};
