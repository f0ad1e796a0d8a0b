import { keys } from '../table/keys.ts';
import type { Write } from '../table/writes.ts';
import { whileHeld } from './users.ts';

/** Returns the write that notes a step-up of a session. Its condition fails if the session has ended. */
export const steppedUpWrite = (userId: string, sid: string, now: Date): Write => {
  const held = whileHeld({ sid, kind: 'session' });
  return {
    key: keys.user(userId),
    update: 'SET sessions.#holder.stepped_up_at = :at',
    ...held,
    values: { ':at': Math.floor(now.getTime() / 1000) },
  };
};
