import * as z from 'zod';
import { bearerOf } from '../../shared/api/authenticate.ts';
import type { Call } from '../../shared/api/call.ts';
import { readCookie } from '../../shared/api/cookies.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { verifyAccessToken } from '../../shared/auth/access-tokens.ts';
import { verifyPlatformToken } from '../../shared/auth/platform-tokens.ts';
import { verifyRefreshToken } from '../../shared/auth/refresh-tokens.ts';
import { dropCookies } from '../../shared/callers/open-session.ts';
import { endPlatformToken, endSession } from '../../shared/data/users/sessions.ts';

/** A session, or a platform token, to end. */
interface Ending {
  readonly userId: string;
  readonly sid: string;
  readonly platform: boolean;
}

/** Returns the session of a token of any kind; undefined for another text. */
const sessionBehind = async (call: Call, token: string): Promise<Ending | undefined> => {
  const ring = await call.keyRing();
  const { HUB_PUBLIC_URL: issuer } = call.settings;
  const session = verifyRefreshToken(ring, token) ?? (await verifyAccessToken(ring, issuer, token, call.now));
  if (session) return { userId: session.userId, sid: session.sid, platform: false };
  const platform = await verifyPlatformToken(ring, issuer, token, call.now);
  return platform && { userId: platform.userId, sid: platform.tokenId, platform: true };
};

export const sessionLogout = defineOperation({
  method: 'POST',
  path: '/session/logout',
  name: 'session_logout',
  summary: 'Sign out',
  description:
    'Ends the session of the tokens in the request, bearer or cookies, so that neither its access token nor its refresh token works any more, and clears the cookies. A platform token ends itself. Idempotent: a session that has ended, or none, is the same answer.',
  caller: 'anyone',
  extension: true,
  cookies: 'own_site',
  input: {},
  output: z.object({ signed_out: z.literal(true) }),
  errors: [],
  table: 'write',
  handler: async (_input, call) => {
    const tokens = [bearerOf(call.headers), readCookie(call, 'session'), readCookie(call, 'refresh')];
    const found = await Promise.all(
      [...new Set(tokens)].map(async (token) => token && (await sessionBehind(call, token))),
    );
    const endings = new Map(found.flatMap((ending) => (ending ? [[ending.sid, ending] as const] : [])));
    await Promise.all(
      [...endings.values()].map(({ userId, sid, platform }) =>
        platform ? endPlatformToken(call.store, userId, sid) : endSession(call.store, userId, sid),
      ),
    );
    dropCookies(call);
    return { signed_out: true };
  },
});
