import type { WebhookOwner } from '../../../shared/data/webhooks/endpoints.ts';
import { bodyOf, newDelivery } from '../../../shared/data/webhooks/new-deliveries.ts';
import type { ChangeData } from '../../../shared/domain/changes/catalogue.ts';
import { textId } from '../../../shared/ids.ts';

/**
 * Makes the delivery of a challenge: a text that only who controls the address can return. Until then the address gets no
 * events, so that nobody sends events to addresses of others.
 */
export const newChallenge = (
  endpointId: string,
  owner: WebhookOwner,
  making: Parameters<typeof newDelivery>[2],
) => {
  const { now, random } = making;
  const challenge = textId(random);
  const data: ChangeData<'webhook.challenge'> = { challenge };
  const event = { id: textId(random), type: 'webhook.challenge', at: now.toISOString(), data };
  const addressed = { endpointId, owner, eventId: event.id, eventType: event.type, body: bodyOf(event) };
  return newDelivery({ ...addressed, challenge }, 'trials', making);
};
