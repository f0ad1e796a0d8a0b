import { HubClient } from '../../../infra/client/package/src/index.ts';

/** Options of all clients of the console: the same origin, whose cookies hold the session. */
export const HUB_OPTIONS = { baseUrl: location.origin, credentials: 'same-origin' } as const;

/** Client for signing in, which renews no session. Tells limits on tries at once. */
export const publicHub = new HubClient({ ...HUB_OPTIONS, maxRetries: 0 });
