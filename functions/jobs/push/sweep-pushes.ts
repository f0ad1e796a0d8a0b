import { findDueDeliveries } from '../../../shared/data/outbox/deliveries.ts';
import { deliverPush } from '../../../shared/deliveries/push/deliver-push.ts';
import { dueJob } from '../due-job.ts';

/** Delivers due messages to devices, as `sweep-deliveries` does for all others. */
export const sweepPushes = dueJob({
  name: 'sweep-pushes',
  summary: 'Delivers messages to devices that are due again or were missed',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: ['push'],
  find: ({ store, clock }, limit, onDamaged) => findDueDeliveries(store, 'push', clock(), limit, onDamaged),
  attend: (runtime, { delivery_id, attempts }) => deliverPush(runtime, delivery_id, attempts),
  nameOf: ({ delivery_id }) => delivery_id,
  page: 500,
  atOnce: 50,
  called: 'messages to devices',
});
