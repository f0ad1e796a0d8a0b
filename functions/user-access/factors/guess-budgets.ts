import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { originOf } from '../../../shared/callers/origin.ts';
import { type Budget, budgetOf, isSpent, leftCheck, spendWrite } from '../../../shared/data/table/budgets.ts';
import { type Items, itemWith } from '../../../shared/data/table/items.ts';
import { TransactionRefusedError } from '../../../shared/data/table/store.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { securityEventWrite } from '../../../shared/data/users/security-events.ts';
import type { User } from '../../../shared/data/users/users.ts';
import { wrongCode } from '../common/send-code.ts';

const tooManyGuesses = ({ now }: Call, until: number): HubError =>
  new HubError('too_many_attempts', 'Too many wrong codes. Try again later, or use another factor.', {
    retryAfterS: (until - now.getTime()) / 1000,
  });

/**
 * Returns the budgets of guesses at a factor. A session that stepped up before has its own. Others share one for their
 * network and one for the account, so a thief of the password uses up neither that of the owner's session nor, in a short
 * time, that of the owner's network.
 */
export const guessBudgets = async (call: Call, user: User, sid: string): Promise<readonly Budget[]> => {
  const ring = await call.keyRing();
  const { now, network } = call;
  if (user.sessions[sid]?.stepped_up_at !== undefined) {
    return [budgetOf(ring, 'factor_session', [sid], now), budgetOf(ring, 'factor_session_day', [sid], now)];
  }
  return [
    budgetOf(ring, 'factor_network', [user.user_id, network], now),
    budgetOf(ring, 'factor_user', [user.user_id], now),
  ];
};

/** @throws HubError too_many_attempts */
export const requireGuess = (call: Call, budgets: readonly Budget[], items: Items): void => {
  const spent = budgets.find((budget) => isSpent(itemWith(items, budget.key), budget));
  if (spent) throw tooManyGuesses(call, spent.endsAt);
};

/** Returns the checks for a right guess: it counts only while guesses are left. */
export const guessChecks = (budgets: readonly Budget[]): Write[] => budgets.map(leftCheck);

/** Counts a wrong guess before the answer. @throws HubError code_invalid, too_many_attempts */
export const refuseGuess = async (call: Call, user: User, budgets: readonly Budget[]): Promise<never> => {
  try {
    await call.store.transact([
      ...budgets.map((budget) => spendWrite(budget)),
      securityEventWrite(user, { kind: 'step_up_failed', ...originOf(call), now: call.now }),
    ]);
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
    throw tooManyGuesses(call, call.now.getTime() + 1000);
  }
  throw wrongCode();
};
