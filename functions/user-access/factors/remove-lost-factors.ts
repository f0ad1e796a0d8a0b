import * as z from 'zod';
import { HubError } from '../../../shared/api/errors.ts';
import { extensionRecord, timestamp } from '../../../shared/api/fields.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { invalidValue } from '../../../shared/api/refusals.ts';
import { originOf } from '../../../shared/callers/origin.ts';
import { personalSession } from '../../../shared/callers/personal-session.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { TransactionRefusedError } from '../../../shared/data/table/store.ts';
import { securityEventWrite } from '../../../shared/data/users/security-events.ts';
import { whileHeld } from '../../../shared/data/users/users.ts';
import { factorsOf, plainWays, REMOVAL_MS } from '../../../shared/domain/factors.ts';
import { changedFactors, noticeWrite } from './change-factors.ts';
import { PLAIN_PROOF_ERRORS, plainProof, plainWay } from './plain-proof.ts';

export const removeLostFactors = defineOperation({
  method: 'POST',
  path: '/remove_lost_factors',
  name: 'remove_lost_factors',
  summary: 'Ask for the removal of lost factors',
  description:
    'For a user who has lost every factor and recovery code. Takes the proof of an account without a factor: the password with the code of /send_step_up_code, or without a password an ID token or the code. After 24 hours all factors end, and new real deployments, resumes and connections wait for 24 hours more. The user is notified by mail, text message and push; /keep_factors in any session, or any use of a factor, ends the request. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  limits: { body: 32 * 1024 },
  input: {
    query: z.object({ user_id: z.string() }),
    json: extensionRecord('PlainProof', z.object(plainProof)),
  },
  output: extensionRecord('FactorRemoval', z.object({ factors_end_at: timestamp() })),
  errors: ['platform_token_insufficient', 'state_conflict', 'changed_meanwhile', ...PLAIN_PROOF_ERRORS],
  table: 'write',
  uses: ['identity'],
  handler: async ({ json }, call) => {
    const { now } = call;
    const sid = personalSession(call, 'removes no factors');
    const user = await call.user();
    const chosen = plainWay(json);
    if (!chosen || !plainWays(user).includes(chosen.way)) {
      throw invalidValue(['body', 'password'], 'field required', 'value_error.missing');
    }
    const factors = factorsOf(user, now);
    if (!factors) throw new HubError('state_conflict', 'The account has no second factor.');
    const uses = await chosen.prove(call, user, sid);
    const endAt = factors.end_at ?? new Date(now.getTime() + REMOVAL_MS).toISOString();
    const held = whileHeld({ sid, kind: 'session' });
    try {
      await call.store.transact([
        ...uses,
        {
          key: keys.user(user.user_id),
          update: 'SET factors.end_at = if_not_exists(factors.end_at, :end)',
          ...held,
          condition: `${held.condition} AND attribute_exists(factors)`,
          values: { ':end': endAt },
        },
        securityEventWrite(user, { kind: 'factor_removal_asked', ...originOf(call), now }),
        noticeWrite(call, user, 'factor_removal'),
      ]);
    } catch (error) {
      if (error instanceof TransactionRefusedError) throw changedFactors(error);
      throw error;
    }
    return { factors_end_at: endAt };
  },
});
