import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { unsubscribe } from '../../shared/data/users/credentials.ts';

export const removeSubscription = defineOperation({
  method: 'GET',
  path: '/remove_subscription',
  name: 'remove_subscription',
  summary: 'Unsubscribe an e-mail',
  description:
    'Target of the unsubscribe link in mails. Requested codes are still sent. The answer is the same for every e-mail.',
  caller: 'anyone',
  input: { query: z.object({ email: z.string() }) },
  output: z.object({ unsubscribed: z.literal(true), detail: z.string() }),
  errors: [],
  table: 'write',
  handler: async ({ query }, call) => {
    await unsubscribe(call.store, query.email);
    return { unsubscribed: true, detail: 'This address gets no more mail from us beyond what it asks for.' };
  },
});
