import * as z from 'zod';
import { extensionRecord } from '../../../shared/api/fields.ts';
import { RawAnswer } from '../../../shared/api/operation.ts';

/** Refusal of RFC 6749, with the errors of RFC 7591 and RFC 8707. */
export const oauthError = extensionRecord(
  'OAuthError',
  z.object({
    error: z.enum([
      'invalid_request',
      'invalid_client',
      'invalid_grant',
      'unauthorized_client',
      'unsupported_grant_type',
      'invalid_scope',
      'invalid_target',
      'invalid_redirect_uri',
      'invalid_client_metadata',
    ]),
    error_description: z.string(),
  }),
);

export type OAuthError = z.output<typeof oauthError>['error'];

/** RFC 6749, sections 5.1 and 5.2. */
const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache' };

/** Makes an answer that no cache keeps. */
export const oauthAnswer = (status: 200 | 201, body: unknown): RawAnswer =>
  new RawAnswer(status, HEADERS, JSON.stringify(body));

/** Makes a refusal. */
export const oauthRefusal = (
  status: 400 | 401 | 429,
  error: OAuthError,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): RawAnswer => {
  const body = oauthError.parse({ error, error_description: description });
  return new RawAnswer(status, { ...HEADERS, ...headers }, JSON.stringify(body));
};
