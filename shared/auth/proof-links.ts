import { normaliseEmail } from '../data/table/keys.ts';
import type { KeyRing } from './key-ring.ts';
import { isLinkToken, linkTokenOf } from './link-tokens.ts';

/** Lifetime of the link of a mail that proves the e-mail, in milliseconds. */
const LINK_MS = 3 * 24 * 3_600_000;

/** Account that a link is for. A new password ends the link. */
export interface LinkedAccount {
  readonly email: string;
  readonly userId: string;
  readonly passwordVersion: number;
}

const subjectOf = ({ email, userId, passwordVersion }: LinkedAccount) => ({
  purpose: 'proof-link' as const,
  parts: [normaliseEmail(email), userId, passwordVersion],
});

/** Returns the token of a link that proves the e-mail of an account. */
export const proofTokenOf = (ring: KeyRing, account: LinkedAccount, now: Date): string =>
  linkTokenOf(ring, subjectOf(account), new Date(now.getTime() + LINK_MS));

/** Tells whether a token is that of a valid link of an account. */
export const isProofToken = (ring: KeyRing, account: LinkedAccount, token: string, now: Date): boolean =>
  isLinkToken(ring, subjectOf(account), token, now);
