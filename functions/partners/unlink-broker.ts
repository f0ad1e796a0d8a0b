import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { heldSession } from '../../shared/callers/open-session.ts';
import { originOf } from '../../shared/callers/origin.ts';
import { unlinkBroker as unlink } from '../../shared/data/brokers/broker-unlink.ts';
import { noteSecurityEvent } from '../../shared/data/users/security-events.ts';

export const unlinkBroker = defineOperation({
  method: 'POST',
  path: '/unlink_broker',
  name: 'unlink_broker',
  summary: 'Leave a white-label broker',
  description:
    'Ends the link of the session’s user to the broker of this domain. Its tokens no longer sign the user in, and its account can be linked to another user. Every other session of the user and the platform token end, since the broker may have opened them. A platform token cannot do this. To leave partner C, call /partnerc_disconnect.',
  caller: 'session',
  extension: true,
  input: { query: z.object({ broker_domain: z.string() }) },
  output: z.object({ unlinked: z.literal(true) }),
  errors: ['broker_unknown', 'platform_token_insufficient', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { broker_domain: domain } }, call) => {
    const { userId, sid, kind } = heldSession(call);
    if (kind !== 'session') {
      throw new HubError(
        'platform_token_insufficient',
        'A platform token cannot end other sessions: sign in and use that session.',
      );
    }
    if (!(await unlink(call.store, { userId, sid, subdomain: domain.toLowerCase() }))) {
      throw new HubError('broker_unknown', 'There is no link to a broker with this domain.');
    }
    await noteSecurityEvent(call.store, await call.user(), {
      kind: 'broker_unlinked',
      ...originOf(call),
      now: call.now,
    });
    return { unlinked: true };
  },
});
