import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { requireOwnSession } from '../../shared/api/own-session.ts';
import { originOf } from '../../shared/callers/origin.ts';
import { confirmLink } from '../../shared/data/brokers/broker-confirm.ts';
import { noteSecurityEvent } from '../../shared/data/users/security-events.ts';
import { own } from '../../shared/domain/unknown-fields.ts';

export const confirmBroker = defineOperation({
  method: 'POST',
  path: '/confirm_broker',
  name: 'confirm_broker',
  summary: 'Let a white-label broker read the account',
  description:
    'A registration that names a broker makes a pending link: the broker reads nothing, as anybody can name an e-mail and a broker. The owner of a proven e-mail confirms it here. The broker then reads the user, also after a password reset, until /unlink_broker. Idempotent. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  proven: true,
  input: { query: z.object({ user_id: z.string(), broker_domain: z.string() }) },
  output: z.object({ broker_domain: z.string(), confirmed_at: timestamp() }),
  errors: ['user_unknown', 'broker_unknown', 'platform_token_insufficient', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { broker_domain: domain } }, call) => {
    requireOwnSession(
      call,
      'Confirming a broker requires the session of the user. Sign in.',
      'confirms no broker',
    );
    const subdomain = domain.toLowerCase();
    const user = await call.user();
    const confirmed = own(user.brokers, subdomain)?.confirmed_at;
    if (confirmed !== undefined) return { broker_domain: subdomain, confirmed_at: confirmed };
    if (!(await confirmLink(call.store, user, subdomain, call.now))) {
      throw new HubError('broker_unknown', 'There is no link to a broker with this domain.');
    }
    await noteSecurityEvent(call.store, user, {
      kind: 'broker_confirmed',
      ...originOf(call),
      now: call.now,
    });
    return { broker_domain: subdomain, confirmed_at: call.now.toISOString() };
  },
});
