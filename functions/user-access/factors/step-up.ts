import * as z from 'zod';
import { extensionRecord, timestamp } from '../../../shared/api/fields.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { invalidValue } from '../../../shared/api/refusals.ts';
import { requiredStepUp } from '../../../shared/api/user-terms.ts';
import { originOf } from '../../../shared/callers/origin.ts';
import { personalSession } from '../../../shared/callers/personal-session.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { TransactionRefusedError } from '../../../shared/data/table/store.ts';
import { asFactors } from '../../../shared/data/users/factors.ts';
import { securityEventWrite } from '../../../shared/data/users/security-events.ts';
import { steppedUpWrite } from '../../../shared/data/users/step-ups.ts';
import { STEP_UP_MS, type StepUpWay, stepUpWays } from '../../../shared/domain/factors.ts';
import { wrongCode } from '../common/send-code.ts';
import { noticeWrite } from './change-factors.ts';
import { usedPasskey } from './passkey-response.ts';
import { type ChosenWay, PLAIN_PROOF_ERRORS, plainProof, plainWay } from './plain-proof.ts';
import { proveFactorCode } from './prove-code-of-factor.ts';
import { provePasskey } from './prove-passkey.ts';

const stepUpProof = extensionRecord(
  'StepUpProof',
  z.object({
    /** Answer to the options of /passkey_options for `step_up`. */
    passkey: usedPasskey.optional(),
    totp: z.string().max(32).optional(),
    recovery_code: z.string().max(64).optional(),
    ...plainProof,
  }),
);

const wayOf = (proof: z.output<typeof stepUpProof>): ChosenWay | undefined => {
  const { passkey, totp, recovery_code: recoveryCode } = proof;
  if (passkey) {
    return {
      way: 'passkey',
      prove: async (call, user, sid) => {
        const key = keys.factors(user.user_id);
        const items = await call.store.getMany([key], { consistent: true });
        const challenged = { purpose: 'step_up', sid } as const;
        return provePasskey(call, user, asFactors(itemWith(items, key)), passkey, challenged);
      },
    };
  }
  if (totp !== undefined) {
    return {
      way: 'totp',
      prove: (call, user, sid) => proveFactorCode(call, user, sid, { way: 'totp', code: totp }),
    };
  }
  if (recoveryCode !== undefined) {
    return {
      way: 'recovery_code',
      prove: (call, user, sid) =>
        proveFactorCode(call, user, sid, { way: 'recovery_code', code: recoveryCode }),
    };
  }
  return plainWay(proof);
};

const KINDS: Readonly<Record<StepUpWay, Parameters<typeof steppedUpWrite>[1]['way']>> = {
  passkey: 'factor',
  totp: 'factor',
  recovery_code: 'recovery_code',
  password_and_code: 'plain',
  id_token: 'plain',
  code: 'plain',
};

export const stepUp = defineOperation({
  method: 'POST',
  path: '/step_up',
  name: 'step_up',
  summary: 'Prove again who asks',
  description:
    'Lets the session do for 10 minutes what needs a step-up: begin real deployments, connect accounts, make keys, change how the account is held. Send one proof. An account with a second factor sends a passkey, a code of its authenticator app or a recovery code; another one its password with the code of /send_step_up_code; one without a password a fresh ID token of its identity provider, or the code. A recovery code works once, the user is notified, and new real deployments, resumes and connections then wait for 24 hours. Five wrong codes in 15 minutes end the tries. Always requires the session of the user: neither a platform token nor a key steps up.',
  caller: 'user',
  extension: true,
  limits: { body: 64 * 1024 },
  input: { query: z.object({ user_id: z.string() }), json: stepUpProof },
  output: extensionRecord('StepUp', z.object({ stepped_up_until: timestamp() })),
  errors: ['platform_token_insufficient', 'step_up_required', 'passkey_refused', ...PLAIN_PROOF_ERRORS],
  table: 'write',
  uses: ['identity', 'encryption'],
  handler: async ({ json }, call) => {
    const sid = personalSession(call, 'steps up');
    const chosen = wayOf(json);
    if (!chosen) throw invalidValue(['body', 'code'], 'field required', 'value_error.missing');
    const { now } = call;
    const user = await call.user();
    const { way } = chosen;
    if (!stepUpWays(user, now).includes(way)) throw requiredStepUp(user, call.session, now);
    const uses = await chosen.prove(call, user, sid);
    const isRecovery = way === 'recovery_code';
    const origin = originOf(call);
    try {
      await call.store.transact([
        ...uses,
        steppedUpWrite(user, { sid, generation: call.session?.generation, way: KINDS[way], now }),
        securityEventWrite(user, { kind: 'stepped_up', ...origin, detail: way, now }),
        ...(isRecovery
          ? [
              securityEventWrite(user, { kind: 'recovery_code_used', ...origin, now }),
              noticeWrite(call, user, 'recovery_code'),
            ]
          : []),
      ]);
    } catch (error) {
      if (error instanceof TransactionRefusedError) throw wrongCode();
      throw error;
    }
    return { stepped_up_until: new Date(now.getTime() + STEP_UP_MS).toISOString() };
  },
});
