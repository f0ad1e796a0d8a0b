import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { type Items, itemWith } from '../../../shared/data/table/items.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import {
  asEndpoints,
  endpointsKey,
  type WebhookEndpoint,
  type WebhookEndpoints,
  type WebhookOwner,
} from '../../../shared/data/webhooks/endpoints.ts';

/** Refuses an unknown endpoint, and one of another owner, with the same answer. */
export const unknownEndpoint = (): HubError =>
  new HubError('endpoint_unknown', 'There is no such webhook endpoint.');

/** Requires that an endpoint gets events. @throws HubError endpoint_disabled, endpoint_pending */
export const requireEnabled = ({ status }: WebhookEndpoint): void => {
  if (status === 'enabled') return;
  if (status === 'pending') {
    throw new HubError(
      'endpoint_pending',
      'The address has not answered the challenge yet. Let it answer, and send another by /test_webhook.',
    );
  }
  throw new HubError('endpoint_disabled', 'The webhook endpoint is disabled. Enable it first.');
};

/** An endpoint of an owner, with the item that lists it and what was read with it. */
interface OwnEndpoint {
  readonly held: WebhookEndpoints;
  readonly endpoint: WebhookEndpoint;
  readonly items: Items;
}

/** Reads an endpoint of an owner, and more items in the same call. @throws HubError endpoint_unknown */
export const ownEndpoint = async (
  { store }: Call,
  owner: WebhookOwner,
  endpointId: string,
  extraReads: readonly Key[],
): Promise<OwnEndpoint> => {
  const own = endpointsKey(owner);
  const items = await store.getMany([own, ...extraReads], { consistent: true });
  const held = asEndpoints(itemWith(items, own));
  const endpoint = held?.endpoints.find(({ endpoint_id: id }) => id === endpointId);
  if (!held || !endpoint) throw unknownEndpoint();
  return { held, endpoint, items };
};
