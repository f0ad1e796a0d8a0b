import { HubClient } from '../../../infra/client/package/src/index.ts';
import { HUB_OPTIONS } from './public-hub.ts';
import { renewIfNeeded, renewSession } from './session-cookies.ts';
import { askStepUp } from './step-up.ts';

/** Codes of a refusal that a renewed session can heal. */
const HEALED: ReadonlySet<unknown> = new Set(['session_required', 'session_invalid', 'access_token_invalid']);

const isHealed = async (response: Response): Promise<boolean> => {
  if (response.status !== 401) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return typeof body === 'object' && body !== null && 'code' in body && HEALED.has(body.code);
};

/** Sends a request with the session's cookies. Renews a session that has expired, and sends the request again. */
const fetchWithSession: typeof fetch = async (input, init) => {
  await renewIfNeeded();
  const response = await fetch(input, init);
  if (!(await isHealed(response))) return response;
  return (await renewSession()) ? fetch(input, init) : response;
};

/** Longest wait before a request is sent again by itself. A longer one is shown to the user. */
const MAX_DELAY_MS = 5_000;

const OPTIONS = { ...HUB_OPTIONS, fetch: fetchWithSession, maxDelayMs: MAX_DELAY_MS } as const;

/**
 * Client of the service. Requests carry the cookies of the session; pass `user_id: ME`. One that needs a step-up opens the
 * dialog of it and is sent again.
 */
export const hub = new HubClient({ ...OPTIONS, onStepUp: askStepUp });

/** Client for the step-up itself, whose refusals open no dialog. */
export const stepUpHub = new HubClient(OPTIONS);

/** Stands for the user of the session. */
export const ME = 'me';
