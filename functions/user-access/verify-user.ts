import { defineOperation } from '../../shared/api/operation.ts';
import { heldSession } from '../../shared/callers/open-session.ts';
import { presentUser, userCustomOut } from '../../shared/records/user.ts';

export const verifyUser = defineOperation({
  method: 'POST',
  path: '/verify_user',
  name: 'verify_user',
  summary: 'Get the user of the session',
  description: 'Returns the presented session with the current user, without a refresh token.',
  caller: 'session',
  input: {},
  output: userCustomOut,
  errors: [],
  table: 'read',
  handler: async (_input, call) => {
    const { accessToken, expiresAt } = heldSession(call);
    const user = await call.user();
    return {
      ...presentUser(user),
      is_new_user: false,
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: Math.max(0, expiresAt - Math.floor(call.now.getTime() / 1000)),
      refresh_token: null,
      login_time: user.last_login_at ?? user.created_at,
    };
  },
});
