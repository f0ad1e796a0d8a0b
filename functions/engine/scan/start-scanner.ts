import { attendAll } from '../../../shared/attend-all.ts';
import { asDeployment, type ScannerDeployment } from '../../../shared/data/deployments/deployments.ts';
import { ENGINE_REQUESTED } from '../../../shared/data/engine/events.ts';
import { feedOf, type ScannedInstrument, scannerWrites } from '../../../shared/data/engine/scanners.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import { storedRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
import { canonicalRules } from '../../../shared/domain/engine/rules/canonical.ts';
import { rulesHash } from '../../../shared/domain/engine/rules/rules-hash.ts';
import { isOver } from '../../../shared/lifecycle/engine-accounts/takes-entries.ts';
import { FAILED, STARTED } from '../../../shared/lifecycle/reports/report.ts';
import { takeReport } from '../../../shared/lifecycle/reports/take-report.ts';
import type { EngineRuntime } from '../engine-runtime.ts';
import { endScanner } from './end-scanner.ts';
import { joinScan } from './join-scan.ts';
import { planScan } from './plan-scan.ts';

/** Lets the scanner run on the watermarks of each feed of its instruments. */
const listScanner = async (
  { store }: EngineRuntime,
  { deployment_id, timeframe }: ScannerDeployment,
  rules_hash: string,
  instruments: readonly ScannedInstrument[],
): Promise<void> => {
  const byFeed = Map.groupBy(instruments, ({ source, feed }) => feedOf(source, feed));
  for (const [feed, own] of byFeed) {
    const from = Math.min(...own.map(({ at }) => at));
    await store.transact(scannerWrites({ deployment_id, rules_hash }, { timeframe, feed }, from));
  }
};

/**
 * Starts a scanner that the hub runs: registers the program of each instrument that has candles, lets the scanner run on
 * the watermarks of their feeds, and reports the start. Programs warm up at their next bar. Idempotent; a repeat goes on
 * after a crash, and where time ran out.
 */
export const startScanner = async (
  engine: EngineRuntime,
  deployment: ScannerDeployment,
  setup: BacktestSetup,
): Promise<void> => {
  const { store, putEvent, hasTime } = engine;
  const { deployment_id: id, timeframe } = deployment;
  const rules = storedRules(setup);
  const hash = rulesHash(rules);
  const { instruments } = await planScan(engine, deployment, rules);
  if (instruments.length === 0) {
    const message = 'There are no candles of any instrument of the universe.';
    const occurred_at = engine.clock().toISOString();
    await takeReport(engine, FAILED.ofHub({ deployment_id: id, occurred_at, message }));
    return;
  }
  const text = canonicalRules(rules);
  const joining = instruments.map((instrument) => ({
    deploymentId: id,
    instrument,
    timeframe,
    rules: text,
    rulesHash: hash,
  }));
  const { done, failures } = await attendAll(joining, (one) => joinScan(store, one), hasTime);
  if (failures.length > 0) {
    throw new AggregateError(
      failures.map(({ error }) => error),
      `${failures.length} instruments of a scanner could not be registered`,
    );
  }
  if (done < joining.length) return putEvent(ENGINE_REQUESTED, { version: 1, deployment_id: id });
  await listScanner(engine, deployment, hash, instruments);
  const [item] = await store.getMany([keys.deployment(id)], { consistent: true });
  const now = asDeployment(item);
  // The deployment may have ended while its instruments were registered.
  if (isOver(now)) return endScanner(engine, id, setup);
  const at = Math.max(...instruments.map((instrument) => instrument.at));
  const occurred_at = new Date(Math.max(0, at)).toISOString();
  await takeReport(engine, STARTED.ofHub({ deployment_id: id, occurred_at }));
};
