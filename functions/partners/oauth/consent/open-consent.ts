import * as z from 'zod';
import { extensionRecord } from '../../../../shared/api/fields.ts';
import { defineOperation } from '../../../../shared/api/operation.ts';
import { fingerprint } from '../../../../shared/auth/key-ring.ts';
import { personalSession } from '../../../../shared/callers/personal-session.ts';
import { ASSISTANT_SCOPES, type AssistantScope } from '../../../../shared/domain/scopes.ts';
import { requireClient } from '../clients/client.ts';
import { withAnswer } from '../clients/redirects.ts';
import { signConsent } from './consent-tokens.ts';
import { authorizationRequest, readRequest } from './request.ts';

export const openConsent = defineOperation({
  method: 'POST',
  path: '/open_consent',
  name: 'open_consent',
  summary: 'Check the request of an assistant for access',
  description:
    'For the page that asks the user: who asks, for which scopes, and where the answer goes. `deny_to` is the address with the refusal; nothing needs to be sent here for it. A request with a `problem` cannot be approved. An unknown client, or an address that it has not registered, is an error and leads nowhere. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string() }), json: authorizationRequest },
  output: extensionRecord(
    'Consent',
    z.object({
      client_name: z.string(),
      client_host: z.string().nullable(),
      redirect_host: z.string(),
      is_local: z.boolean(),
      scopes: z.array(z.enum(ASSISTANT_SCOPES)),
      problem: z.string().nullable(),
      deny_to: z.string(),
      consent: z.string().nullable(),
    }),
  ),
  errors: ['platform_token_insufficient', 'client_unknown'],
  table: 'read',
  rateClass: 'work',
  uses: ['webhooks'],
  handler: async ({ json }, call) => {
    const sid = personalSession(call, 'connects no assistants');
    const { HUB_PUBLIC_URL: iss } = call.settings;
    const { client, redirect, isLocal } = await requireClient(call, json);
    const read = readRequest(json, iss);
    const scopes: AssistantScope[] = 'error' in read ? [] : [...read.scopes];
    const answer = { state: json.state, iss };
    const shown = {
      client_name: client.name,
      client_host: client.host ?? null,
      redirect_host: redirect.host,
      is_local: isLocal,
    };
    if ('error' in read) {
      const { error, description } = read;
      const deny_to = withAnswer(json.redirect_uri, { error, error_description: description, ...answer });
      return { ...shown, scopes, problem: description, deny_to, consent: null };
    }
    const { challenge, resource } = read;
    const consent = await signConsent(call, {
      sub: (await call.user()).user_id,
      sid,
      client: fingerprint(json.client_id),
      name: client.name,
      host: client.host,
      redirect: json.redirect_uri,
      state: json.state,
      scopes,
      challenge,
      resource,
    });
    const deny_to = withAnswer(json.redirect_uri, { error: 'access_denied', ...answer });
    return { ...shown, scopes, problem: null, deny_to, consent };
  },
});
