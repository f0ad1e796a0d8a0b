import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { outboxWrite } from '../../shared/data/outbox/outbox.ts';
import { budgetOf, isSpent, spendWrite } from '../../shared/data/table/budgets.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys, normaliseEmail } from '../../shared/data/table/keys.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import { asCredentials } from '../../shared/data/users/credentials.ts';
import { textId } from '../../shared/ids.ts';

export const removeSubscription = defineOperation({
  method: 'GET',
  path: '/remove_subscription',
  name: 'remove_subscription',
  summary: 'Mail a link that stops mails',
  description:
    'The e-mail alone proves nothing, so this changes nothing: it mails a link of `/unsubscribe` that switches the mails of ' +
    'the groups signals, fills, orders and status off at once, at most one a day to an address. Mails of notifications ' +
    'hold such a link, too. The answer is the same for every e-mail. Limit: 30 an hour from an address.',
  caller: 'anyone',
  input: { query: z.object({ email: z.string() }) },
  output: z.object({ unsubscribed: z.literal(false), detail: z.string() }),
  errors: ['too_many_attempts'],
  table: 'write',
  handler: async ({ query: { email } }, call) => {
    const { store, now } = call;
    const ring = await call.keyRing();
    const network = budgetOf(ring, 'unsubscribe_network', [call.network], now);
    const address = budgetOf(ring, 'unsubscribe_address', [normaliseEmail(email)], now);
    const key = keys.credentials(email);
    const items = await store.getMany([key, network.key, address.key], { consistent: true });
    const tooMany = () =>
      new HubError('too_many_attempts', 'Too many requests from your network. Wait before the next.', {
        retryAfterS: (network.endsAt - now.getTime()) / 1000,
      });
    if (isSpent(itemWith(items, network.key), network)) throw tooMany();
    const { user_id, mail_stopped } = asCredentials(itemWith(items, key));
    const isFirst = !isSpent(itemWith(items, address.key), address);
    // Strangers cannot make mails to an address that refuses them.
    const isSent = isFirst && user_id !== undefined && mail_stopped === undefined;
    const count = spendWrite(network);
    try {
      await store.transact([
        count,
        ...(isFirst ? [spendWrite(address)] : []),
        ...(isSent
          ? [outboxWrite(textId(call.random), { kind: 'unsubscribe_mail', to: normaliseEmail(email) }, now)]
          : []),
      ]);
    } catch (error) {
      if (!(error instanceof TransactionRefusedError)) throw error;
      // Refused otherwise only if a parallel request mailed the link.
      if (error.has(count)) throw tooMany();
    }
    return {
      unsubscribed: false,
      detail: 'If the e-mail is registered, a link that stops our mails is on its way.',
    };
  },
});
