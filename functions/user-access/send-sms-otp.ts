import * as z from 'zod';
import { sessionOf, sessionToken } from '../../shared/api/authenticate.ts';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unprovenEmail, upstreamFailed } from '../../shared/api/refusals.ts';
import { verifyChallenge } from '../../shared/channels/challenge.ts';
import { UpstreamDownError } from '../../shared/channels/upstream.ts';
import { budgetOf, isSpent } from '../../shared/data/table/budgets.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { normaliseEmail } from '../../shared/data/table/keys.ts';
import { CODE_LIFETIME_S, findCode } from '../../shared/data/users/one-time-codes.ts';
import { findUser, NO_USER, unlessLeaving } from '../../shared/data/users/users.ts';
import { phoneNumber } from '../../shared/domain/phone.ts';
import { isProven } from '../../shared/domain/proven.ts';
import { codeCaller } from './common/code-caller.ts';
import { sendCode } from './common/send-code.ts';

const PURPOSE = 'phone';

/** Requires a token of a solved challenge. @throws HubError challenge_refused, upstream_failed */
const requireChallenge = async (call: Call, token: string): Promise<void> => {
  const isSolved = await verifyChallenge(call, token).catch((error: unknown) => {
    throw error instanceof UpstreamDownError ? upstreamFailed(error) : error;
  });
  if (isSolved) return;
  throw new HubError('challenge_refused', 'The challenge was not solved, or its token was used before.');
};

export const sendSmsOtp = defineOperation({
  method: 'POST',
  path: '/send_sms_otp',
  name: 'send_sms_otp',
  summary: 'Send a code to a phone',
  description:
    'Requires a solved challenge. The code is sent if the call has the session of the account, or if the account has verified this number. With the session of an account whose e-mail is not confirmed, 403. The answer is the same otherwise. Limits: one code in 30 seconds and five an hour from an address, or five of its own for a session or a known device; five an hour to a number; 20 requests an hour from an address. A code that is still valid is sent again. A code ends with the session that asked for it.',
  caller: 'anyone',
  input: { query: z.object({ ph_number: phoneNumber(), email: z.string(), cf_token: z.string() }) },
  output: z.object({ detail: z.string(), expires_in: integer() }),
  errors: ['email_unproven', 'challenge_refused', 'too_many_codes', 'upstream_failed', 'cross_site_refused'],
  table: 'write',
  uses: ['challenge'],
  handler: async ({ query: { ph_number: phone, email, cf_token: token } }, call) => {
    // Runs before the e-mail is read: refusing the cookie must not depend on the account.
    const presented = sessionToken(call);
    await requireChallenge(call, token);
    const ring = await call.keyRing();
    const network = budgetOf(ring, 'sms_network', [call.network], call.now);
    // A stranger must not use up the limits of the owner or of other sessions.
    const numberOf = (kind: string) => budgetOf(ring, 'sms_number', [kind, phone], call.now);
    const numbers = {
      verified: numberOf('verified with session'),
      unverified: numberOf('with session'),
      open: numberOf('open'),
    };
    const budgets = [network, ...Object.values(numbers)];
    const { credentials, code, items } = await findCode(
      call.store,
      email,
      PURPOSE,
      budgets.map(({ key }) => key),
    );
    // Reads even without an account, so that timing reveals nothing.
    const user = unlessLeaving(await findUser(call.store, credentials.user_id ?? NO_USER));
    const sid = user && (await sessionOf(call, user, presented));
    const hasSession = user !== undefined && sid !== undefined;
    // Only to the owner: the answer tells others nothing about the account.
    if (hasSession && !isProven(user)) throw unprovenEmail(user);
    const isVerified = user !== undefined && isProven(user) && user.ph_number === phone && user.ph_verified;
    const budget = numbers[hasSession ? (isVerified ? 'verified' : 'unverified') : 'open'];
    const number = { budget, item: itemWith(items, budget.key) };
    // Without a session, a number over its limit gets the usual answer: another one would reveal that e-mail
    // and number belong together.
    const isAllowed = hasSession || (isVerified && !isSpent(number.item, number.budget));
    await sendCode(call, {
      email,
      purpose: PURPOSE,
      caller: await codeCaller(call, email, credentials, { hasSession }),
      last: code,
      target: user && isAllowed ? { userId: user.user_id, phone, sid } : undefined,
      budgets: [{ budget: network, item: itemWith(items, network.key) }, ...(isAllowed ? [number] : [])],
      message: (sent) => ({
        kind: 'code_sms',
        to: phone,
        email: normaliseEmail(email),
        purpose: PURPOSE,
        ...sent,
      }),
    });
    return {
      detail:
        'If e-mail and number belong together, a code is on its way. A number that is not verified yet needs the session of the account.',
      expires_in: CODE_LIFETIME_S,
    };
  },
});
