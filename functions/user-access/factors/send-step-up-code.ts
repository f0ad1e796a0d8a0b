import * as z from 'zod';
import { integer } from '../../../shared/api/fields.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { personalSession } from '../../../shared/callers/personal-session.ts';
import { budgetOf } from '../../../shared/data/table/budgets.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { CODE_LIFETIME_S, findCode, OWNER } from '../../../shared/data/users/one-time-codes.ts';
import { maskedEmail } from '../../../shared/domain/proven.ts';
import { sendCode } from '../common/send-code.ts';

/** Purpose of the code that steps a session up. */
export const STEP_UP = 'step_up';

export const sendStepUpCode = defineOperation({
  method: 'POST',
  path: '/send_step_up_code',
  name: 'send_step_up_code',
  summary: 'Mail a code for a step-up',
  description:
    'For /step_up of an account without a second factor, which sends the code with the password, and for /remove_lost_factors. A code that is still valid is sent again, with the same tries. Limits: one in 30 seconds and five an hour. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({
    /** The address, without most of its local part. */
    sent_to: z.string(),
    expires_in: integer(),
  }),
  errors: ['platform_token_insufficient', 'too_many_codes'],
  table: 'write',
  handler: async (_input, call) => {
    personalSession(call, 'steps up');
    const user = await call.user();
    const network = budgetOf(await call.keyRing(), 'mail_network', [call.network], call.now);
    const { code, items } = await findCode(call.store, user.email, STEP_UP, [network.key]);
    await sendCode(call, {
      email: user.email,
      purpose: STEP_UP,
      caller: OWNER,
      last: code,
      target: { userId: user.user_id },
      budgets: [{ budget: network, item: itemWith(items, network.key) }],
      message: (sent) => ({
        kind: 'code_mail',
        to: user.email,
        purpose: STEP_UP,
        // Until the first proof, a stranger may hold the session.
        ...(user.proven_at !== undefined && { by_owner: true }),
        ...sent,
      }),
    });
    return { sent_to: maskedEmail(user.email), expires_in: CODE_LIFETIME_S };
  },
});
