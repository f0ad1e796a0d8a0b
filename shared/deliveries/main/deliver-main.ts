import type { KeyRing } from '../../auth/key-ring.ts';
import { putEvent } from '../../channels/bus.ts';
import { MailHeldError, sendMail } from '../../channels/mail.ts';
import { sendSms } from '../../channels/sms.ts';
import type { MessageOf } from '../../data/outbox/messages.ts';
import { findMailStop } from '../../data/users/mail-stops.ts';
import type { Runtime } from '../../runtime.ts';
import { deliverBy, type Send } from '../attempt.ts';
import { DeliveryRefusedError, NewerMessageError, RetrySoonError } from '../failures.ts';
import { carryLimits } from './carry-limits.ts';
import { carryListeners } from './carry-listeners.ts';
import { changeMail, phoneText, proofMail, resetMail, stepUpMail, undoMail } from './code-messages.ts';
import { enterEntries } from './enter-entries.ts';
import { fanOut } from './fan-out.ts';
import { secureAccount } from './secure-account.ts';

/** @throws DeliveryRefusedError for an address to which mail is stopped. */
const requireMailable = async ({ store }: Runtime, to: string): Promise<void> => {
  const stop = await findMailStop(store, to);
  if (stop) throw new DeliveryRefusedError(`mail to the address is stopped after a ${stop.reason}`);
};

/** Tries a code again soon that SES does not take for now. */
const soon = (error: unknown): never => {
  throw error instanceof MailHeldError ? new RetrySoonError(error.message) : error;
};

/** Writes the mail of a code. */
const writtenMail = (
  { settings, clock }: Runtime,
  ring: KeyRing,
  { to: email, purpose, nonce, account }: MessageOf<'code_mail'>,
): { subject: string; text: string } => {
  if (purpose === 'email_change') return changeMail(ring, settings.HUB_PUBLIC_URL, { email, nonce });
  if (purpose === 'step_up') return stepUpMail(ring, email, nonce);
  if (!account) return resetMail(ring, email, nonce);
  const { user_id: userId, password_version: passwordVersion } = account;
  const proof = { email, nonce, account: { userId, passwordVersion }, now: clock() };
  return proofMail(ring, settings.HUB_PUBLIC_URL, proof);
};

const send: Send = async (runtime, delivery) => {
  const { delivery_id: deliveryId, message } = delivery;
  if (!message) throw new NewerMessageError('of a kind that this version does not know');
  if ('valid_until' in message && message.valid_until <= runtime.clock().getTime()) {
    throw new DeliveryRefusedError('the code is over');
  }
  switch (message.kind) {
    case 'code_mail': {
      const { to, by_owner = false } = message;
      if (!by_owner) await requireMailable(runtime, to);
      const written = writtenMail(runtime, await runtime.keyRing(), message);
      await sendMail(runtime, { to, deliveryId, ...written }).catch(soon);
      return true;
    }
    case 'email_undo_mail':
      // Goes also to an address to which mail is stopped: whoever changed the e-mail may have caused the stop.
      await sendMail(runtime, {
        to: message.to,
        deliveryId,
        ...undoMail(await runtime.keyRing(), runtime.settings.HUB_PUBLIC_URL, message),
      }).catch(soon);
      return true;
    case 'code_sms':
      await sendSms(message.to, phoneText(await runtime.keyRing(), message.email, message.nonce));
      return true;
    case 'domain_event':
      await putEvent(runtime, { detailType: message.detail_type, detail: message.detail, deliveryId });
      return true;
    case 'live_entries':
      // The transaction that adds the entries removes the record.
      await enterEntries(runtime, deliveryId, message);
      return false;
    case 'account_secured':
      return secureAccount(runtime, delivery, message);
    case 'risk_limits':
      return carryLimits(runtime, delivery, message);
    case 'change_listeners':
      return carryListeners(runtime, delivery, message);
    case 'notification_push':
      // The transaction that adds the replacements removes the record.
      await fanOut(runtime, delivery, message);
      return false;
    default:
      throw new NewerMessageError('of a kind that this lane does not deliver');
  }
};

/** Makes one attempt at a message of the lane `main`. */
export const deliver = deliverBy(send);
