import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import type { EndpointState } from '../../../shared/data/webhooks/endpoint-states.ts';
import type { WebhookEndpoint } from '../../../shared/data/webhooks/endpoints.ts';

const fields = {
  endpoint_id: z.string(),
  url: z.string(),
  description: z.string(),
  events: z.array(z.string()),
  deployment_ids: z.array(integer()).nullable(),
  status: z.enum(['enabled', 'pending', 'disabled']),
  disabled_reason: z.enum(['owner', 'gone', 'failing']).nullable(),
  disabled_at: timestamp().nullable(),
  failing_since: timestamp().nullable(),
  secret_since: timestamp(),
  previous_secret_until: timestamp().nullable(),
  created_at: timestamp(),
};

export const webhookOut = extensionRecord('Webhook', z.object(fields));

/** An endpoint with its secret, which is shown once. */
export const newWebhookOut = extensionRecord('NewWebhook', z.object({ ...fields, secret: z.string() }));

const timeOf = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

/** Presents an endpoint to its owner, without secrets. */
export const presentWebhook = (
  endpoint: WebhookEndpoint,
  state: Pick<EndpointState, 'url' | 'failing_since' | 'secret_since' | 'previous_until'>,
  now: Date,
): z.output<typeof webhookOut> => {
  const { previous_until: until } = state;
  return {
    endpoint_id: endpoint.endpoint_id,
    url: state.url,
    description: endpoint.description,
    events: endpoint.events,
    deployment_ids: endpoint.deployments ?? null,
    status: endpoint.status,
    disabled_reason: endpoint.disabled_reason ?? null,
    disabled_at: endpoint.disabled_at ?? null,
    failing_since: timeOf(state.failing_since),
    secret_since: state.secret_since,
    previous_secret_until: timeOf(until !== undefined && until > now.getTime() ? until : undefined),
    created_at: endpoint.created_at,
  };
};
