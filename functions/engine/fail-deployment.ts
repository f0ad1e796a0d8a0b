import * as z from 'zod';
import { describeError } from '../../shared/api/redact.ts';
import { type AccountSub, type Sub, subWrites } from '../../shared/data/engine/subscriptions.ts';
import { StoredNumberError } from '../../shared/data/table/attributes.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import { AccountFaultError } from '../../shared/domain/engine/running/account-fault.ts';
import { MalformedEventError } from '../../shared/domain/malformed-event.ts';
import { settleEntriesOf } from '../../shared/domain/risk/state.ts';
import { changeDeployment } from '../../shared/lifecycle/deployment-change.ts';
import type { Effect } from '../../shared/lifecycle/effect.ts';
import { FAILED } from '../../shared/lifecycle/reports/report.ts';
import { takeReport } from '../../shared/lifecycle/reports/take-report.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { isPassing } from './passing-errors.ts';
import { settleFailed } from './settle-failed.ts';

const MAX_REASON = 500;

/**
 * Tells failures that no retry mends: data of the deployment, or a refusal of its account or its ledger. Faults of the
 * engine itself are not among them.
 */
export const isPermanent = (error: unknown): error is Error =>
  error instanceof MalformedEventError ||
  error instanceof z.ZodError ||
  error instanceof AccountFaultError ||
  error instanceof StoredNumberError;

/**
 * Counts the waiting entries of a failed paper account as positions no longer: it will not fill or cancel them. Orders at
 * a broker may still fill, and count until it reports their end.
 */
const releaseEntries = async (
  engine: EngineRuntime,
  { deployment_id, symbol }: AccountSub,
): Promise<void> => {
  await changeDeployment(engine, deployment_id, (found): Effect | undefined => {
    if (found?.kind !== 'live' || !found.risk) return undefined;
    const risk = settleEntriesOf(found.risk, symbol);
    return risk === found.risk ? undefined : { deployment: { ...found, risk }, notifications: [] };
  });
};

/** Reports the failure of a deployment to its owner. */
const report = async (engine: EngineRuntime, sub: Sub, at: number, reason: string): Promise<void> => {
  const { deployment_id, symbol } = sub;
  await takeReport(
    engine,
    FAILED.ofHub({
      deployment_id,
      occurred_at: new Date(at).toISOString(),
      message: `${symbol}: ${reason}`.slice(0, MAX_REASON),
    }),
  );
  if (sub.kind !== 'N' && !sub.is_live) await releaseEntries(engine, sub);
};

/** Stores a failed subscription. Returns false if it has changed since it was read. */
const mark = async ({ store }: EngineRuntime, sub: Sub, failed: Sub): Promise<boolean> => {
  try {
    await store.transact(subWrites(sub, failed));
    return true;
  } catch (refusal) {
    if (!(refusal instanceof TransactionRefusedError)) throw refusal;
    return false;
  }
};

/**
 * Marks a subscription and its deployment as failed, and settles its orders and positions by the books. The deployment is
 * skipped from now on.
 *
 * @returns whether nothing is left to settle.
 */
export const failDeployment = async (
  engine: EngineRuntime,
  sub: Sub,
  at: number,
  error: Error,
): Promise<boolean> => {
  const { log } = engine;
  const { deployment_id } = sub;
  const reason = error instanceof z.ZodError ? 'the stored account cannot be read' : error.message;
  log.error('a deployment of the engine failed', { deployment_id, reason });
  try {
    await report(engine, sub, at, reason);
  } catch (fault) {
    if (isPassing(fault)) throw fault;
    // A deployment that cannot be changed must not block the others of its program.
    log.error('the failure of a deployment could not be reported', {
      deployment_id,
      ...describeError(fault),
    });
  }
  const ending = { error: reason, failing: undefined };
  if (sub.kind === 'N') return mark(engine, sub, { ...sub, ...ending });
  // Its next bar settles an account whose worker dies here.
  const failed: AccountSub = { ...sub, ...ending, kind: 'A' };
  if (!(await mark(engine, sub, failed))) return false;
  return settleFailed(engine, { ...failed, rev: sub.rev + 1 });
};
