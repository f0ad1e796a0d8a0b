import { createHash } from 'node:crypto';
import { type Delivery, type MessageOf, replaceDelivery } from '../../shared/data/outbox/outbox.ts';
import { listPushDevices } from '../../shared/data/users/push-registrations.ts';
import type { Runtime } from '../../shared/runtime.ts';

/** A web push topic has at most 32 characters of base64url (RFC 8030, section 5.4): 192 bits. */
const ID_LENGTH = 32;

/** The id under which a notification goes to a device: the same whenever it is made. */
const deviceDeliveryId = (deliveryId: string, pushKey: string): string =>
  createHash('sha256')
    .update(JSON.stringify([deliveryId, pushKey]))
    .digest('base64url')
    .slice(0, ID_LENGTH);

/** Puts a message for each device of the user in the place of the one for all of them. */
export const fanOut = async (
  { store, clock }: Runtime,
  delivery: Delivery,
  { user_id, note }: MessageOf<'notification_push'>,
): Promise<void> => {
  const devices = await listPushDevices(store, user_id);
  const messages = devices.map(({ push_key, kind: device }) => ({
    deliveryId: deviceDeliveryId(delivery.delivery_id, push_key),
    message: { kind: 'device_push' as const, user_id, push_key, device, note },
  }));
  await replaceDelivery(store, delivery, messages, clock());
};
