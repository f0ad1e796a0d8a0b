import * as z from 'zod';
import { extensionRecord, integer } from '../../../shared/api/fields.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { oauthAnswer, oauthError, oauthRefusal } from './answers.ts';
import { clientIdOf } from './clients/client-ids.ts';
import { clientName } from './clients/names.ts';
import { readRedirect } from './clients/redirects.ts';

const MAX_REDIRECTS = 5;

const GRANTS = ['authorization_code', 'refresh_token'] as const;

const registered = extensionRecord(
  'OAuthClient',
  z.object({
    client_id: z.string(),
    client_id_issued_at: integer(),
    client_name: z.string(),
    redirect_uris: z.array(z.string()),
    token_endpoint_auth_method: z.literal('none'),
    grant_types: z.array(z.enum(GRANTS)),
    response_types: z.array(z.literal('code')),
  }),
);

/** Checked by the handler, which answers in the form of RFC 7591. */
const metadata = z.object({ redirect_uris: z.unknown(), client_name: z.unknown() }).partial();

const redirectUris = z.array(z.string()).min(1).max(MAX_REDIRECTS);

export const oauthRegister = defineOperation({
  method: 'POST',
  path: '/oauth/register',
  name: 'oauth_register',
  summary: 'Register an assistant',
  description:
    'Dynamic client registration (RFC 7591), for clients without a metadata document. All clients are public and use PKCE; further metadata is ignored. The client id holds the registration, so nothing is stored.',
  caller: 'anyone',
  extension: true,
  input: { json: extensionRecord('OAuthClientIn', metadata) },
  output: registered,
  answers: {
    201: { description: 'The registration', schema: registered },
    400: { description: 'The name or an address is not valid', schema: oauthError },
  },
  errors: [],
  table: 'none',
  rateClass: 'write',
  handler: async ({ json }, call) => {
    const redirects = redirectUris.safeParse(json.redirect_uris);
    if (!redirects.success || !redirects.data.every((one) => readRedirect(one))) {
      return oauthRefusal(
        400,
        'invalid_redirect_uri',
        `redirect_uris must be 1 to ${MAX_REDIRECTS} addresses with https, or http on this machine, without a fragment.`,
      );
    }
    const name = clientName().safeParse(json.client_name ?? 'An app without a name');
    if (!name.success) {
      return oauthRefusal(
        400,
        'invalid_client_metadata',
        'client_name must be a readable text of 1 to 60 characters.',
      );
    }
    const client = { name: name.data, redirects: redirects.data };
    return oauthAnswer(
      201,
      registered.parse({
        client_id: clientIdOf(await call.keyRing(), client),
        client_id_issued_at: Math.floor(call.now.getTime() / 1000),
        client_name: client.name,
        redirect_uris: client.redirects,
        token_endpoint_auth_method: 'none',
        grant_types: [...GRANTS],
        response_types: ['code'],
      }),
    );
  },
});
