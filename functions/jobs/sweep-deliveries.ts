import { findDueDeliveries } from '../../shared/data/outbox.ts';
import { deliver } from '../deliveries/deliver.ts';
import type { Job } from './job.ts';

/** Bounds a run: the rest is due a minute later. */
const MAX_PER_RUN = 100;
const AT_ONCE = 10;

/**
 * Delivers what is due: messages whose delivery failed before, and those that a crash kept from being
 * delivered when they were written.
 */
export const sweepDeliveries: Job = {
  name: 'sweep-deliveries',
  summary: 'Delivers messages that are due again or were missed',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: ['mail', 'sms', 'analytics', 'bus'],
  run: async (runtime) => {
    const due = await findDueDeliveries(runtime.store, runtime.clock(), MAX_PER_RUN);
    const failures: unknown[] = [];
    for (let start = 0; start < due.length; start += AT_ONCE) {
      const batch = due.slice(start, start + AT_ONCE);
      const settled = await Promise.allSettled(
        batch.map(({ delivery_id, attempts }) => deliver(runtime, delivery_id, attempts)),
      );
      failures.push(...settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
    }
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} messages could not be taken`);
    return { done: due.length, more: due.length === MAX_PER_RUN };
  },
};
