import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { ownSession } from '../../shared/callers/open-session.ts';
import { findGrants } from '../../shared/lifecycle/grants.ts';
import { grantOut } from './records/grant.ts';

export const getGrants = defineOperation({
  method: 'GET',
  path: '/get_grants',
  name: 'get_grants',
  summary: 'List what acts for the user without a session',
  description:
    'API keys, webhooks, addresses for signals, connections, brokers and active deployments, the newest first. All but keys go on after a password reset. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({ grants: z.array(grantOut) }),
  errors: ['platform_token_insufficient'],
  table: 'read',
  handler: async (_input, call) => {
    ownSession(call, 'shows no grants');
    return { grants: await findGrants(call.store, await call.user(), call.now) };
  },
});
