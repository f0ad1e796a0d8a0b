import type { Call } from '../../../shared/api/call.ts';
import { createCipher } from '../../../shared/auth/cipher.ts';
import { recoveryHash } from '../../../shared/auth/recovery-codes.ts';
import { totpStep } from '../../../shared/auth/totp.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import {
  asFactors,
  type Factors,
  usedRecoveryCodeWrite,
  usedTotpWrite,
} from '../../../shared/data/users/factors.ts';
import type { User } from '../../../shared/data/users/users.ts';
import { guessBudgets, guessChecks, refuseGuess, requireGuess } from './guess-budgets.ts';

/** Binds the secret of an authenticator app to its user, so that it cannot be moved in the table. */
export const totpContext = (userId: string) => ({ purpose: 'totp', user: userId });

/** Returns the write that uses up a right code; undefined for a wrong one. */
type Match = (call: Call, factors: Factors, code: string) => Promise<Write | undefined>;

const matchTotp: Match = async (call, factors, code) => {
  const { totp, user_id: userId } = factors;
  if (!totp) return undefined;
  const secret = await createCipher(call).open(totpContext(userId), totp.sealed);
  const step = await totpStep(secret, code, { usedStep: totp.step, now: call.now });
  return step === undefined ? undefined : usedTotpWrite(factors, { before: totp.step, step });
};

const matchRecoveryCode: Match = async (_call, factors, code) => {
  const hash = recoveryHash(factors.user_id, code);
  return Object.hasOwn(factors.recovery_codes, hash) ? usedRecoveryCodeWrite(factors, hash) : undefined;
};

/**
 * Checks a code of a factor in a session. A wrong one is counted before the answer.
 *
 * @returns the writes that use it up.
 * @throws HubError code_invalid, too_many_attempts
 */
export const proveFactorCode = async (
  call: Call,
  user: User,
  sid: string,
  sent: { readonly way: 'totp' | 'recovery_code'; readonly code: string },
): Promise<readonly Write[]> => {
  const budgets = await guessBudgets(call, user, sid);
  const key = keys.factors(user.user_id);
  const items = await call.store.getMany([key, ...budgets.map((budget) => budget.key)], { consistent: true });
  requireGuess(call, budgets, items);
  const factors = asFactors(itemWith(items, key));
  const match = sent.way === 'totp' ? matchTotp : matchRecoveryCode;
  const use = factors && (await match(call, factors, sent.code.replace(/\s/g, '')));
  return use ? [use, ...guessChecks(budgets)] : refuseGuess(call, user, budgets);
};
