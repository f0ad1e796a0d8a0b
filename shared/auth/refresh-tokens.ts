import { type KeyRing, sameSecret } from './key-ring.ts';

/** What a refresh token names: whose it is, of which session, and which exchange made it. */
export interface RefreshToken {
  readonly userId: string;
  readonly sid: string;
  readonly generation: number;
}

const FORMAT = /^hub_rt\.([\w-]{22})\.([\w-]{16})\.(\d{1,9})\.([\w-]{43})$/;

const inputOf = ({ userId, sid, generation }: RefreshToken): string =>
  JSON.stringify([userId, sid, generation]);

/**
 * Writes a refresh token. Its proof is a MAC, so that the table holds nothing that makes one, and a token
 * of an earlier generation is known from one that somebody made up. The prefix lets secret scanners know it.
 */
export const signRefreshToken = (ring: KeyRing, token: RefreshToken): string =>
  `hub_rt.${token.userId}.${token.sid}.${token.generation}.${ring.mac('refresh', inputOf(token)).toString('base64url')}`;

/** Whether a text is meant as a refresh token. */
export const isRefreshToken = (text: string | undefined): text is string =>
  text?.startsWith('hub_rt.') ?? false;

/** Reads a refresh token that we wrote; undefined for any other text. */
export const verifyRefreshToken = (ring: KeyRing, text: string): RefreshToken | undefined => {
  const [, userId, sid, digits, proof] = FORMAT.exec(text) ?? [];
  if (!userId || !sid || !digits || !proof) return undefined;
  const token = { userId, sid, generation: Number(digits) };
  const ours = ring
    .macs('refresh', inputOf(token))
    .map((mac) => sameSecret(mac.toString('base64url'), proof));
  return ours.includes(true) ? token : undefined;
};
