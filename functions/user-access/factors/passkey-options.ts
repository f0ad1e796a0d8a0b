import * as z from 'zod';
import { optionalSession } from '../../../shared/api/authenticate.ts';
import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { extensionRecord } from '../../../shared/api/fields.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { type ChallengePurpose, newChallenge } from '../../../shared/auth/passkey-challenges.ts';
import { assertionOptions, registrationOptions, relyingParty } from '../../../shared/auth/passkeys.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { User } from '../../../shared/data/users/users.ts';
import { currentFactors } from './change-factors.ts';

const PURPOSES = ['sign_in', 'step_up', 'register'] as const satisfies readonly ChallengePurpose[];

/** Returns the session of a person, whose user must meet the terms. @throws HubError session_required, and those of the terms */
const sessionFor = async (call: Call, purpose: Exclude<ChallengePurpose, 'sign_in'>) => {
  let owner: User | undefined;
  let item: Item | undefined;
  const terms = purpose === 'register' ? ({ needsProof: true, stepUp: 'always' } as const) : {};
  const session = await optionalSession(call, {
    terms,
    read: async (store, userId) => {
      [item] = await store.getMany([keys.factors(userId)], { consistent: true });
    },
    take: (user) => {
      owner = user;
    },
  });
  if (session?.kind !== 'session' || !owner) {
    throw new HubError('session_required', 'This requires the session of the user. Sign in.');
  }
  return { sid: session.sid, user: owner, factors: currentFactors(call, owner, item).factors };
};

export const passkeyOptions = defineOperation({
  method: 'POST',
  path: '/passkey_options',
  name: 'passkey_options',
  summary: 'Get a challenge for a passkey',
  description:
    '`options` are for the browser: for `register` those of `navigator.credentials.create`, else those of `navigator.credentials.get`, in the JSON form of WebAuthn. The challenge works once, for five minutes: at /sign_in_passkey without a session, at /step_up and /add_passkey in the session that asked for it. `register` needs a step-up.',
  caller: 'anyone',
  extension: true,
  input: { json: z.object({ for: z.enum(PURPOSES) }) },
  output: extensionRecord('PasskeyOptions', z.object({ options: z.record(z.string(), z.unknown()) })),
  errors: ['session_required', 'session_invalid', 'email_unproven', 'step_up_required', 'cross_site_refused'],
  table: 'read',
  handler: async ({ json: { for: purpose } }, call) => {
    const party = relyingParty(call.settings);
    const ring = await call.keyRing();
    if (purpose === 'sign_in') {
      const challenge = newChallenge(ring, { purpose, sid: undefined }, call);
      return { options: { ...(await assertionOptions(party, undefined, challenge)) } };
    }
    const { sid, user, factors } = await sessionFor(call, purpose);
    const challenge = newChallenge(ring, { purpose, sid }, call);
    const options =
      purpose === 'register'
        ? await registrationOptions(party, user, factors, challenge)
        : await assertionOptions(party, factors, challenge);
    return { options: { ...options } };
  },
});
