import type { KeyRing } from '../../auth/key-ring.ts';
import { codeOf } from '../../auth/one-time-code.ts';
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

/** Writes the text message with a phone-verification code. */
export const phoneText = (ring: KeyRing, email: string, nonce: string): string =>
  `${codeOf(ring, { purpose: 'phone', email, nonce })} is your code. It is valid for ${MINUTES} minutes. Do not share it.`;
