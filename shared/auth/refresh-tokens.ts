/** What a refresh token names: whose it is, of which session, and the secret that proves it. */
export interface RefreshToken {
  readonly userId: string;
  readonly sid: string;
  readonly secret: string;
}

const FORMAT = /^hub_rt\.([\w-]{22})\.([\w-]{16})\.([\w-]{43})$/;

/** Writes a refresh token; the prefix lets secret scanners know it. */
export const formatRefreshToken = ({ userId, sid, secret }: RefreshToken): string =>
  `hub_rt.${userId}.${sid}.${secret}`;

/** Reads a refresh token; undefined where the text is none. */
export const parseRefreshToken = (text: string): RefreshToken | undefined => {
  const [, userId, sid, secret] = FORMAT.exec(text) ?? [];
  return userId && sid && secret ? { userId, sid, secret } : undefined;
};
