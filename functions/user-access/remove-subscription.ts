import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { type Budget, budgetOf, isSpent, spendWrite } from '../../shared/data/table/budgets.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { asCredentials, unsubscribedWrite } from '../../shared/data/users/credentials.ts';
import { CHANNELS } from '../../shared/domain/deployments/signal-frequency.ts';
import { endMail } from '../../shared/lifecycle/end-mail.ts';

const NOTICE =
  'A request with your address alone did this; it needs no session and works once. Warnings of limits and security still come. If it was not you, switch it on again in the settings.';

/** Returns the user whom a request would unsubscribe. @throws HubError too_many_attempts */
const findSubscriber = async (call: Call, email: string, budget: Budget): Promise<string | undefined> => {
  const key = keys.credentials(email);
  const items = await call.store.getMany([key, budget.key], { consistent: true });
  if (isSpent(itemWith(items, budget.key), budget)) {
    throw new HubError('too_many_attempts', 'Too many requests from your network. Wait before the next.', {
      retryAfterS: (budget.endsAt - call.now.getTime()) / 1000,
    });
  }
  const { user_id, mail_subscribed } = asCredentials(itemWith(items, key));
  return mail_subscribed === false ? undefined : user_id;
};

export const removeSubscription = defineOperation({
  method: 'GET',
  path: '/remove_subscription',
  name: 'remove_subscription',
  summary: 'Unsubscribe an e-mail',
  description:
    'Switches the mails of the groups signals, fills, orders and status off, as `/set_notification_preferences` does, and ' +
    'notifies the owner. Warnings of limits, security and requested codes are still sent, as the e-mail alone proves ' +
    'nothing. Works once: a later choice of the owner stays. Mails hold the link of `/unsubscribe`, which always works. ' +
    'The answer is the same for every e-mail. Limit: 30 an hour from an address.',
  caller: 'anyone',
  input: { query: z.object({ email: z.string() }) },
  output: z.object({ unsubscribed: z.literal(true), detail: z.string() }),
  errors: ['changed_meanwhile', 'too_many_attempts'],
  table: 'write',
  handler: async ({ query: { email } }, call) => {
    const network = budgetOf(await call.keyRing(), 'unsubscribe_network', [call.network], call.now);
    await endMail(call, {
      find: () => findSubscriber(call, email, network),
      groups: ['signals', 'fills', 'orders', 'status'],
      claim: unsubscribedWrite(email),
      count: spendWrite(network),
      notice: { body: NOTICE, channels: CHANNELS },
    });
    return { unsubscribed: true, detail: 'This address gets no more mail from us beyond what it asks for.' };
  },
});
