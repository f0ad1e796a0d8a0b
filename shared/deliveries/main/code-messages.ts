import type { KeyRing } from '../../auth/key-ring.ts';
import { codeOf } from '../../auth/one-time-code.ts';
import { type LinkedAccount, proofTokenOf } from '../../auth/proof-links.ts';
import { undoTokenOf } from '../../auth/undo-links.ts';
import type { MessageOf } from '../../data/outbox/messages.ts';
import { CODE_LIFETIME_S } from '../../data/users/one-time-codes.ts';

const MINUTES = CODE_LIFETIME_S / 60;

/** Writes the mail with a password-reset code. */
export const resetMail = (ring: KeyRing, email: string, nonce: string): { subject: string; text: string } => {
  const code = codeOf(ring, { purpose: 'password_reset', email, nonce });
  return {
    subject: 'Your code for a new password',
    text: [
      `Your code is ${code}. It is valid for ${MINUTES} minutes and can be used once.`,
      '',
      'If you did not ask to reset your password, ignore this mail: nothing changes without the code.',
    ].join('\n'),
  };
};

/** Writes the mail with a code that steps a session up. */
export const stepUpMail = (
  ring: KeyRing,
  email: string,
  nonce: string,
): { subject: string; text: string } => ({
  subject: 'Your code to go on',
  text: [
    `Your code is ${codeOf(ring, { purpose: 'step_up', email, nonce })}. It is valid for ${MINUTES} minutes and can be used once.`,
    '',
    'Somebody who is signed in to your account asks for it, to trade real money or to change how the account is held. If this was not you, give the code to nobody, end all sessions in the settings and change the password.',
  ].join('\n'),
});

/** Writes the mail that proves the e-mail of an account. The fragment of the link is sent to no server. */
export const proofMail = (
  ring: KeyRing,
  publicUrl: string,
  { email, nonce, account, now }: ProofMail,
): { subject: string; text: string } => {
  const token = proofTokenOf(ring, { email, ...account }, now);
  return {
    subject: 'Confirm your e-mail',
    text: [
      `Your code is ${codeOf(ring, { purpose: 'email_proof', email, nonce })}. It is valid for ${MINUTES} minutes: enter it where you registered.`,
      '',
      `Or open this link: ${publicUrl}/console#/confirm?${new URLSearchParams({ email, token })}`,
      '',
      'If you did not register: open the link to make the account yours with a new password, or ignore this mail. Nobody can trade for you, or show anything to others, without the code or the link.',
    ].join('\n'),
  };
};

interface ProofMail {
  readonly email: string;
  readonly nonce: string;
  readonly account: Omit<LinkedAccount, 'email'>;
  readonly now: Date;
}

/** Writes the mail that proves a new e-mail of an account. The fragment of the link is sent to no server. */
export const changeMail = (
  ring: KeyRing,
  publicUrl: string,
  { email, nonce }: { readonly email: string; readonly nonce: string },
): { subject: string; text: string } => {
  const code = codeOf(ring, { purpose: 'email_change', email, nonce });
  return {
    subject: 'Confirm your new e-mail',
    text: [
      `Your code is ${code}. It is valid for ${MINUTES} minutes: enter it where you asked to change your e-mail.`,
      '',
      `Or open this link where you are signed in: ${publicUrl}/console#/email?${new URLSearchParams({ email, code })}`,
      '',
      'If you did not ask for it, ignore this mail: the code works in the account that asked only.',
    ].join('\n'),
  };
};

/** Writes the mail to the former e-mail of an account, with the link that undoes the change. */
export const undoMail = (
  ring: KeyRing,
  publicUrl: string,
  { to: email, changed_to, user_id, change_id, valid_until }: MessageOf<'email_undo_mail'>,
): { subject: string; text: string } => {
  const until = new Date(valid_until);
  const token = undoTokenOf(ring, { userId: user_id, changeId: change_id }, until);
  return {
    subject: 'The e-mail of your account was changed',
    text: [
      `The e-mail of your account was changed to ${changed_to}. This address no longer signs in.`,
      '',
      `If this was not you, undo it until ${until.toISOString().slice(0, 16).replace('T', ' ')} UTC: ${publicUrl}/console#/undo-email?${new URLSearchParams({ email, token })}`,
      '',
      'The link gives the account back to this address, and ends its password, all sessions, keys and the platform token. Then set a new password. Positions and deployments go on.',
      '',
      'If it was you, ignore this mail.',
    ].join('\n'),
  };
};

/** Writes the text message with a phone-verification code. */
export const phoneText = (ring: KeyRing, email: string, nonce: string): string =>
  `${codeOf(ring, { purpose: 'phone', email, nonce })} is your code. It is valid for ${MINUTES} minutes. Do not share it.`;
