import type { Call, PresentedSession } from './call.ts';
import { HubError } from './errors.ts';

/**
 * Returns the session of the caller, for operations of the kind `user` that the `user_id` alone must not reach. A
 * platform token that was made without a session proves no more than the `user_id`.
 *
 * @param forbidden the refused action, such as `places no real orders`
 * @throws HubError session_required, platform_token_insufficient
 */
export const requireOwnSession = ({ session }: Call, detail: string, forbidden: string): PresentedSession => {
  if (!session) throw new HubError('session_required', detail);
  if (session.signedIn) return session;
  throw new HubError(
    'platform_token_insufficient',
    `This platform token was made without a session, so it ${forbidden}. Sign in and make another one.`,
  );
};
