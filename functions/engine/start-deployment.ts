import { asDeployment } from '../../shared/data/deployments/deployments.ts';
import { ENGINE_REQUESTED } from '../../shared/data/engine/events.ts';
import { asDeploymentSetup, type LegStart, storeStarts } from '../../shared/data/engine/setups.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { isFinalDeploymentStatus } from '../../shared/domain/deployments/deployment-states.ts';
import { HUB_SOURCE } from '../../shared/domain/deployments/event-source.ts';
import { storedRules } from '../../shared/domain/engine/backtest/stored-rules.ts';
import { takeEvent } from '../execution-events/take-event.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { joinProgram, NotStartedError } from './join-program.ts';

const report = (
  engine: EngineRuntime,
  deployment_id: number,
  detailType: 'Deployment Started' | 'Deployment Error',
  at: number,
  more: object = {},
): Promise<void> =>
  takeEvent(engine, {
    'detail-type': detailType,
    source: HUB_SOURCE,
    detail: { version: 1, deployment_id, occurred_at: new Date(Math.max(0, at)).toISOString(), ...more },
  });

/**
 * Starts a deployment that the hub runs: lets the program of each of its symbols work for it, and reports the start.
 * Idempotent; a repeat goes on after a crash. No-op for a deployment that has ended.
 */
export const startDeployment = async (engine: EngineRuntime, deploymentId: number): Promise<void> => {
  const own = { deployment: keys.deployment(deploymentId), setup: keys.deploymentSetup(deploymentId) };
  const items = await engine.store.getMany(Object.values(own), { consistent: true });
  const deployment = asDeployment(itemWith(items, own.deployment));
  const found = asDeploymentSetup(itemWith(items, own.setup));
  if (!deployment || !found || isFinalDeploymentStatus(deployment.status)) return;
  const { setup, program_ids } = found;
  const rules = storedRules(setup);
  const starts: LegStart[] = [];
  try {
    for (const [index, leg] of setup.legs.entries()) {
      const programId = program_ids[index] ?? '';
      const start = await joinProgram(engine, {
        deploymentId,
        kind: deployment.kind,
        programId,
        leg,
        setup,
        rules,
      });
      if (!start) {
        await engine.putEvent(ENGINE_REQUESTED, { version: 1, deployment_id: deploymentId });
        return;
      }
      starts.push(start);
    }
  } catch (error) {
    if (!(error instanceof NotStartedError)) throw error;
    await report(engine, deploymentId, 'Deployment Error', engine.clock().getTime(), {
      message: error.message,
    });
    return;
  }
  await storeStarts(engine.store, deploymentId, starts);
  const at = Math.max(...starts.map(({ joined_at }) => joined_at));
  await report(engine, deploymentId, 'Deployment Started', at);
};
