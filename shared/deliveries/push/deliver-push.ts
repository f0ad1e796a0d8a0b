import { sendPush } from '../../channels/push.ts';
import { GIVE_UP_MS } from '../../data/outbox/deliveries.ts';
import { ownsPushDevice, removePushDevice } from '../../data/users/push-registrations.ts';
import { textId } from '../../ids.ts';
import { deliverBy, type Send } from '../attempt.ts';
import { DeliveryRefusedError, NewerMessageError, RetryLaterError } from '../failures.ts';

/**
 * Sends a message to a device. A device that no longer belongs to the user gets nothing. A device that its
 * push service no longer knows is removed.
 *
 * @throws RetryLaterError, DeliveryRefusedError, UpstreamDownError
 */
const send: Send = async (runtime, { delivery_id: deliveryId, created_at: createdAt, message }) => {
  if (message?.kind !== 'device_push')
    throw new NewerMessageError('of a kind that this version does not know');
  const { store, clock, random, log } = runtime;
  const { user_id: userId, push_key, device: kind, note } = message;
  if (!(await ownsPushDevice(store, userId, push_key))) return true;
  const leftMs = createdAt + GIVE_UP_MS - clock().getTime();
  const ttlS = Math.max(0, Math.floor(leftMs / 1000));
  const outcome = await sendPush(runtime, { kind, push_key }, { ...note, deliveryId, ttlS });
  switch (outcome.state) {
    case 'sent':
      return true;
    case 'gone':
      await removePushDevice(store, userId, push_key, () => textId(random));
      log.info('push registration removed', {
        delivery_id: deliveryId,
        device: kind,
        reason: outcome.reason,
      });
      return true;
    case 'later':
      throw new RetryLaterError(outcome.reason, outcome.afterMs);
    case 'refused':
      throw new DeliveryRefusedError(outcome.reason);
    default:
      return outcome satisfies never;
  }
};

/** Makes one attempt at a message to a device. */
export const deliverPush = deliverBy(send);
