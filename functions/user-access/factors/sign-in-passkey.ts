import * as z from 'zod';
import { defineOperation } from '../../../shared/api/operation.ts';
import { newSession, presentSession } from '../../../shared/callers/open-session.ts';
import { signedInWrite } from '../../../shared/callers/sign-in-events.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { asFactors, claimantOf } from '../../../shared/data/users/factors.ts';
import { openSessionWith } from '../../../shared/data/users/sessions.ts';
import { asUser, NO_USER, unlessLeaving } from '../../../shared/data/users/users.ts';
import { factorsOf } from '../../../shared/domain/factors.ts';
import { userCustomOut } from '../../../shared/records/user.ts';
import { usedPasskey } from './passkey-response.ts';
import { provePasskey, refusedPasskey } from './prove-passkey.ts';

export const signInPasskey = defineOperation({
  method: 'POST',
  path: '/sign_in_passkey',
  name: 'sign_in_passkey',
  summary: 'Sign in with a passkey',
  description:
    'Takes the answer of the browser to the options of /passkey_options for `sign_in`: neither an e-mail nor a password. The session counts as stepped up for 10 minutes. An unknown passkey, another site, a used challenge and a counter that went back get the same answer.',
  caller: 'anyone',
  cookies: 'own_site',
  extension: true,
  limits: { body: 64 * 1024 },
  input: { json: z.object({ passkey: usedPasskey }) },
  output: userCustomOut,
  errors: ['passkey_refused', 'answer_shown_once'],
  table: 'write',
  handler: async ({ json: { passkey: response } }, call) => {
    const { store, now } = call;
    const [claim] = await store.getMany([keys.passkey(response.id)], { consistent: true });
    const userId = claimantOf(claim) ?? NO_USER;
    const [userKey, factorsKey] = [keys.user(userId), keys.factors(userId)];
    const items = await store.getMany([userKey, factorsKey], { consistent: true });
    const user = unlessLeaving(asUser(itemWith(items, userKey)));
    // An authenticator that keeps the passkey itself names its user.
    if (!user || !factorsOf(user, now) || response.response.userHandle === undefined) throw refusedPasskey();
    const factors = asFactors(itemWith(items, factorsKey));
    const uses = await provePasskey(call, user, factors, response, { purpose: 'sign_in' });
    const opened = newSession(call, { steppedUp: true });
    const entered = await openSessionWith(store, user, opened, {
      terms: { passwordVersion: user.password_version },
      extraWrites: [...uses, signedInWrite(call, user)],
    });
    if (!('user' in entered)) throw refusedPasskey();
    // A use of a passkey opens one session.
    call.showOnce();
    return presentSession(call, entered.user, { sid: opened.sid, generation: 0, isNewUser: false });
  },
});
