import * as z from 'zod';
import type { Call } from '../../../shared/api/call.ts';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import { heldSession } from '../../../shared/callers/open-session.ts';
import { countsOf, type Factors } from '../../../shared/data/users/factors.ts';
import type { User } from '../../../shared/data/users/users.ts';
import {
  factorsOf,
  recoveryUntil,
  STEP_UP_WAYS,
  steppedUpUntil,
  stepUpWays,
} from '../../../shared/domain/factors.ts';

/** Second factors of a user, and the state of the session. */
export const factorsOut = extensionRecord(
  'Factors',
  z.object({
    passkeys: z.array(
      extensionRecord(
        'Passkey',
        z.object({
          passkey_id: z.string(),
          name: z.string(),
          added_at: timestamp(),
          used_at: timestamp().nullable(),
          backed_up: z.boolean(),
        }),
      ),
    ),
    totp_added_at: timestamp().nullable(),
    recovery_codes: integer({ min: 0 }),
    ways: z.array(z.enum(STEP_UP_WAYS)),
    stepped_up_until: timestamp().nullable(),
    factors_end_at: timestamp().nullable(),
    recovery_until: timestamp().nullable(),
  }),
);

const shownTime = (at: number | undefined): string | null =>
  at === undefined ? null : new Date(at).toISOString();

/** Presents the factors of a user to the session of a call. */
export const presentFactors = (user: User, factors: Factors, call: Call): z.input<typeof factorsOut> => {
  const { now } = call;
  const counts = countsOf(factors);
  const { passkeys, totp } = factors;
  return {
    passkeys: Object.entries(passkeys)
      .map(([passkey_id, { name, added_at, used_at, backed_up }]) => ({
        passkey_id,
        name,
        added_at,
        used_at: used_at ?? null,
        backed_up,
      }))
      .sort((left, right) => (left.added_at < right.added_at ? -1 : 1)),
    totp_added_at: totp?.added_at ?? null,
    recovery_codes: counts?.recovery_codes ?? 0,
    ways: stepUpWays({ ...user, factors: counts }, now),
    stepped_up_until: shownTime(steppedUpUntil(user, heldSession(call), now)),
    factors_end_at: counts ? (factorsOf(user, now)?.end_at ?? null) : null,
    recovery_until: shownTime(recoveryUntil(user, now)),
  };
};
