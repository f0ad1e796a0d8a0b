import { deliverBy, type Send } from '../deliveries/attempt.ts';
import { NewerMessageError } from '../deliveries/failures.ts';
import { isBulk, sendBulk } from '../deliveries/send-bulk.ts';

const send: Send = async (runtime, { delivery_id: deliveryId, message }) => {
  if (!message || !isBulk(message)) throw new NewerMessageError('of a kind that this version does not know');
  await sendBulk(runtime, deliveryId, message);
  return true;
};

/** Makes one attempt at a mail or text message of a notification, or at analytics. */
export const deliverBulk = deliverBy(send);
