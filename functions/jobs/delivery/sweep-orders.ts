import { findDueDeliveries } from '../../../shared/data/outbox/deliveries.ts';
import { deliverOrder } from '../../../shared/deliveries/orders/deliver-order.ts';
import { dueJob } from '../due-job.ts';

/** Delivers due requests to execution adapters, as `sweep-deliveries` does for other messages. */
export const sweepOrders = dueJob({
  name: 'sweep-orders',
  summary: 'Delivers requests of orders that are due again or were missed',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: ['bus'],
  find: ({ store, clock }, limit, onDamaged) => findDueDeliveries(store, 'orders', clock(), limit, onDamaged),
  attend: (runtime, { delivery_id, attempts }) => deliverOrder(runtime, delivery_id, attempts),
  nameOf: ({ delivery_id }) => delivery_id,
  page: 500,
  atOnce: 50,
  called: 'requests of orders',
});
