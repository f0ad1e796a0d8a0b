import { createHash } from 'node:crypto';
import { cookieCredentials } from './cookies.ts';
import type { Operation, Presented } from './operation.ts';

interface Scoped {
  /** The parts that identify the request, without its headers. */
  readonly request: readonly string[];
  readonly presented: Presented;
  /** User of the verified session. */
  readonly userId: string | undefined;
  /** Id of the API key that the request came with. Its answers are its own, as its scopes are. */
  readonly keyId: string | undefined;
}

/** Hashes a request together with all its credentials. */
const digestOf = ({ request, presented: { headers, cookies } }: Scoped): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        ...request,
        headers['content-type'] ?? null,
        headers.authorization ?? null,
        cookieCredentials(cookies),
      ]),
    )
    .digest('base64url');

/**
 * Returns the scope of an Idempotency-Key, so that two callers with the same key get separate answers. Only a secret
 * identifies a caller: the user of the session, the `user_id`, the deploy key, or the credential that the operation
 * declares. Without a secret, the scope is the request itself.
 */
export const scopeOf = (operation: Operation, scoped: Scoped): string => {
  const { routeKey, caller, credential } = operation;
  const { presented, userId, keyId } = scoped;
  const own = keyId === undefined ? [] : ['api_key', keyId];
  if (caller === 'user' || caller === 'session') {
    const user = userId ?? presented.query.user_id;
    if (user !== undefined) return JSON.stringify([routeKey, user, ...own]);
  }
  // The answer to the owner's session shows more than the answer to the deploy key alone.
  if (caller === 'deploy_key') {
    return JSON.stringify([routeKey, 'deploy_key', presented.query.keygen, userId ?? null, ...own]);
  }
  const secret = credential?.(presented);
  return JSON.stringify(
    secret === undefined ? [routeKey, 'request', digestOf(scoped)] : [routeKey, 'credential', secret],
  );
};
