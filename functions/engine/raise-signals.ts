import type { Deployment } from '../../shared/data/deployments/deployments.ts';
import { eventDigestKey } from '../../shared/data/deployments/event-digests.ts';
import type { EngineProgram } from '../../shared/data/engine/programs.ts';
import type { Sub } from '../../shared/data/engine/subscriptions.ts';
import { type Items, itemWith } from '../../shared/data/table/items.ts';
import { type ProgramSignal, signalsOf } from '../../shared/domain/engine/running/program-signals.ts';
import { changeDeployment } from '../../shared/lifecycle/deployment-change.ts';
import type { Span } from '../../shared/lifecycle/engine-accounts/advance-account.ts';
import { isOver, takesEntries } from '../../shared/lifecycle/engine-accounts/takes-entries.ts';
import { applyStatusReport, digestOf } from '../../shared/lifecycle/reports/apply-status.ts';
import { readNotifiedPeriod } from '../../shared/lifecycle/reports/notified-period.ts';
import { SIGNAL_RAISED } from '../../shared/lifecycle/reports/report.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { failDeployment, isPermanent } from './fail-deployment.ts';
import { dropSub } from './leave-program.ts';
import { type Served, servePages } from './serve-accounts.ts';

const reportOfSignal = (deployment_id: number, { at, symbol, side, price, title, body }: ProgramSignal) =>
  SIGNAL_RAISED.ofHub({
    deployment_id,
    occurred_at: new Date(at).toISOString(),
    symbol,
    side,
    price,
    title,
    body,
  });

/** Raises a signal to a deployment, exactly once. Returns false if the deployment has ended. */
const raise = async (
  engine: EngineRuntime,
  { calendar }: EngineProgram,
  id: number,
  signal: ProgramSignal,
): Promise<boolean> => {
  const report = reportOfSignal(id, signal);
  const digest = digestOf(report);
  const taken = eventDigestKey(id, digest);
  let runs = true;
  const decide = async (deployment: Deployment | undefined, now: Date, items: Items) => {
    runs = !isOver(deployment);
    if (!deployment || !runs || !takesEntries(deployment)) return undefined;
    const known = { findCalendarId: () => calendar, now };
    const period = await readNotifiedPeriod(engine.store, deployment, report, known);
    const effect = applyStatusReport(deployment, report, {
      digest,
      item: itemWith(items, taken),
      period,
      now,
    });
    return effect && { ...effect, at: new Date(signal.at) };
  };
  await changeDeployment(engine, id, decide, [taken]);
  return runs;
};

/** Returns whether a deployment hears of a signal: neither one of its past, nor the end of a trade that began there. */
const hears = ({ joined_at }: Sub, { at, entered_at = at }: ProgramSignal): boolean =>
  at > joined_at && entered_at > joined_at;

const raiseAll = async (
  engine: EngineRuntime,
  program: EngineProgram,
  sub: Sub,
  signals: readonly ProgramSignal[],
): Promise<void> => {
  if (sub.error !== undefined) return;
  for (const signal of signals) {
    if (!hears(sub, signal)) continue;
    try {
      if (await raise(engine, program, sub.deployment_id, signal)) continue;
      return await dropSub(engine, sub);
    } catch (error) {
      if (!isPermanent(error)) throw error;
      await failDeployment(engine, sub, signal.at, error);
      return;
    }
  }
};

/**
 * Raises the signals of bars after a moment to notification deployments: entries that turned true, and exits of the
 * program's model position. Costs no call without a signal.
 */
export const raiseSignals = async (
  engine: EngineRuntime,
  program: EngineProgram,
  { running, frames, end }: Span,
  after: number,
): Promise<Served> => {
  const signals = frames
    .filter(({ bars }) => (bars.start.at(-1) ?? after) > after)
    .flatMap((each) => signalsOf(running, each, program.symbol))
    .filter(({ at }) => at > after);
  if (signals.length === 0) return { count: 0, active: 0, failures: [], isBehind: false };
  return servePages(engine, program, {
    kind: 'N',
    end,
    attend: async (sub) => {
      await raiseAll(engine, program, sub, signals);
      return false;
    },
  });
};
