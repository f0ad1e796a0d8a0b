import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { credentialsSchema, unsubscribedWrite } from '../../shared/data/users/credentials.ts';
import { CHANNELS } from '../../shared/domain/deployments/signals.ts';
import { endMail } from '../../shared/lifecycle/end-mail.ts';

const NOTICE =
  'A request with your address alone did this; it needs no session and works once. Warnings of limits and security still come. If it was not you, switch it on again in the settings.';

export const removeSubscription = defineOperation({
  method: 'GET',
  path: '/remove_subscription',
  name: 'remove_subscription',
  summary: 'Unsubscribe an e-mail',
  description:
    'Switches the mails of the groups signals, fills, orders and status off, as `/set_notification_preferences` does, and ' +
    'notifies the owner. Warnings of limits, security and requested codes are still sent, as the e-mail alone proves ' +
    'nothing. Works once: a later choice of the owner stays. Mails hold the link of `/unsubscribe`, which always works. ' +
    'The answer is the same for every e-mail.',
  caller: 'anyone',
  input: { query: z.object({ email: z.string() }) },
  output: z.object({ unsubscribed: z.literal(true), detail: z.string() }),
  errors: ['changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { email } }, call) => {
    await endMail(call, {
      find: async () => {
        const held = await call.store.get(keys.credentials(email), credentialsSchema, { consistent: true });
        return held?.mail_subscribed === false ? undefined : held?.user_id;
      },
      groups: ['signals', 'fills', 'orders', 'status'],
      claim: unsubscribedWrite(email),
      notice: { body: NOTICE, channels: CHANNELS },
    });
    return { unsubscribed: true, detail: 'This address gets no more mail from us beyond what it asks for.' };
  },
});
