import type { KeyRing } from '../../auth/key-ring.ts';
import { codeOf } from '../../auth/one-time-code.ts';
import { type LinkedAccount, proofTokenOf } from '../../auth/proof-links.ts';
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

/** Writes the text message with a phone-verification code. */
export const phoneText = (ring: KeyRing, email: string, nonce: string): string =>
  `${codeOf(ring, { purpose: 'phone', email, nonce })} is your code. It is valid for ${MINUTES} minutes. Do not share it.`;
