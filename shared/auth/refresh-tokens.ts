import { type KeyRing, sameSecret } from './key-ring.ts';

/** User, session and generation of a refresh token. Each exchange increments the generation. */
export interface RefreshToken {
  readonly userId: string;
  /** Id of the session, or of the key of an assistant. */
  readonly sid: string;
  readonly generation: number;
}

const KINDS = {
  session: {
    purpose: 'refresh',
    prefix: 'hub_rt.',
    format: /^hub_rt\.([\w-]{22})\.([\w-]{16})\.(\d{1,9})\.([\w-]{43})$/,
  },
  /** Assistants get new access tokens with these. */
  assistant: {
    purpose: 'assistant_refresh',
    prefix: 'hub_art.',
    format: /^hub_art\.([\w-]{22})\.([\w-]{12})\.(\d{1,9})\.([\w-]{43})$/,
  },
} as const;

type RefreshKind = keyof typeof KINDS;

const inputOf = ({ userId, sid, generation }: RefreshToken): string =>
  JSON.stringify([userId, sid, generation]);

/**
 * Creates a refresh token. Its proof is a MAC, so that a token cannot be made from the table, and an outdated token differs
 * from a forged one. The prefix lets secret scanners recognise it.
 */
export const signRefreshToken = (
  ring: KeyRing,
  token: RefreshToken,
  kind: RefreshKind = 'session',
): string => {
  const { prefix, purpose } = KINDS[kind];
  const proof = ring.mac(purpose, inputOf(token)).toString('base64url');
  return `${prefix}${token.userId}.${token.sid}.${token.generation}.${proof}`;
};

/** Tells by the prefix whether a text is a refresh token of a session. */
export const isRefreshToken = (text: string | undefined): text is string =>
  text?.startsWith(KINDS.session.prefix) ?? false;

/** Verifies a refresh token. @returns undefined for any other text. */
export const verifyRefreshToken = (
  ring: KeyRing,
  text: string,
  kind: RefreshKind = 'session',
): RefreshToken | undefined => {
  const { format, purpose } = KINDS[kind];
  const [, userId, sid, digits, proof] = format.exec(text) ?? [];
  if (!userId || !sid || !digits || !proof) return undefined;
  const token = { userId, sid, generation: Number(digits) };
  const ours = ring.macs(purpose, inputOf(token)).map((mac) => sameSecret(mac.toString('base64url'), proof));
  return ours.includes(true) ? token : undefined;
};
