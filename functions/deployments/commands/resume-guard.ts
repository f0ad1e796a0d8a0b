import { HubError } from '../../../shared/api/errors.ts';
import { thrownKillSwitch } from '../../../shared/api/refusals.ts';
import type { Deployment } from '../../../shared/data/deployments/deployments.ts';
import { armedBrokerCheck, switchChecks } from '../../../shared/data/switches/switch-checks.ts';
import {
  readSwitches,
  switchesIn,
  switchKeys,
  thrownSwitch,
} from '../../../shared/data/switches/switches.ts';
import type { Items } from '../../../shared/data/table/items.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { Key, Write } from '../../../shared/data/table/writes.ts';
import type { Effect } from '../../../shared/lifecycle/effect.ts';
import { readOverallTrip } from '../../../shared/lifecycle/overall-risk.ts';

/** Refuses to resume a deployment while a kill switch covers it. */
interface ResumeGuard {
  /** Keys to read with the deployment. */
  readonly extraReads: readonly Key[];
  /** Adds the checks of the switches to a change. @throws HubError kill_switch, state_conflict */
  readonly amend: (effect: Effect, before: Deployment, items: Items) => Promise<Effect>;
}

/**
 * Makes the guard of a request. The broker of a deployment is known only once the deployment is read, so its switch is
 * checked by the transaction, and read only if the transaction was refused.
 */
export const resumeGuard = (store: Store, userId: string, now: Date): ResumeGuard => {
  let attempts = 0;
  const checksOf = async (brokerId: number | undefined, items: Items): Promise<Write[]> => {
    attempts++;
    const own = { user_id: userId };
    const isBlind = brokerId === undefined || attempts === 1;
    const switches = isBlind
      ? switchesIn(items, own)
      : await readSwitches(store, { ...own, broker_id: brokerId });
    // The switch of the user also has the holds of single brokers.
    const covering = isBlind ? switchesIn(items, { ...own, broker_id: brokerId }) : switches;
    const thrown = thrownSwitch(covering);
    if (thrown) throw thrownKillSwitch(thrown);
    const isUnread = isBlind && brokerId !== undefined;
    return [...switchChecks(switches), ...(isUnread ? [armedBrokerCheck(brokerId)] : [])];
  };
  return {
    extraReads: switchKeys({ user_id: userId }),
    amend: async (effect, before, items) => {
      const brokerId = before.kind === 'live' ? before.broker_id : undefined;
      const tripped = await readOverallTrip(store, before, now);
      if (tripped !== undefined) {
        throw new HubError(
          'state_conflict',
          `${tripped}. Set the limits over all deployments anew, or resume after 00:00 UTC.`,
        );
      }
      const checks = await checksOf(brokerId, items);
      return { ...effect, writes: [...(effect.writes ?? []), ...checks] };
    },
  };
};
