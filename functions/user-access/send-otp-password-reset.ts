import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { budgetOf } from '../../shared/data/table/budgets.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { normaliseEmail } from '../../shared/data/table/keys.ts';
import { CODE_LIFETIME_S, findCode, OWNER } from '../../shared/data/users/one-time-codes.ts';
import { findUser, NO_USER, unlessLeaving } from '../../shared/data/users/users.ts';
import { codeCaller, hasToken } from './common/code-caller.ts';
import { sendCode } from './common/send-code.ts';

const PURPOSE = 'password_reset';

export const sendOtpPasswordReset = defineOperation({
  method: 'POST',
  path: '/send_otp_password_reset',
  name: 'send_otp_password_reset',
  summary: 'Mail a code for a password reset',
  description:
    'The answer is the same whether or not the e-mail is registered. Limits: one code in 30 seconds and five an hour from an address; a known device or a session of the account has five of its own. A code that is still valid is sent again. After a bounce or a complaint, only these get a code.',
  caller: 'anyone',
  input: { query: z.object({ email: z.string() }) },
  output: z.object({ detail: z.string(), expires_in: integer() }),
  errors: ['too_many_codes', 'cross_site_refused'],
  table: 'write',
  handler: async ({ query: { email } }, call) => {
    const network = budgetOf(await call.keyRing(), 'mail_network', [call.network], call.now);
    const { credentials, code, items } = await findCode(call.store, email, PURPOSE, [network.key]);
    const { user_id: userId, mail_stopped } = credentials;
    const hasSession = await hasToken(call, userId);
    const caller = await codeCaller(call, email, credentials, { hasSession });
    // Reads even without an account, so that timing reveals nothing.
    const user = unlessLeaving(await findUser(call.store, userId ?? NO_USER));
    // Until the proof of the e-mail, a stranger may hold the session.
    const by_owner = caller === OWNER && user?.proven_at !== undefined;
    // Strangers cannot make mails to an address that refuses them.
    const isSent = mail_stopped === undefined || by_owner;
    await sendCode(call, {
      email,
      purpose: PURPOSE,
      caller,
      last: code,
      target: user && isSent ? { userId: user.user_id } : undefined,
      budgets: [{ budget: network, item: itemWith(items, network.key) }],
      message: (sent) => ({
        kind: 'code_mail',
        to: normaliseEmail(email),
        purpose: PURPOSE,
        ...(by_owner && { by_owner }),
        ...sent,
      }),
    });
    return { detail: 'If the e-mail is registered, a code is on its way.', expires_in: CODE_LIFETIME_S };
  },
});
