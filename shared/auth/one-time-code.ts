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

/** 48 bits leave a bias below one in 10^8 over 900,000 codes. */
const digits = (mac: Buffer): string => String(SMALLEST + (mac.readUIntBE(0, 6) % SPAN));

/**
 * The six digits of a one-time code, without a leading zero. They are derived from a random nonce under
 * a key of the service, so that neither the table nor the outbox ever holds them.
 */
export const codeOf = (ring: KeyRing, source: CodeSource): string =>
  digits(ring.mac('one-time-code', inputOf(source)));

/** Says whether a code is right, in a time that tells nothing; codes sent before a key rotation still are. */
export const isRightCode = (ring: KeyRing, source: CodeSource, presented: string): boolean =>
  ring
    .macs('one-time-code', inputOf(source))
    .map((mac) => sameSecret(digits(mac), presented))
    .includes(true);
