import * as z from 'zod';
import type { Call } from '../../../shared/api/call.ts';
import { extensionRecord, timestamp } from '../../../shared/api/fields.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { invalidValue } from '../../../shared/api/refusals.ts';
import { requiredStepUp } from '../../../shared/api/user-terms.ts';
import { originOf } from '../../../shared/callers/origin.ts';
import { TransactionRefusedError } from '../../../shared/data/table/store.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { securityEventWrite } from '../../../shared/data/users/security-events.ts';
import { steppedUpWrite } from '../../../shared/data/users/step-ups.ts';
import type { User } from '../../../shared/data/users/users.ts';
import { STEP_UP_MS, type StepUpWay, stepUpWays } from '../../../shared/domain/factors.ts';
import { personalSession } from '../common/personal-session.ts';
import { wrongCode } from '../common/send-code.ts';
import { proveIdentity, proveMailedCode, provePassword } from './prove-step-up.ts';

const stepUpProof = extensionRecord(
  'StepUpProof',
  z.object({
    /** With `code`. */
    password: z.string().optional(),
    /** From the mail of /send_step_up_code. */
    code: z.string().max(32).optional(),
    provider: z.string().optional(),
    id_token: z.string().max(16_384).optional(),
    nonce: z.string().optional(),
  }),
);

type Proof = z.output<typeof stepUpProof>;

/** A way of a step-up, and the check of its proof, which returns the writes that use it up. */
interface Chosen {
  readonly way: StepUpWay;
  readonly prove: (call: Call, user: User) => Promise<readonly Write[]>;
}

/** Returns the way that a proof takes; undefined for one without. */
const chosenWay = ({ password, code, provider, id_token, nonce }: Proof): Chosen | undefined => {
  if (code !== undefined && password !== undefined) {
    return {
      way: 'password_and_code',
      prove: async (call, user) => [
        ...(await provePassword(call, user, password)),
        await proveMailedCode(call, user, code),
      ],
    };
  }
  if (code !== undefined) {
    return { way: 'code', prove: async (call, user) => [await proveMailedCode(call, user, code)] };
  }
  if (provider === undefined || id_token === undefined) return undefined;
  return {
    way: 'id_token',
    prove: async (call, user) => {
      await proveIdentity(call, user, { provider, id_token, nonce });
      return [];
    },
  };
};

export const stepUp = defineOperation({
  method: 'POST',
  path: '/step_up',
  name: 'step_up',
  summary: 'Prove again who asks',
  description:
    'Lets the session do for 10 minutes what needs a step-up: begin real deployments, connect accounts, make keys, change how the account is held. An account with a second factor sends one of its factors; another one its password with the code of /send_step_up_code; one without a password a fresh ID token of its identity provider, or the code. Always requires the session of the user: neither a platform token nor a key steps up.',
  caller: 'user',
  extension: true,
  limits: { body: 32 * 1024 },
  input: { query: z.object({ user_id: z.string() }), json: stepUpProof },
  output: extensionRecord('StepUp', z.object({ stepped_up_until: timestamp() })),
  errors: [
    'platform_token_insufficient',
    'step_up_required',
    'credentials_invalid',
    'code_invalid',
    'id_token_invalid',
    'provider_unknown',
    'too_many_attempts',
    'upstream_failed',
  ],
  table: 'write',
  uses: ['identity'],
  handler: async ({ json }, call) => {
    const sid = personalSession(call, 'steps up');
    const chosen = chosenWay(json);
    if (!chosen) throw invalidValue(['body', 'code'], 'field required', 'value_error.missing');
    const { now } = call;
    const user = await call.user();
    if (!stepUpWays(user).includes(chosen.way)) throw requiredStepUp(user, call.session);
    const uses = await chosen.prove(call, user);
    const event = { kind: 'stepped_up', ...originOf(call), detail: chosen.way, now } as const;
    try {
      await call.store.transact([
        ...uses,
        steppedUpWrite(user.user_id, sid, now),
        securityEventWrite(user, event),
      ]);
    } catch (error) {
      if (error instanceof TransactionRefusedError) throw wrongCode();
      throw error;
    }
    return { stepped_up_until: new Date(now.getTime() + STEP_UP_MS).toISOString() };
  },
});
