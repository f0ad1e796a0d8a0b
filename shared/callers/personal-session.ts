import type { Call } from '../api/call.ts';
import { HubError } from '../api/errors.ts';
import { requireOwnSession } from '../api/own-session.ts';
import { heldSession } from './open-session.ts';

/**
 * Returns the id of the session of a person: neither a `user_id` nor a program with a platform token changes how an account
 * is held.
 *
 * @param forbidden the refused action, such as `deletes no account`
 * @throws HubError session_required, platform_token_insufficient
 */
export const personalSession = (call: Call, forbidden: string): string => {
  requireOwnSession(call, 'This requires the session of the user. Sign in.', forbidden);
  const { sid, kind } = heldSession(call);
  if (kind === 'session') return sid;
  throw new HubError(
    'platform_token_insufficient',
    `A platform token ${forbidden}: sign in and use that session.`,
  );
};
