import { bearerOf } from '../../shared/api/authenticate.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { wrongToken } from '../../shared/api/refusals.ts';
import { userCustomOut } from '../../shared/records/user.ts';
import { enter, readToken } from './common/enter.ts';

export const partnerbAuth = defineOperation({
  method: 'POST',
  path: '/partnerb/auth',
  name: 'partnerb_auth',
  summary: 'Exchange a token of partner B for a session',
  description:
    'Takes a verified token of partner B as bearer, signs in the user linked to its account, and spends the token. A broker that the platform has not approved signs in only users who registered with its token, for a day, with sessions that cannot be renewed.',
  caller: 'anyone',
  cookies: 'own_site',
  credential: ({ headers }) => headers.authorization,
  input: {},
  output: userCustomOut,
  errors: [
    'partner_token_invalid',
    'partner_token_used',
    'partner_account_unlinked',
    'broker_suspended',
    'broker_unapproved',
    'answer_shown_once',
  ],
  table: 'write',
  handler: async (_input, call) => {
    const token = bearerOf(call.headers);
    if (token === undefined) throw wrongToken();
    const { session } = await enter(call, await readToken(call, 'b', token));
    return session;
  },
});
