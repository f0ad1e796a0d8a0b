import { findDueDeliveries } from '../../../shared/data/outbox/deliveries.ts';
import { deliverBulk } from '../../../shared/deliveries/bulk/deliver-bulk.ts';
import { dueJob } from '../due-job.ts';
import { SENT_TOGETHER } from './sweep-deliveries.ts';

/** Delivers due mails and text messages of notifications, and analytics, as `sweep-deliveries` does for other messages. */
export const sweepBulk = dueJob({
  name: 'sweep-bulk',
  summary: 'Delivers mails and text messages of notifications that are due again or were missed',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: ['mail', 'sms', 'analytics'],
  find: ({ store, clock }, limit, onDamaged) => findDueDeliveries(store, 'bulk', clock(), limit, onDamaged),
  attend: (runtime, { delivery_id, attempts }) => deliverBulk(runtime, delivery_id, attempts),
  nameOf: ({ delivery_id }) => delivery_id,
  page: 500,
  atOnce: SENT_TOGETHER,
  called: 'messages',
});
