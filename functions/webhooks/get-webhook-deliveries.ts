import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { isDeliveryCursor, listWebhookDeliveries } from '../../shared/data/webhooks/find-deliveries.ts';
import { forOwners } from './common/for-owners.ts';
import { endpointQuery } from './common/inputs.ts';
import { ownEndpoint } from './common/own-endpoint.ts';
import { presentDelivery, webhookDeliveryOut } from './records/webhook-delivery.ts';

const MAX_PAGE = 100;
const PAGE = 25;

const pageOfDeliveries = {
  limit: integer({ min: 1, max: MAX_PAGE }).default(PAGE),
  cursor: z.string().refine(isDeliveryCursor, { error: 'the cursor is not valid' }).optional(),
};

const deliveriesOut = z.object({
  deliveries: z.array(webhookDeliveryOut),
  next_cursor: z.string().nullable(),
});

export const [getWebhookDeliveries, brokerGetWebhookDeliveries] = forOwners({
  method: 'GET',
  name: 'get_webhook_deliveries',
  summary: 'List the deliveries of a webhook endpoint',
  description: 'Newest first, of the last 30 days, with the outcome of the last attempt.',
  scope: 'manage',
  input: (owner) => ({ query: z.object({ ...owner, ...endpointQuery, ...pageOfDeliveries }) }),
  output: deliveriesOut,
  errors: ['endpoint_unknown'],
  table: 'read',
  handler: async ({ query: { endpoint_id: endpointId, limit, cursor: before } }, call, owner) => {
    await ownEndpoint(call, owner, endpointId, []);
    const { deliveries, next } = await listWebhookDeliveries(
      call.store,
      endpointId,
      { limit, before },
      call.onDamaged,
    );
    return {
      deliveries: deliveries.map((delivery) => presentDelivery(delivery, call.now)),
      next_cursor: next ?? null,
    };
  },
});
