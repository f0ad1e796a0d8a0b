import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import type { WebhookOwner } from '../../shared/data/webhooks/endpoints.ts';
import { isDeliveryCursor, listWebhookDeliveries } from '../../shared/data/webhooks/find-deliveries.ts';
import { endpointQuery } from './common/inputs.ts';
import { BROKER_ERRORS, ownEndpoint, ownerOfBroker, ownerOfUser, USER_ERRORS } from './common/owners.ts';
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

const getWebhookDeliveriesOf = async (
  call: Call,
  owner: WebhookOwner,
  {
    endpoint_id: endpointId,
    limit,
    cursor: before,
  }: { readonly endpoint_id: string; readonly limit: number; readonly cursor?: string | undefined },
): Promise<z.output<typeof deliveriesOut>> => {
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
};

export const getWebhookDeliveries = defineOperation({
  method: 'GET',
  path: '/get_webhook_deliveries',
  name: 'get_webhook_deliveries',
  summary: 'List the deliveries of a webhook endpoint',
  description:
    'Newest first, of the last 30 days, with the outcome of the last attempt. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string(), ...endpointQuery, ...pageOfDeliveries }) },
  output: deliveriesOut,
  errors: [...USER_ERRORS, 'endpoint_unknown'],
  table: 'read',
  handler: async ({ query: { user_id, ...query } }, call) =>
    getWebhookDeliveriesOf(call, ownerOfUser(call, user_id), query),
});

export const brokerGetWebhookDeliveries = defineOperation({
  method: 'GET',
  path: '/broker/get_webhook_deliveries',
  name: 'broker_get_webhook_deliveries',
  summary: 'List the deliveries of a webhook endpoint, of the broker',
  description:
    'Newest first, of the last 30 days, with the outcome of the last attempt. Needs the scope `broker:webhooks`.',
  caller: 'integrator',
  extension: true,
  input: { query: z.object({ ...endpointQuery, ...pageOfDeliveries }) },
  output: deliveriesOut,
  errors: [...BROKER_ERRORS, 'endpoint_unknown'],
  table: 'read',
  handler: async ({ query }, call) => getWebhookDeliveriesOf(call, await ownerOfBroker(call), query),
});
