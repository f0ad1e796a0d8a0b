import { describeError } from '../../../shared/api/redact.ts';
import type { AccountSub } from '../../../shared/data/engine/subscriptions.ts';
import { restoreLiveAccount } from '../../../shared/domain/engine/live/live-account.ts';
import { changeDeployment } from '../../../shared/lifecycle/deployment-change.ts';
import type { EngineRuntime } from '../engine-runtime.ts';
import { messagesOf } from './order-report.ts';

const REASON = 'the deployment has failed';

/** Returns the ids of entries that are at the broker, or may be, and whose cancel was not requested. */
const workingEntries = (
  { log }: EngineRuntime,
  { deployment_id, paper: { settings, saved } }: AccountSub,
): string[] => {
  if (saved === '') return [];
  try {
    const { entries } = restoreLiveAccount(settings, saved);
    return entries.flatMap(({ id, isOver, isCancelled }) => (isOver || isCancelled ? [] : [id]));
  } catch (error) {
    // An account that cannot be restored must not block the others.
    log.error('the orders of a failed account are not known', { deployment_id, ...describeError(error) });
    return [];
  }
};

/**
 * Requests the end of the entries of an account that fails. Nobody would manage the stops of what they fill. Closes go
 * on: they only reduce what is at risk. Safe to repeat.
 */
export const cancelWorking = async (engine: EngineRuntime, sub: AccountSub): Promise<void> => {
  const ids = workingEntries(engine, sub);
  if (ids.length === 0) return;
  await changeDeployment(engine, sub.deployment_id, async (deployment, now) => {
    if (deployment?.kind !== 'live') return undefined;
    const messages = ids.flatMap((client_order_id) =>
      messagesOf(
        deployment,
        {
          kind: 'cancel',
          at: now.getTime(),
          client_order_id,
          symbol: sub.symbol,
          status_message: REASON,
          isLost: false,
        },
        now,
      ),
    );
    return { deployment, notifications: [], messages };
  });
};
