import * as z from 'zod';
import { HubError } from '../../../../shared/api/errors.ts';
import { extensionRecord } from '../../../../shared/api/fields.ts';
import { defineOperation } from '../../../../shared/api/operation.ts';
import { newKeyCode, newKeyId } from '../../../../shared/auth/api-keys.ts';
import { fingerprint } from '../../../../shared/auth/key-ring.ts';
import { addApiKey } from '../../../../shared/callers/add-api-key.ts';
import { personalSession } from '../../../../shared/callers/personal-session.ts';
import { newGrant } from '../../../../shared/data/users/assistant-grants.ts';
import { ASSISTANT_SCOPES } from '../../../../shared/domain/scopes.ts';
import type { UserNotice } from '../../../../shared/lifecycle/user-notices.ts';
import { withAnswer } from '../clients/redirects.ts';
import { readConsent } from './consent-tokens.ts';

const MAX_CONSENT = 12_000;

const consentIn = extensionRecord(
  'ConsentIn',
  z.strictObject({
    consent: z.string().max(MAX_CONSENT),
    scopes: z.array(z.enum(ASSISTANT_SCOPES)).min(1).max(ASSISTANT_SCOPES.length),
  }),
);

/** Returns the notice of a new assistant. It names the host that vouches for it, and no text of its author. */
const connectedNotice = (keyId: string, host: string | undefined, scopes: readonly string[]): UserNotice => ({
  kind: 'assistant_connected',
  severity: 'warning',
  title: 'An assistant was connected',
  body: `An app ${host === undefined ? 'that no address vouches for' : `of ${host}`} acts for you with these scopes: ${scopes.join(', ')}. If this was not you: revoke it in the settings, and set a new password.`,
  data: { api_key_id: keyId, scopes },
});

export const giveConsent = defineOperation({
  method: 'POST',
  path: '/give_consent',
  name: 'give_consent',
  summary: 'Connect an assistant',
  description:
    'Approves a request that `/open_consent` has checked in the same session, with the scopes that the user leaves of it. Answers with the address that takes the code to the app. The grant is listed and revoked like an API key, ends after 30 days without a renewal and after 90 days at most; the user is notified by all channels. Needs a step-up. Always requires the session of the user.',
  caller: 'user',
  stepUp: 'always',
  extension: true,
  input: { query: z.object({ user_id: z.string() }), json: consentIn },
  output: z.object({ redirect_to: z.string() }),
  errors: [
    'platform_token_insufficient',
    'quota_reached',
    'answer_shown_once',
    'changed_meanwhile',
    'state_conflict',
    'scope_insufficient',
  ],
  table: 'write',
  handler: async ({ json }, call) => {
    const sid = personalSession(call, 'connects no assistants');
    const { user_id: userId } = await call.user();
    const asked = await readConsent(call, { userId, sid, token: json.consent });
    if (!json.scopes.every((scope) => asked.scopes.includes(scope))) {
      throw new HubError('scope_insufficient', 'The app has not asked for all of these scopes.');
    }
    const scopes = asked.scopes.filter((scope) => json.scopes.includes(scope));
    const keyId = newKeyId(call.random);
    const code = newKeyCode({ userId, keyId }, call.random);
    const key = newGrant({
      name: asked.name,
      scopes,
      nowS: Math.floor(call.now.getTime() / 1000),
      client: asked.client,
      host: asked.host,
      resource: asked.resource,
      code: { hash: code.hash, redirect: fingerprint(asked.redirect), challenge: asked.challenge },
    });
    const notice = connectedNotice(keyId, asked.host, scopes);
    await addApiKey(call, { userId, sid, keyId, key, notice, event: 'assistant_connected' });
    call.showOnce();
    const answer = { code: code.text, state: asked.state, iss: call.settings.HUB_PUBLIC_URL };
    return { redirect_to: withAnswer(asked.redirect, answer) };
  },
});
