import { keys } from '../table/keys.ts';
import type { Write } from '../table/writes.ts';
import { type User, whileHeld } from './users.ts';

interface StepUp {
  readonly sid: string;
  /** Generation of the access token. */
  readonly generation: number | undefined;
  readonly way: 'factor' | 'recovery_code' | 'plain';
  readonly now: Date;
}

/**
 * Returns the write that notes a step-up of a session. A factor that is used was not lost, so a removal of lost factors
 * ends. A recovery code is a recovery. The condition fails if the session has ended, or if an account that proved itself
 * without a factor has one now.
 */
export const steppedUpWrite = (
  { user_id: userId, factors }: Pick<User, 'user_id' | 'factors'>,
  { sid, generation = 0, way, now }: StepUp,
): Write => {
  const held = whileHeld({ sid, kind: 'session' });
  const isRecovery = way === 'recovery_code';
  const isKept = way !== 'plain' && factors?.end_at !== undefined;
  const isPlain = way === 'plain';
  const isWithout = factors ? 'factors.end_at = :end' : 'attribute_not_exists(factors)';
  return {
    key: keys.user(userId),
    update: [
      'SET sessions.#holder.stepped_up_at = :at, sessions.#holder.stepped_up_in = :generation',
      ...(isRecovery
        ? [', factors.recovery_codes = factors.recovery_codes - :one, recovered_at = :now']
        : []),
      ...(isKept ? [' REMOVE factors.end_at'] : []),
    ].join(''),
    ...held,
    condition: isPlain ? `${held.condition} AND ${isWithout}` : held.condition,
    values: {
      ...(isPlain && factors && { ':end': factors.end_at }),
      ':generation': generation,
      ':at': Math.floor(now.getTime() / 1000),
      ...(isRecovery && { ':one': 1, ':now': now.toISOString() }),
    },
  };
};
