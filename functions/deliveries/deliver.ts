import { sendAnalytics } from '../../shared/channels/analytics.ts';
import { putEvent } from '../../shared/channels/bus.ts';
import { sendMail } from '../../shared/channels/mail.ts';
import { sendSms } from '../../shared/channels/sms.ts';
import { parseLiveEntries } from '../../shared/data/live-entries.ts';
import { enterLiveEntries } from '../../shared/data/live-lists.ts';
import { completeDelivery, type Delivery, postponeDelivery, takeDelivery } from '../../shared/data/outbox.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { phoneText, resetMail } from './messages.ts';

/** The addressee or the content was refused: trying again would be refused again. */
class Refused extends Error {}

const send = async (runtime: Runtime, { delivery_id: deliveryId, message }: Delivery): Promise<void> => {
  if (!message) throw new Refused('of a kind that this version does not know');
  if ('valid_until' in message && message.valid_until <= runtime.clock().getTime()) {
    throw new Refused('the code is over');
  }
  switch (message.kind) {
    case 'code_mail': {
      const { to, nonce } = message;
      await sendMail(runtime, { to, deliveryId, ...resetMail(await runtime.keyRing(), to, nonce) });
      return;
    }
    case 'code_sms':
      await sendSms(message.to, phoneText(await runtime.keyRing(), message.email, message.nonce));
      return;
    case 'analytics':
      if (!(await sendAnalytics(runtime, message.payload)))
        throw new Refused('the analytics service refused it');
      return;
    case 'domain_event':
      await putEvent(runtime, { detailType: message.detail_type, detail: message.detail, deliveryId });
      return;
    case 'notification_mail':
      await sendMail(runtime, { to: message.to, deliveryId, subject: message.title, text: message.body });
      return;
    case 'live_entries':
      await enterLiveEntries(runtime, deliveryId, parseLiveEntries(message.entries), []);
      return;
    case 'notification_sms':
      await sendSms(message.to, `${message.title}: ${message.body}`);
      return;
    default:
      message satisfies never;
  }
};

/** Answers of SES and SNS that the same message would get again. */
const FINAL = new Set([
  'MessageRejected',
  'BadRequestException',
  'InvalidParameterException',
  'InvalidParameterValueException',
  'OptedOutException',
]);

const isFinal = (error: unknown): boolean =>
  error instanceof Refused || (error instanceof Error && FINAL.has(error.name));

/**
 * Makes one attempt at a message. A message that somebody else is delivering, or has delivered, is left
 * alone; one that fails is put back for later or, at the end, among the dead letters.
 *
 * @param seenAttempts how many attempts there were at the message when it was found.
 */
export const deliver = async (runtime: Runtime, deliveryId: string, seenAttempts: number): Promise<void> => {
  const now = runtime.clock();
  const delivery = await takeDelivery(runtime.store, deliveryId, seenAttempts, now);
  if (!delivery) return;
  try {
    await send(runtime, delivery);
  } catch (error) {
    // An error's name says what failed; its message may hold the addressee.
    const reason =
      error instanceof Refused ? error.message : error instanceof Error ? error.name : typeof error;
    const state = await postponeDelivery(runtime.store, delivery, { reason, final: isFinal(error), now });
    const line = {
      delivery_id: deliveryId,
      kind: delivery.message?.kind,
      attempts: delivery.attempts,
      reason,
    };
    if (state === 'dead') runtime.log.error('delivery given up', line);
    else if (state === 'later') runtime.log.warn('delivery postponed', line);
    return;
  }
  await completeDelivery(runtime.store, delivery);
};
