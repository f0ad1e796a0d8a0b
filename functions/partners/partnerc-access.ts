import * as z from 'zod';
import { optionalSession } from '../../shared/api/authenticate.ts';
import { timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { challengeOf, consentAddress } from '../../shared/channels/partner-oauth.ts';
import { putState, STATE_S } from '../../shared/data/partner-c/states.ts';
import { beginJourney, markBrowser, reaching, requirePartnerC } from './common/partner-c.ts';

export const partnercAccess = defineOperation({
  method: 'GET',
  path: '/partnerc_access',
  name: 'partnerc_access',
  summary: 'Start connecting partner C',
  description:
    'Open `authorization_url` in the browser within 10 minutes (OAuth 2.0 authorization code with PKCE). With a session, only the same session can complete the consent, and the connection belongs to its user. Without one, only the same browser can, identified by a cookie (send the request with credentials), and the connection waits for /partnerc_connect.',
  caller: 'anyone',
  cookies: 'own_site',
  input: {},
  output: z.object({
    authorization_url: z.string(),
    state: z.string(),
    expires_at: timestamp(),
    /** True if the connection will belong to the user of the session. */
    bound: z.boolean(),
  }),
  errors: ['session_invalid', 'email_unproven', 'provider_unknown', 'upstream_failed'],
  table: 'write',
  uses: ['partnerc'],
  handler: async (_input, call) => {
    const session = await optionalSession(call, { terms: { needsProof: true } });
    const partner = await requirePartnerC(call);
    const { HUB_PARTNERC_SCOPE: scope } = call.capability('partnerc');
    const journey = await beginJourney(call);
    const address = await reaching(() => consentAddress(partner, journey, scope));
    const held = {
      challenge: await challengeOf(journey.verifier),
      user_id: session?.userId,
      sid: session?.sid,
      browser: session ? undefined : markBrowser(call),
    };
    await putState(call.store, journey.state, held, call.now);
    return {
      authorization_url: address,
      state: journey.state,
      expires_at: new Date(call.now.getTime() + STATE_S * 1000).toISOString(),
      bound: session !== undefined,
    };
  },
});
