import { defineOperation } from '../../../shared/api/operation.ts';
import { oauthError, oauthRefusal } from './answers.ts';
import { grantToBroker } from './grants/broker-grant.ts';
import { readClientCredentials } from './grants/client-credentials.ts';
import { grantByCode } from './grants/code-grant.ts';
import { grantByRefresh } from './grants/refresh-grant.ts';
import { GRANT_TYPES, tokenForm, tokenOut } from './grants/token-form.ts';

const GRANTS = {
  client_credentials: grantToBroker,
  authorization_code: grantByCode,
  refresh_token: grantByRefresh,
} as const;

export const oauthToken = defineOperation({
  method: 'POST',
  path: '/oauth/token',
  name: 'oauth_token',
  summary: 'Get an access token',
  description:
    'OAuth 2.1. For the operations under /broker: client credentials (RFC 6749, section 4.4) with the broker’s guid as client id and its secret as client secret, by HTTP Basic or in the form. The scope `broker:risk` needs the grant of the operator, `broker:webhooks` does not. Ten failed attempts from an address in 15 minutes lead to 429. For assistants: `authorization_code` with `client_id`, `redirect_uri`, `code_verifier` and, if the request had one, the same `resource`; then `refresh_token`, which is valid once: a used one ends the grant. Access tokens are valid for an hour.',
  caller: 'anyone',
  credential: ({ headers: { authorization }, form }) => {
    const client = readClientCredentials({ ...form, authorization });
    return typeof client === 'string' ? undefined : JSON.stringify([client.clientId, client.secret]);
  },
  extension: true,
  input: { form: tokenForm },
  output: tokenOut,
  answers: {
    400: { description: 'The request, the grant or the scope is not valid', schema: oauthError },
    401: { description: 'No broker has this guid and secret', schema: oauthError },
    429: { description: 'Too many failed attempts', schema: oauthError },
  },
  errors: ['answer_shown_once'],
  table: 'write',
  handler: async ({ form }, call) => {
    const type = GRANT_TYPES.find((one) => one === form.grant_type);
    if (type !== undefined) return GRANTS[type](form, call);
    const listed = GRANT_TYPES.join(', or ');
    return form.grant_type === undefined
      ? oauthRefusal(400, 'invalid_request', `grant_type is missing: send a form with ${listed}.`)
      : oauthRefusal(400, 'unsupported_grant_type', `The grant_type must be ${listed}.`);
  },
});
