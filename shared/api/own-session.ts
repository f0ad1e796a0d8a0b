import type { Call } from './call.ts';
import { HubError } from './errors.ts';

/**
 * Requires a session, for operations of the kind `user` that the `user_id` alone must not reach. A platform token that
 * was made without a session proves no more than the `user_id`.
 *
 * @param forbidden the refused action, such as `places no real orders`
 * @throws HubError session_required, platform_token_insufficient
 */
export const requireOwnSession = ({ session }: Call, detail: string, forbidden: string): void => {
  if (!session) throw new HubError('session_required', detail);
  if (session.signedIn) return;
  throw new HubError(
    'platform_token_insufficient',
    `This platform token was made without a session, so it ${forbidden}. Sign in and make another one.`,
  );
};
