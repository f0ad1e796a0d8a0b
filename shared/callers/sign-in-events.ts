import type { Call } from '../api/call.ts';
import { securityEventWrite } from '../data/users/security-events.ts';
import type { User } from '../data/users/users.ts';
import { originOf } from './origin.ts';

/** Returns the write that notes a sign-in for the owner, for the transaction that opens the session. */
export const signedInWrite = (call: Call, user: Pick<User, 'user_id'>) =>
  securityEventWrite(user, { kind: 'signed_in', ...originOf(call), now: call.now });
