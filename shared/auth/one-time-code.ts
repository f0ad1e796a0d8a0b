import { normaliseEmail } from '../data/table/keys.ts';
import type { CodePurpose } from '../data/users/one-time-codes.ts';
import { type KeyRing, sameSecret } from './key-ring.ts';

/** Codes that are guessed from a session, such as that of a stranger who registers somebody's e-mail, are longer. */
const LENGTHS: Readonly<Record<CodePurpose, number>> = {
  password_reset: 6,
  phone: 6,
  email_proof: 8,
  email_change: 8,
  step_up: 8,
};

interface CodeSource {
  readonly purpose: CodePurpose;
  /** Address that proves itself by the code. */
  readonly email: string;
  readonly nonce: string;
}

const inputOf = ({ purpose, email, nonce }: CodeSource): string =>
  JSON.stringify([purpose, normaliseEmail(email), nonce]);

/** Uses 48 bits, so that the bias over the codes is below one in 10^6. The first digit is not zero. */
const digits = (mac: Buffer, { purpose }: CodeSource): string => {
  const smallest = 10 ** (LENGTHS[purpose] - 1);
  return String(smallest + (mac.readUIntBE(0, 6) % (9 * smallest)));
};

/**
 * Derives the digits of a one-time code from a random nonce and a key of the service, so that neither the table nor
 * the outbox holds the code.
 */
export const codeOf = (ring: KeyRing, source: CodeSource): string =>
  digits(ring.mac('one-time-code', inputOf(source)), source);

/** Checks a code in constant time. Accepts codes that were sent before the last key rotation. */
export const isRightCode = (ring: KeyRing, source: CodeSource, presented: string): boolean =>
  ring
    .macs('one-time-code', inputOf(source))
    .map((mac) => sameSecret(digits(mac, source), presented))
    .includes(true);
