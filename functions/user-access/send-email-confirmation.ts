import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { personalSession } from '../../shared/callers/personal-session.ts';
import { budgetOf } from '../../shared/data/table/budgets.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { CODE_LIFETIME_S, findCode, OWNER } from '../../shared/data/users/one-time-codes.ts';
import { isProven, maskedEmail } from '../../shared/domain/proven.ts';
import { PROOF, proofMail } from './common/proof-mail.ts';
import { sendCode } from './common/send-code.ts';

export const sendEmailConfirmation = defineOperation({
  method: 'POST',
  path: '/send_email_confirmation',
  name: 'send_email_confirmation',
  summary: 'Mail a code and a link that confirm the e-mail',
  description:
    'A registration mails both at once; this sends them again. The code is for /confirm_email, the link opens the console. A code that is still valid is sent again, with the same tries. Limits: one in 30 seconds and five an hour. Sends nothing if the e-mail is confirmed. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({
    email_verified: z.boolean(),
    /** The address, without most of its local part. */
    sent_to: z.string().nullable(),
    expires_in: integer().nullable(),
  }),
  errors: ['platform_token_insufficient', 'too_many_codes'],
  table: 'write',
  handler: async (_input, call) => {
    personalSession(call, 'confirms no e-mail');
    const user = await call.user();
    if (isProven(user)) return { email_verified: true, sent_to: null, expires_in: null };
    const network = budgetOf(await call.keyRing(), 'mail_network', [call.network], call.now);
    const { code, items } = await findCode(call.store, user.email, PROOF, [network.key]);
    await sendCode(call, {
      email: user.email,
      purpose: PROOF,
      caller: OWNER,
      last: code,
      target: { userId: user.user_id },
      budgets: [{ budget: network, item: itemWith(items, network.key) }],
      message: (sent) => proofMail(user, sent),
    });
    return { email_verified: false, sent_to: maskedEmail(user.email), expires_in: CODE_LIFETIME_S };
  },
});
