import { keyFacts } from '../../../shared/api/api-key-caller.ts';
import type { Call } from '../../../shared/api/call.ts';
import type { Effect } from '../../../shared/lifecycle/effect.ts';

/** Names the API key of the caller in the entry of the audit trail. */
export const byKey = (call: Call, effect: Effect): Effect => {
  const { audit } = effect;
  return audit
    ? { ...effect, audit: { ...audit, details: { ...audit.details, ...keyFacts(call) } } }
    : effect;
};
