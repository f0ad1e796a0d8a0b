import { sendAnalytics } from '../../shared/channels/analytics.ts';
import { sendSms } from '../../shared/channels/sms.ts';
import type { Message, MessageOf } from '../../shared/data/outbox/messages.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { DeliveryRefusedError } from './failures.ts';
import { sendNotificationMail } from './notification-mail.ts';

type BulkMessage = MessageOf<'analytics' | 'notification_mail' | 'notification_sms'>;

/** Returns whether a message is of the lane `bulk`. */
export const isBulk = (message: Message): message is BulkMessage =>
  message.kind === 'analytics' || message.kind === 'notification_mail' || message.kind === 'notification_sms';

/** Sends a message of the lane `bulk`. @throws Error if it could not be sent */
export const sendBulk = async (runtime: Runtime, deliveryId: string, message: BulkMessage): Promise<void> => {
  switch (message.kind) {
    case 'analytics':
      if (!(await sendAnalytics(runtime, message.payload)))
        throw new DeliveryRefusedError('the analytics service refused it');
      return;
    case 'notification_mail':
      return sendNotificationMail(runtime, deliveryId, message);
    case 'notification_sms':
      return sendSms(message.to, `${message.title}: ${message.body}`);
    default:
      return message satisfies never;
  }
};
