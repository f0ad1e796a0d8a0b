import * as z from 'zod';
import { readCookie } from '../../shared/api/cookies.ts';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { verifyAccessToken } from '../../shared/auth/access-tokens.ts';
import { verifyRefreshToken } from '../../shared/auth/refresh-tokens.ts';

export const sessionState = defineOperation({
  method: 'GET',
  path: '/session/state',
  name: 'session_state',
  summary: 'Look for a session',
  description:
    'Tells whether the cookies of the browser hold a session, which a web page cannot read itself. Without a session, this is no error. A session that was revoked is still told; the next request with it is refused.',
  caller: 'anyone',
  extension: true,
  input: {},
  output: z.object({ has_session: z.boolean(), expires_in: integer() }),
  errors: ['cross_site_refused'],
  table: 'none',
  handler: async (_input, call) => {
    const [access, refresh] = [readCookie(call, 'session'), readCookie(call, 'refresh')];
    // Most callers are strangers, who need no keys.
    if (access === undefined && refresh === undefined) return { has_session: false, expires_in: 0 };
    const ring = await call.keyRing();
    const { HUB_PUBLIC_URL: issuer } = call.settings;
    const session = access && (await verifyAccessToken(ring, issuer, access, call.now));
    if (session) {
      return { has_session: true, expires_in: session.expiresAt - Math.floor(call.now.getTime() / 1000) };
    }
    return { has_session: Boolean(refresh && verifyRefreshToken(ring, refresh)), expires_in: 0 };
  },
});
