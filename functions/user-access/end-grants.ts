import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { personalSession } from '../../shared/callers/personal-session.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import { endGrants as end } from '../../shared/lifecycle/end-grants.ts';
import { grantOut } from './records/grant.ts';

export const endGrants = defineOperation({
  method: 'POST',
  path: '/end_grants',
  name: 'end_grants',
  summary: 'End all that acts for the user without a session',
  description:
    'API keys, webhooks, addresses for signals, links to brokers and the platform token end at once. Deployments are stopped as by /stop_deployment, without closing positions, and connections end when no deployment needs them; the user is mailed when that is done. Sessions go on: /end_session. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({ ended: z.array(grantOut) }),
  errors: ['platform_token_insufficient', 'changed_meanwhile'],
  table: 'write',
  handler: async (_input, call) => {
    personalSession(call, 'ends no grants');
    try {
      return { ended: await end(call, await call.user(), call.now) };
    } catch (error) {
      if (!(error instanceof TransactionRefusedError)) throw error;
      throw new HubError('changed_meanwhile', 'The account changed at the same time. Try again.', {
        retryAfterS: 1,
        cause: error,
      });
    }
  },
});
