import type { TradingDeployment } from '../../shared/data/deployments/deployments.ts';
import type { DeploymentSetup } from '../../shared/data/engine/setups.ts';
import { readSub, watchedWrite } from '../../shared/data/engine/subscriptions.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import type { Store } from '../../shared/data/table/store.ts';

/** Lets the accounts of a deployment watch its risk limits from their next bar on. Idempotent. */
export const watchAccounts = async (
  store: Store,
  { deployment_id: id, limits }: TradingDeployment,
  { program_ids }: DeploymentSetup,
): Promise<void> => {
  for (const programId of program_ids) {
    await retryOnConflict(async () => {
      const sub = await readSub(store, programId, id);
      if (!sub || sub.kind === 'N' || sub.watched === limits?.rev) return;
      await store.transact([watchedWrite(sub, limits?.rev)]);
    });
  }
};
