import { type KeyRing, sameSecret } from './key-ring.ts';

/** User, session and generation of a refresh token. Each exchange increments the generation. */
export interface RefreshToken {
  readonly userId: string;
  readonly sid: string;
  readonly generation: number;
}

const FORMAT = /^hub_rt\.([\w-]{22})\.([\w-]{16})\.(\d{1,9})\.([\w-]{43})$/;

const inputOf = ({ userId, sid, generation }: RefreshToken): string =>
  JSON.stringify([userId, sid, generation]);

/**
 * Creates a refresh token. Its proof is a MAC, so that a token cannot be made from the table, and an outdated token differs
 * from a forged one. The prefix lets secret scanners recognise it.
 */
export const signRefreshToken = (ring: KeyRing, token: RefreshToken): string =>
  `hub_rt.${token.userId}.${token.sid}.${token.generation}.${ring.mac('refresh', inputOf(token)).toString('base64url')}`;

/** Tells by the prefix whether a text is a refresh token. */
export const isRefreshToken = (text: string | undefined): text is string =>
  text?.startsWith('hub_rt.') ?? false;

/** Verifies a refresh token. @returns undefined for any other text. */
export const verifyRefreshToken = (ring: KeyRing, text: string): RefreshToken | undefined => {
  const [, userId, sid, digits, proof] = FORMAT.exec(text) ?? [];
  if (!userId || !sid || !digits || !proof) return undefined;
  const token = { userId, sid, generation: Number(digits) };
  const ours = ring
    .macs('refresh', inputOf(token))
    .map((mac) => sameSecret(mac.toString('base64url'), proof));
  return ours.includes(true) ? token : undefined;
};
