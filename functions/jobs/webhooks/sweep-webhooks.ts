import { endpointOf, type WebhookDelivery } from '../../../shared/data/webhooks/deliveries.ts';
import { parkEndpoint } from '../../../shared/data/webhooks/endpoint-health.ts';
import { findDueWebhooks } from '../../../shared/data/webhooks/find-deliveries.ts';
import { deliverTrial } from '../../../shared/deliveries/webhooks/deliver-webhook.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import { dueJob } from '../due-job.ts';
import { beginTurn, type OwnersTurn, turnsOf } from './turns.ts';

/** Due deliveries of one endpoint above which all are parked, so that they hold up no other endpoint. */
const MAX_OF_ENDPOINT = 20;

const attendOwner = async (
  runtime: Runtime,
  { due }: OwnersTurn<WebhookDelivery>,
  hasTime: () => boolean,
): Promise<void> => {
  const goesOn = beginTurn(hasTime);
  const byEndpoint = Map.groupBy(due, ({ delivery_id: id }) => endpointOf(id));
  for (const [endpointId, deliveries] of byEndpoint) {
    if (deliveries.length <= MAX_OF_ENDPOINT) continue;
    const now = runtime.clock();
    await parkEndpoint(runtime.store, endpointId, now, now.getTime());
  }
  for (const { delivery_id, attempts } of due) {
    await deliverTrial(runtime, delivery_id, attempts);
    if (!goesOn()) return;
  }
};

/** Delivers events that are due again or were missed, one after another for each owner. */
export const sweepWebhooks = dueJob({
  name: 'sweep-webhooks',
  summary: 'Delivers events to webhook endpoints that are due again or were missed',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: ['webhooks', 'encryption'],
  find: async ({ store, clock }, limit, onDamaged) =>
    turnsOf(await findDueWebhooks(store, clock(), limit, onDamaged)),
  attend: attendOwner,
  nameOf: ({ owner }) => owner,
  page: 500,
  recordsOf: ({ due }) => due.length,
  atOnce: 50,
  called: 'owners of webhooks',
});
