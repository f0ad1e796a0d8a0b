import { findDueDeliveries } from '../../../shared/data/outbox/deliveries.ts';
import { deliver } from '../../../shared/deliveries/main/deliver-main.ts';
import { dueJob } from '../due-job.ts';

/** Messages that a run sends in parallel. */
export const SENT_TOGETHER = 50;

/**
 * Delivers what is due: messages whose delivery failed before, and those that a crash kept from being
 * delivered when they were written.
 */
export const sweepDeliveries = dueJob({
  name: 'sweep-deliveries',
  summary: 'Delivers messages that are due again or were missed',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: ['mail', 'sms', 'bus'],
  find: ({ store, clock }, limit, onDamaged) => findDueDeliveries(store, 'main', clock(), limit, onDamaged),
  attend: (runtime, { delivery_id, attempts }) => deliver(runtime, delivery_id, attempts),
  nameOf: ({ delivery_id }) => delivery_id,
  page: 500,
  atOnce: SENT_TOGETHER,
  called: 'messages',
});
