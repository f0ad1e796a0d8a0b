import { normaliseEmail } from '../data/table/keys.ts';
import { type KeyRing, sameSecret } from './key-ring.ts';

/** Lifetime of the link of a mail that proves the e-mail, in milliseconds. */
const LINK_MS = 3 * 24 * 3_600_000;
const FORMAT = /^([0-9a-z]{1,10})-([\w-]{43})$/;

/** Account that a link is for. A new password ends the link. */
export interface LinkedAccount {
  readonly email: string;
  readonly userId: string;
  readonly passwordVersion: number;
}

const inputOf = ({ email, userId, passwordVersion }: LinkedAccount, until: number): string =>
  JSON.stringify([normaliseEmail(email), userId, passwordVersion, until]);

/** Returns the token of a link that proves the e-mail of an account. Only the mail holds it. */
export const proofTokenOf = (ring: KeyRing, account: LinkedAccount, now: Date): string => {
  const until = Math.floor((now.getTime() + LINK_MS) / 1000);
  return `${until.toString(36)}-${ring.mac('proof-link', inputOf(account, until)).toString('base64url')}`;
};

/** Tells whether a token is that of a valid link of an account, in a time that reveals nothing about it. */
export const isProofToken = (ring: KeyRing, account: LinkedAccount, token: string, now: Date): boolean => {
  const [, digits = '', mac = ''] = FORMAT.exec(token) ?? [];
  const until = Number.parseInt(digits, 36);
  const isRight = ring
    .macs('proof-link', inputOf(account, until || 0))
    .map((own) => sameSecret(own.toString('base64url'), mac))
    .includes(true);
  return isRight && until * 1000 > now.getTime();
};
