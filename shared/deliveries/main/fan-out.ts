import { createHash } from 'node:crypto';
import { type Delivery, replaceDelivery } from '../../data/outbox/deliveries.ts';
import type { MessageOf } from '../../data/outbox/messages.ts';
import { listPushDevices } from '../../data/users/push-registrations.ts';
import type { Runtime } from '../../runtime.ts';

/** Length of a web push topic: at most 32 characters of base64url (RFC 8030, section 5.4), 192 bits. */
const ID_LENGTH = 32;

/** Returns the id of a notification to a device; the same at each call. */
const deviceDeliveryId = (deliveryId: string, pushKey: string): string =>
  createHash('sha256')
    .update(JSON.stringify([deliveryId, pushKey]))
    .digest('base64url')
    .slice(0, ID_LENGTH);

/** Replaces the message to all devices by one for each device. */
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
