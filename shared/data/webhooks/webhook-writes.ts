import type { ChangeEvent } from '../../domain/changes/change-event.ts';
import type { Write } from '../table/writes.ts';
import type { WebhookEndpoint, WebhookEndpoints } from './endpoints.ts';
import { bodyOf, newDelivery } from './new-deliveries.ts';

/** Returns whether an endpoint gets an event. */
export const takesEvent = (
  { status, events, deployments }: WebhookEndpoint,
  { type, deployment_id: id }: Pick<ChangeEvent, 'type' | 'deployment_id'>,
): boolean =>
  status === 'enabled' &&
  (events.length === 0 || events.includes(type)) &&
  (deployments === undefined || (id !== undefined && deployments.includes(id)));

/**
 * Returns the writes that send an event to the webhook endpoints of an owner, for the transaction that enters the event
 * into the owner's log. Empty without an endpoint whose filter takes the event.
 *
 * @param held the endpoints of the owner; undefined without any.
 */
export const webhookWrites = (
  held: WebhookEndpoints | undefined,
  event: ChangeEvent,
  making: { readonly now: Date; readonly random: (bytes: number) => Buffer },
): Write[] => {
  if (!held) return [];
  const chosen = held.endpoints.filter((endpoint) => takesEvent(endpoint, event));
  if (chosen.length === 0) return [];
  const body = bodyOf(event);
  return chosen.map(
    ({ endpoint_id: endpointId, trial }) =>
      newDelivery(
        { endpointId, owner: held.owner, eventId: event.id, eventType: event.type, body },
        trial ? 'trials' : 'webhooks',
        making,
      ).write,
  );
};
