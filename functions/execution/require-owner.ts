import type { Call } from '../../shared/api/call.ts';
import { requireOwnSession } from '../../shared/api/own-session.ts';

/** Requires the session of the user: keys of an account are money. @throws HubError */
export const requireOwner = (call: Call) =>
  requireOwnSession(
    call,
    'Connections to brokers require the session of the user. Sign in.',
    'changes and shows no connections to brokers',
  );
