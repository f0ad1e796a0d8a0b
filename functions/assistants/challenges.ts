import type { Call } from '../../shared/api/call.ts';
import { RawAnswer } from '../../shared/api/operation.ts';
import { ASSISTANT_SCOPES, type Scope } from '../../shared/domain/scopes.ts';

type Caller = Pick<Call, 'settings'>;

/** Returns a JSON answer. */
export const jsonAnswer = (status: number, body: unknown, retryAfterS?: number): RawAnswer =>
  new RawAnswer(
    status,
    {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...(retryAfterS !== undefined && { 'retry-after': String(retryAfterS) }),
    },
    JSON.stringify(body ?? null),
  );

const challenge = (
  { settings }: Caller,
  status: 401 | 403,
  parts: readonly string[],
  body: Readonly<Record<string, string>>,
): RawAnswer => {
  // RFC 9728: names the document from which clients find the authorization server.
  const metadata = `${settings.HUB_PUBLIC_URL}/.well-known/oauth-protected-resource/mcp`;
  const header = `Bearer ${[`resource_metadata="${metadata}"`, ...parts].join(', ')}`;
  return new RawAnswer(
    status,
    { 'content-type': 'application/json', 'cache-control': 'no-store', 'www-authenticate': header },
    JSON.stringify(body),
  );
};

/** Asks for a token. @param error `invalid_token` if one was sent. */
export const unauthorized = (caller: Caller, error?: 'invalid_token'): RawAnswer =>
  challenge(
    caller,
    401,
    // Names the scopes to ask for at first, by RFC 6750.
    [...(error ? [`error="${error}"`] : []), `scope="${ASSISTANT_SCOPES.join(' ')}"`],
    {
      detail: error
        ? 'The token is unknown, has expired or was revoked. Connect again.'
        : 'Send an API key or an OAuth token as bearer.',
      code: 'token_invalid',
    },
  );

/** Asks for a token with a further scope. */
export const insufficientScope = (caller: Caller, scope: Scope): RawAnswer =>
  challenge(caller, 403, ['error="insufficient_scope"', `scope="${scope}"`], {
    detail: `This needs the scope ${scope}.`,
    code: 'scope_insufficient',
  });
