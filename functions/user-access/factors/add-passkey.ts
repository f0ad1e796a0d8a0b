import * as z from 'zod';
import { HubError } from '../../../shared/api/errors.ts';
import { extensionRecord } from '../../../shared/api/fields.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { PasskeyRefusedError, relyingParty, verifyRegistration } from '../../../shared/auth/passkeys.ts';
import { personalSession } from '../../../shared/callers/personal-session.ts';
import { claimPasskeyWrite, MAX_PASSKEYS } from '../../../shared/data/users/factors.ts';
import { readableText, tidy } from '../../../shared/domain/text.ts';
import { changeFactors, ownFactors } from './change-factors.ts';
import { newPasskey } from './passkey-response.ts';
import { expectChallenge, refusedPasskey } from './prove-passkey.ts';
import { factorsOut, presentFactors } from './records.ts';

const MAX_NAME = 60;

export const addPasskey = defineOperation({
  method: 'POST',
  path: '/add_passkey',
  name: 'add_passkey',
  summary: 'Add a passkey',
  description:
    'Takes the answer of the browser to the options of /passkey_options for `register`. A user has at most 10 passkeys and is mailed about each. Make recovery codes after the first factor. Needs a proven e-mail and a step-up. Always requires the session of the user.',
  caller: 'user',
  proven: true,
  stepUp: 'always',
  extension: true,
  limits: { body: 64 * 1024 },
  input: {
    query: z.object({ user_id: z.string() }),
    json: extensionRecord(
      'PasskeyToAdd',
      z.object({ passkey: newPasskey, name: readableText({ max: MAX_NAME }).default('Passkey') }),
    ),
  },
  output: factorsOut,
  errors: ['platform_token_insufficient', 'passkey_refused', 'quota_reached', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ json: { passkey: response, name } }, call) => {
    const sid = personalSession(call, 'adds no passkey');
    const read = await ownFactors(call);
    const { factors } = read;
    if (Object.keys(factors.passkeys).length >= MAX_PASSKEYS) {
      throw new HubError('quota_reached', `You can have ${MAX_PASSKEYS} passkeys. Remove one first.`);
    }
    const { uses, isChallenge } = await expectChallenge(call, { purpose: 'register', sid });
    const { id, passkey } = await verifyRegistration(
      relyingParty(call.settings),
      response,
      isChallenge,
    ).catch((error: unknown) => {
      throw error instanceof PasskeyRefusedError ? refusedPasskey() : error;
    });
    const added = { ...passkey, name: tidy(name), added_at: call.now.toISOString() };
    const after = { ...factors, passkeys: { ...factors.passkeys, [id]: added } };
    await changeFactors(call, sid, read, {
      after,
      event: 'passkey_added',
      notice: 'factor_added',
      extraWrites: [...uses, claimPasskeyWrite(id, factors.user_id)],
    });
    return presentFactors(read.user, after, call);
  },
});
