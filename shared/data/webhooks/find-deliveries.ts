import { dueKinds } from '../outbox/lanes.ts';
import { type OnDamaged, parseReadable, placeByKey } from '../table/damaged-items.ts';
import { findDueItems } from '../table/due-items.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import { deliverySchema, parkedKind, type WebhookDelivery } from './deliveries.ts';

/** Reads deliveries that are due again or were missed, the longest due first. */
export const findDueWebhooks = (
  store: Store,
  now: Date,
  limit: number,
  onDamaged?: OnDamaged,
): Promise<WebhookDelivery[]> =>
  findDueItems(store, dueKinds('webhooks'), deliverySchema, { now, limit, onDamaged });

/** Reads parked deliveries of an endpoint, in their order. */
export const findParkedWebhooks = (
  store: Store,
  endpointId: string,
  now: Date,
  limit: number,
  onDamaged?: OnDamaged,
): Promise<WebhookDelivery[]> =>
  findDueItems(store, [parkedKind(endpointId)], deliverySchema, { now, limit, onDamaged });

/** Place in the list of deliveries after which a page begins. */
const PLACE = /^[\w-]{1,64}$/;

/** Tells whether a text may be the cursor of a list of deliveries. */
export const isDeliveryCursor = (text: string): boolean => PLACE.test(text);

/**
 * Reads deliveries of an endpoint, newest first. Omits damaged ones; the cursor passes them.
 *
 * @param before place of the last delivery of the page before.
 * @returns at most `limit` deliveries, and `next` if more may follow.
 */
export const listWebhookDeliveries = async (
  store: Store,
  endpointId: string,
  { limit, before }: { readonly limit: number; readonly before: string | undefined },
  onDamaged: OnDamaged,
): Promise<{ deliveries: WebhookDelivery[]; next: string | undefined }> => {
  const { pk, sk: from } = keys.webhookDelivery(endpointId, '');
  const { sk: to } = keys.webhookDelivery(endpointId, before ?? '~');
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
    ScanIndexForward: false,
    // The last delivery of the page before is read again, and one more tells whether others follow.
    Limit: limit + 2,
  });
  const found = items.filter(({ sk }) => sk !== to);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    deliveries: parseReadable(deliverySchema, page, placeByKey, onDamaged),
    next: found.length > limit && last ? String(last.sk).slice(from.length) : undefined,
  };
};
