import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { bearerOf } from '../../shared/auth/authenticate.ts';
import { fingerprint } from '../../shared/auth/key-ring.ts';
import { parseRefreshToken } from '../../shared/auth/refresh-tokens.ts';
import { endSessionsWrite, rotateSession } from '../../shared/data/users.ts';
import { userCustomOut } from './records.ts';
import { dropCookies, nextSecret, presentSession, REFRESH_COOKIE } from './session.ts';

export const sessionRelogin = defineOperation({
  method: 'POST',
  path: '/session/relogin',
  name: 'session_relogin',
  summary: 'Renew a session',
  description:
    'Takes the refresh token as bearer or as the cookie `refresh_token` and returns new tokens. A refresh token works once: one that comes a second time was stolen, and ends the session for thief and owner alike.',
  caller: 'anyone',
  input: {},
  output: userCustomOut,
  errors: ['session_required', 'session_invalid'],
  table: 'write',
  handler: async (_input, call) => {
    const presented = bearerOf(call.headers) ?? call.cookies[REFRESH_COOKIE];
    if (presented === undefined) {
      throw new HubError('session_required', 'Send the refresh token as bearer token or cookie.');
    }
    const over = (): HubError => {
      dropCookies(call);
      return new HubError('session_invalid', 'The session is over or was ended: sign in again.');
    };
    const token = parseRefreshToken(presented);
    if (!token) throw over();
    const { userId, sid } = token;
    const { secret, expiresAt } = nextSecret(call);
    const rotated = await rotateSession(call.store, userId, sid, {
      from: fingerprint(token.secret),
      to: fingerprint(secret),
      expiresAt,
      nowS: Math.floor(call.now.getTime() / 1000),
    });
    if (rotated === 'spent') await call.store.transact([endSessionsWrite(userId, [sid])]);
    if (rotated === 'spent' || rotated === 'unknown') throw over();
    return presentSession(call, rotated, { sid, secret, isNewUser: false });
  },
});
