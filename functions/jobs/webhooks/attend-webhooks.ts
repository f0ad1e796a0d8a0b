import { findDueEndpoints } from '../../../shared/data/webhooks/endpoint-health.ts';
import { attendEndpoint } from '../../../shared/deliveries/webhooks/attend-endpoint.ts';
import { dueJob } from '../due-job.ts';

/** Sends the parked events of endpoints that failed, answered slowly or were enabled. */
export const attendWebhooks = dueJob({
  name: 'attend-webhooks',
  summary: 'Tries webhook endpoints that failed, and sends them what waits',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: ['webhooks', 'encryption'],
  find: ({ store, clock }, limit, onDamaged) => findDueEndpoints(store, clock(), limit, onDamaged),
  attend: attendEndpoint,
  nameOf: ({ endpoint_id }) => endpoint_id,
  page: 250,
  atOnce: 50,
  called: 'webhook endpoints',
});
