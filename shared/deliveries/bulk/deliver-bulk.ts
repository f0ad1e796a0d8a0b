import { sendAnalytics } from '../../channels/analytics.ts';
import { sendSms } from '../../channels/sms.ts';
import { deliverBy, type Send } from '../attempt.ts';
import { DeliveryRefusedError, NewerMessageError } from '../failures.ts';
import { sendNotificationMail, sendUnsubscribeMail } from './notification-mail.ts';

const send: Send = async (runtime, { delivery_id: deliveryId, message }) => {
  switch (message?.kind) {
    case 'analytics':
      if (await sendAnalytics(runtime, message.payload)) return true;
      throw new DeliveryRefusedError('the analytics service refused it');
    case 'notification_mail':
      await sendNotificationMail(runtime, deliveryId, message);
      return true;
    case 'unsubscribe_mail':
      await sendUnsubscribeMail(runtime, deliveryId, message);
      return true;
    case 'notification_sms':
      await sendSms(message.to, `${message.title}: ${message.body}`);
      return true;
    default:
      throw new NewerMessageError('of a kind that this version does not know');
  }
};

/** Makes one attempt at a mail or text message of a notification, or at analytics. */
export const deliverBulk = deliverBy(send);
