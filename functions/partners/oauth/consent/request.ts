import * as z from 'zod';
import { extensionRecord } from '../../../../shared/api/fields.ts';
import { ASSISTANT_SCOPES, type AssistantScope } from '../../../../shared/domain/scopes.ts';
import { MAX_CLIENT_ID } from '../clients/client-ids.ts';
import { MAX_REDIRECT } from '../clients/redirects.ts';
import { readResource } from '../resources.ts';

/** Characters of the longest state. */
const MAX_STATE = 1024;
const MAX_WORD = 256;

/** Parameters that the authorization endpoint reads. */
export const authorizationShape = {
  client_id: z.string().max(MAX_CLIENT_ID),
  redirect_uri: z.string().max(MAX_REDIRECT),
  response_type: z.string().max(MAX_WORD).optional(),
  scope: z.string().max(MAX_WORD).optional(),
  state: z.string().max(MAX_STATE).optional(),
  code_challenge: z.string().max(MAX_WORD).optional(),
  code_challenge_method: z.string().max(MAX_WORD).optional(),
  resource: z.string().max(MAX_REDIRECT).optional(),
};

/** Request of an assistant for access, as its authorization request has it. */
export const authorizationRequest = extensionRecord(
  'AuthorizationRequest',
  z.strictObject(authorizationShape),
);

type AuthorizationRequest = z.output<typeof authorizationRequest>;

/** Request that can be granted. */
interface Grantable {
  readonly scopes: readonly AssistantScope[];
  readonly challenge: string;
  readonly resource: string;
}

/** Refusal of a request, for the client. */
export interface RefusedRequest {
  readonly error: 'unsupported_response_type' | 'invalid_request' | 'invalid_scope' | 'invalid_target';
  readonly description: string;
}

const refused = (error: RefusedRequest['error'], description: string): RefusedRequest => ({
  error,
  description,
});

/** SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/;

/** Reads the scopes of a request; undefined if one of them is not for assistants. */
const readScopes = (text = 'read'): readonly AssistantScope[] | undefined => {
  const named = text.split(' ').filter((one) => one !== '');
  const scopes = ASSISTANT_SCOPES.filter((scope) => named.includes(scope));
  return scopes.length > 0 && scopes.length === new Set(named).size ? scopes : undefined;
};

/** Reads what a request of a known client asks for. */
export const readRequest = (
  { response_type, scope, code_challenge: challenge, code_challenge_method, resource }: AuthorizationRequest,
  publicUrl: string,
): Grantable | RefusedRequest => {
  if (response_type !== 'code')
    return refused('unsupported_response_type', 'The response_type must be code.');
  if (challenge === undefined || !CHALLENGE.test(challenge) || code_challenge_method !== 'S256') {
    return refused('invalid_request', 'The request needs a code_challenge with the method S256.');
  }
  const audience = readResource(publicUrl, resource);
  if (audience === undefined) return refused('invalid_target', 'The resource is not one of this service.');
  const scopes = readScopes(scope);
  if (!scopes) return refused('invalid_scope', `The scope may have ${ASSISTANT_SCOPES.join(', ')}.`);
  return { scopes, challenge, resource: audience };
};
