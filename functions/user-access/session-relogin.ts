import { bearerOf } from '../../shared/api/authenticate.ts';
import { readCookie } from '../../shared/api/cookies.ts';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation, type Presented } from '../../shared/api/operation.ts';
import { isRefreshToken, verifyRefreshToken } from '../../shared/auth/refresh-tokens.ts';
import { isOtherDevice } from '../../shared/callers/known-device.ts';
import { dropCookies, presentSession } from '../../shared/callers/open-session.ts';
import { endSession, REFRESH_S, rotateSession } from '../../shared/data/users/sessions.ts';
import { textId } from '../../shared/ids.ts';
import { userCustomOut } from '../../shared/records/user.ts';

/** Reads the refresh token: a bearer that is one, otherwise the cookie. */
const presentedToken = (request: Omit<Presented, 'params' | 'query' | 'form'>): string | undefined => {
  const bearer = bearerOf(request.headers);
  return isRefreshToken(bearer) ? bearer : (readCookie(request, 'refresh') ?? bearer);
};

export const sessionRelogin = defineOperation({
  method: 'POST',
  path: '/session/relogin',
  name: 'session_relogin',
  summary: 'Renew a session',
  description:
    'Takes the refresh token as bearer or cookie, and returns new tokens. A refresh token works once. Presenting it a second time ends the session, because one of the two callers stole it.',
  caller: 'anyone',
  cookies: 'own_site',
  credential: presentedToken,
  input: {},
  output: userCustomOut,
  errors: ['session_required', 'session_invalid'],
  table: 'write',
  handler: async (_input, call) => {
    const presented = presentedToken(call);
    if (presented === undefined) {
      throw new HubError('session_required', 'Send the refresh token as bearer token or cookie.');
    }
    const isCookie = presented === readCookie(call, 'refresh');
    const over = (): HubError => {
      if (isCookie) dropCookies(call);
      return new HubError('session_invalid', 'The session expired or was revoked. Sign in again.');
    };
    const token = verifyRefreshToken(await call.keyRing(), presented);
    if (!token) throw over();
    const { userId, sid, generation } = token;
    const nowS = Math.floor(call.now.getTime() / 1000);
    const rotated = await rotateSession(call.store, userId, sid, {
      generation,
      by: textId(call.random),
      expiresAt: nowS + REFRESH_S,
      nowS,
    });
    if (rotated === 'spent') await endSession(call.store, userId, sid);
    if (rotated === 'spent' || rotated === 'unknown') throw over();
    // A neighbour under the same domain can plant its own refresh cookie, but not the mark of the device.
    const account = { email: rotated.email, passwordVersion: rotated.password_version };
    if (isCookie && (await isOtherDevice(call, account))) throw over();
    return presentSession(call, rotated, { sid, generation: generation + 1, isNewUser: false });
  },
});
