import { type KeyRing, sameSecret } from './key-ring.ts';

/** Lifetime of a challenge in seconds. */
const CHALLENGE_S = 5 * 60;
const NONCE_BYTES = 16;
const EXPIRY_BYTES = 4;
const HEAD_BYTES = NONCE_BYTES + EXPIRY_BYTES;

/** Purposes of a challenge. Those but a sign-in are bound to a session. */
export type ChallengePurpose = 'register' | 'sign_in' | 'step_up';

/** Binds a challenge: one of a session is of no use in another. */
interface Bound {
  readonly purpose: ChallengePurpose;
  readonly sid: string | undefined;
}

const inputOf = (head: Buffer, { purpose, sid = '' }: Bound): string =>
  JSON.stringify([purpose, sid, head.toString('base64url')]);

/** Makes a challenge that needs no record until it is used: it holds its expiry and a MAC. */
export const newChallenge = (
  ring: KeyRing,
  bound: Bound,
  { now, random }: { readonly now: Date; readonly random: (bytes: number) => Buffer },
): Uint8Array<ArrayBuffer> => {
  const head = Buffer.alloc(HEAD_BYTES);
  random(NONCE_BYTES).copy(head);
  head.writeUInt32BE(Math.floor(now.getTime() / 1000) + CHALLENGE_S, NONCE_BYTES);
  return Uint8Array.from(Buffer.concat([head, ring.mac('passkey-challenge', inputOf(head, bound))]));
};

/** Returns the expiry of a valid challenge, in epoch seconds; undefined for any other text. */
export const challengeExpiry = (
  ring: KeyRing,
  bound: Bound,
  challenge: string,
  now: Date,
): number | undefined => {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length <= HEAD_BYTES) return undefined;
  const head = bytes.subarray(0, HEAD_BYTES);
  const isRight = ring
    .macs('passkey-challenge', inputOf(head, bound))
    .map((mac) => sameSecret(Buffer.concat([head, mac]).toString('base64url'), challenge))
    .includes(true);
  const expiry = head.readUInt32BE(NONCE_BYTES);
  return isRight && expiry * 1000 > now.getTime() ? expiry : undefined;
};
