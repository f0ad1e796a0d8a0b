import { asDeployment, hasRealOrders, takesSignals } from '../../shared/data/deployments/deployments.ts';
import { ENGINE_REQUESTED } from '../../shared/data/engine/events.ts';
import { asDeploymentSetup, type LegStart, storeStarts } from '../../shared/data/engine/setups.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { storedRules } from '../../shared/domain/engine/backtest/stored-rules.ts';
import { isOver } from '../../shared/lifecycle/engine-accounts/takes-entries.ts';
import { STARTED } from '../../shared/lifecycle/reports/report.ts';
import { takeReport } from '../../shared/lifecycle/reports/take-report.ts';
import { endDeployment } from './end-deployment.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { commandAccounts } from './follow-commands.ts';
import { joinProgram } from './join-program.ts';
import { serveDeployment } from './real/serve-deployment.ts';
import { startScanner } from './scan/start-scanner.ts';

/**
 * Starts a deployment that the hub runs: lets the program of each of its symbols work for it, and reports the start.
 * Idempotent; a repeat goes on after a crash. No-op for a deployment that has ended.
 */
export const startDeployment = async (engine: EngineRuntime, deploymentId: number): Promise<void> => {
  const own = { deployment: keys.deployment(deploymentId), setup: keys.deploymentSetup(deploymentId) };
  const items = await engine.store.getMany(Object.values(own), { consistent: true });
  const deployment = asDeployment(itemWith(items, own.deployment));
  const found = asDeploymentSetup(itemWith(items, own.setup));
  if (!deployment || !found || isOver(deployment)) return;
  const { setup, program_ids } = found;
  if (deployment.kind === 'scanner') return startScanner(engine, deployment, setup);
  if (setup.legs.length === 0) return;
  const rules = storedRules(setup);
  const isReal = hasRealOrders(deployment);
  const starts: LegStart[] = [];
  for (const [index, leg] of setup.legs.entries()) {
    const programId = program_ids[index] ?? '';
    const joining = { deploymentId, kind: deployment.kind, isReal, programId, leg, setup, rules };
    const start = await joinProgram(engine, joining);
    if (!start) {
      await engine.putEvent(ENGINE_REQUESTED, { version: 1, deployment_id: deploymentId });
      return;
    }
    starts.push(start);
  }
  await storeStarts(engine.store, deploymentId, starts);
  const at = isReal ? engine.clock().getTime() : Math.max(...starts.map(({ joined_at }) => joined_at));
  await takeReport(
    engine,
    STARTED.ofHub({ deployment_id: deploymentId, occurred_at: new Date(Math.max(0, at)).toISOString() }),
  );
  // Signals may have placed orders meanwhile.
  if (takesSignals(deployment)) {
    await (isReal ? serveDeployment(engine, deploymentId) : commandAccounts(engine, deploymentId));
  }
  // It may have ended meanwhile, before there was something to remove.
  await endDeployment(engine, deploymentId);
};
