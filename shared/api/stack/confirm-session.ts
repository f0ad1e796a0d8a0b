import { HubError } from '../errors.ts';
import { identity } from './authenticate-caller.ts';
import type { Middleware, Passing } from './middleware.ts';
import { opened } from './open-call.ts';

/** Never answers a caller whose session was revoked. The handler's first read mostly checks this already. */
export const confirmSession = (): Middleware => ({
  after: async ({ event }) => {
    await identity.get(event).confirm();
  },
  onError: async (request: Passing) => {
    const state = opened.find(request.event);
    if (!state?.isRunning) return;
    // Keeps the refusal of a caller without a session: nothing of theirs can be revoked.
    if (request.error instanceof HubError && request.error.code === 'session_required') return;
    try {
      await identity.get(request.event).confirm();
    } catch (revoked) {
      state.cookies = [];
      request.error = revoked instanceof Error ? revoked : new Error('the session cannot be confirmed');
    }
  },
});
