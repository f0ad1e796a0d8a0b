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
    const { session, confirm } = identity.get(request.event);
    // Keeps the refusal of a caller without a session: nothing of theirs can be revoked.
    if (!session) return;
    try {
      await confirm();
    } catch (revoked) {
      state.cookies = [];
      request.error = revoked instanceof Error ? revoked : new Error('the session cannot be confirmed');
    }
  },
});
