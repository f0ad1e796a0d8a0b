import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { provenBroker } from './common/broker-secret.ts';
import { accountQuery, makePartnerToken, partnerTokenOut } from './common/make-partner-token.ts';
import { brokerFields } from './records/broker.ts';

export const partnerbGenerateToken = defineOperation({
  method: 'POST',
  path: '/partnerb/generate_token',
  name: 'partnerb_generate_token',
  summary: 'Make a token of partner B',
  description:
    'Names an account at a broker, for 10 minutes and one use. With the broker’s secret as bearer the token is verified: it can sign in the user linked to the account, or link one. An unverified token grants no access.',
  caller: 'anyone',
  credential: ({ headers }) => headers.authorization,
  input: { query: z.object({ ...accountQuery, support_email: brokerFields.support_email.optional() }) },
  output: partnerTokenOut,
  errors: ['broker_secret_invalid', 'broker_suspended', 'broker_unknown'],
  table: 'read',
  recheck: (_input, call) => provenBroker(call),
  handler: async ({ query }, call) => makePartnerToken(call, 'b', query),
});
