import { normaliseEmail } from '../data/table/keys.ts';
import type { CodePurpose } from '../data/users/one-time-codes.ts';
import { type KeyRing, sameSecret } from './key-ring.ts';

const SMALLEST = 100_000;
const SPAN = 900_000;

interface CodeSource {
  readonly purpose: CodePurpose;
  readonly email: string;
  readonly nonce: string;
}

const inputOf = ({ purpose, email, nonce }: CodeSource): string =>
  JSON.stringify([purpose, normaliseEmail(email), nonce]);

/** Uses 48 bits, so that the bias over 900,000 codes is below one in 10^8. */
const digits = (mac: Buffer): string => String(SMALLEST + (mac.readUIntBE(0, 6) % SPAN));

/**
 * Derives the six digits of a one-time code from a random nonce and a key of the service, so that neither the table nor
 * the outbox holds the code. The first digit is not zero.
 */
export const codeOf = (ring: KeyRing, source: CodeSource): string =>
  digits(ring.mac('one-time-code', inputOf(source)));

/** Checks a code in constant time. Accepts codes that were sent before the last key rotation. */
export const isRightCode = (ring: KeyRing, source: CodeSource, presented: string): boolean =>
  ring
    .macs('one-time-code', inputOf(source))
    .map((mac) => sameSecret(digits(mac), presented))
    .includes(true);
