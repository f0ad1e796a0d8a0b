import { attendAll } from '../../../shared/attend-all.ts';
import { ENGINE_ENDED } from '../../../shared/data/engine/events.ts';
import { asProgram, programWrite } from '../../../shared/data/engine/programs.ts';
import {
  asScanned,
  feedOf,
  removeScanner,
  type ScannedInstrument,
} from '../../../shared/data/engine/scanners.ts';
import { asStoredProgram } from '../../../shared/data/engine/states.ts';
import { hasSubs } from '../../../shared/data/engine/subscriptions.ts';
import { retryOnConflict } from '../../../shared/data/numbered-list/retry.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import type { EngineRuntime } from '../engine-runtime.ts';
import { removeUnused } from '../remove-unused.ts';

/** Removes the mark of a program that no scanner uses. A scanner that joins at the same time keeps it. */
const unmarkUnused = (store: Store, programId: string): Promise<void> =>
  retryOnConflict(async () => {
    const state = keys.programState(programId);
    const stored = asStoredProgram((await store.getMany([state], { consistent: true }))[0]);
    if (stored?.in_shard === undefined) return;
    const key = keys.program(stored.symbol, stored.timeframe, stored.in_shard, programId);
    const program = asProgram((await store.getMany([key], { consistent: true }))[0]);
    if (!program?.scans || (await hasSubs(store, programId, 'S'))) return;
    await store.transact([
      programWrite(program, { scans: undefined }),
      { check: state, if: { condition: 'joined = :joined', values: { ':joined': stored.joined } } },
    ]);
  });

/**
 * Ends the work for a scanner that has ended: it runs no more, and its programs are removed or unmarked unless others use
 * them. Idempotent; a repeat goes on where time ran out.
 */
export const endScanner = async (
  engine: EngineRuntime,
  deploymentId: number,
  { timeframe }: Pick<BacktestSetup, 'timeframe'>,
): Promise<void> => {
  const { store, putEvent, hasTime } = engine;
  const [item] = await store.getMany([keys.scannedInstruments(deploymentId)], { consistent: true });
  const scanned = asScanned(item);
  if (!scanned) return;
  const { instruments } = scanned;
  const feeds = new Set(instruments.map(({ source, feed }) => feedOf(source, feed)));
  for (const feed of feeds) await removeScanner(store, { timeframe, feed }, deploymentId);
  const leave = async ({ program_id: programId }: ScannedInstrument): Promise<void> => {
    await store.delete(keys.subscriber(programId, 'S', deploymentId));
    await removeUnused(store, programId);
    await unmarkUnused(store, programId);
  };
  const { done, failures } = await attendAll(instruments, leave, hasTime);
  if (failures.length > 0) {
    throw new AggregateError(
      failures.map(({ error }) => error),
      `${failures.length} programs of a scanner could not be left`,
    );
  }
  if (done < instruments.length) await putEvent(ENGINE_ENDED, { version: 1, deployment_id: deploymentId });
};
