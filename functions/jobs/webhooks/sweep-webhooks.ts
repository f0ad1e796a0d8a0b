import { endpointOf, type WebhookDelivery } from '../../../shared/data/webhooks/deliveries.ts';
import { parkEndpoint } from '../../../shared/data/webhooks/endpoint-health.ts';
import { findDueWebhooks } from '../../../shared/data/webhooks/find-deliveries.ts';
import { deliverWebhook } from '../../../shared/deliveries/webhooks/deliver-webhook.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import { dueJob } from '../due-job.ts';

/** Due deliveries of one endpoint above which all are parked, so that they hold up no other endpoint. */
const MAX_OF_ENDPOINT = 20;

interface Group {
  readonly endpointId: string;
  readonly deliveries: readonly WebhookDelivery[];
}

const attendGroup = async (runtime: Runtime, { endpointId, deliveries }: Group): Promise<void> => {
  if (deliveries.length > MAX_OF_ENDPOINT) {
    const now = runtime.clock();
    await parkEndpoint(runtime.store, endpointId, now, now.getTime());
  }
  for (const { delivery_id, attempts } of deliveries) await deliverWebhook(runtime, delivery_id, attempts);
};

/** Delivers events that are due again or were missed, one after another for each endpoint. */
export const sweepWebhooks = dueJob({
  name: 'sweep-webhooks',
  summary: 'Delivers events to webhook endpoints that are due again or were missed',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: ['webhooks', 'encryption'],
  find: async ({ store, clock }, limit, onDamaged) => {
    const due = await findDueWebhooks(store, clock(), limit, onDamaged);
    const groups = Map.groupBy(due, ({ delivery_id: id }) => endpointOf(id));
    return [...groups].map(([endpointId, deliveries]): Group => ({ endpointId, deliveries }));
  },
  attend: attendGroup,
  nameOf: ({ endpointId }) => endpointId,
  page: 500,
  recordsOf: ({ deliveries }) => deliveries.length,
  atOnce: 50,
  called: 'webhook endpoints',
});
