import { describeError } from '../../shared/api/redact.ts';
import { readSub, type Sub, subWrites } from '../../shared/data/engine/subscriptions.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import { AccountFaultError } from '../../shared/domain/engine/running/account-fault.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { failDeployment } from './fail-deployment.ts';
import { ENGINE } from './report-bars.ts';

/** Time for which an account may fail at the same bars before its deployment fails. */
const MAX_FAILING_MS = 3_600_000;

const REASON = 'the engine has failed at the account for an hour';
const BEFORE_SPLIT = 'the engine has failed at the account, and its symbol is split';

/** Returns the start of the last bar of an account; undefined for a notification deployment. */
const cursorOf = (sub: Sub): number | undefined => (sub.kind === 'N' ? undefined : sub.at);

/** Stores a subscription; no-op if it changed meanwhile. */
const store = async (engine: EngineRuntime, before: Sub, after: Sub): Promise<void> => {
  try {
    await engine.store.transact(subWrites(before, after));
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
  }
};

/**
 * Notes that an account could not be served, so that its program goes on without it. The first note stays until the
 * account has moved on or was served. After an hour its deployment fails, before a split at once.
 *
 * @param end start of the last bar.
 * @returns whether the account still needs the bars. One that has failed is settled by its books.
 */
export const noteFailure = async (
  engine: EngineRuntime,
  { program_id, deployment_id, symbol }: Sub,
  end: number,
  error: unknown,
): Promise<boolean> => {
  const { log, metrics, clock } = engine;
  log.error('an account could not be served', { deployment_id, symbol, ...describeError(error) });
  metrics.count('AccountsFailing', ENGINE);
  const sub = await readSub(engine.store, program_id, deployment_id);
  if (!sub || sub.error !== undefined) return false;
  const now = clock().getTime();
  const at = cursorOf(sub);
  const { failing } = sub;
  const isReal = sub.kind !== 'N' && sub.is_live === true;
  const fail = (reason: string) =>
    failDeployment(engine, sub, isReal ? now : end, new AccountFaultError(reason));
  if (engine.isBeforeSplit) {
    await fail(BEFORE_SPLIT);
    return true;
  }
  if (failing?.at !== at || !failing) {
    await store(engine, sub, { ...sub, failing: { ...failing, since: now, at } });
    return true;
  }
  if (now - failing.since < MAX_FAILING_MS) return true;
  await fail(REASON);
  return true;
};

/** Removes the note of an account that was served. */
export const clearFailure = async (
  engine: EngineRuntime,
  { program_id, deployment_id }: Sub,
): Promise<void> => {
  const sub = await readSub(engine.store, program_id, deployment_id);
  if (sub?.failing && sub.error === undefined) await store(engine, sub, { ...sub, failing: undefined });
};
