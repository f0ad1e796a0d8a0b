import { createHash } from 'node:crypto';
import { cookieCredentials } from './cookies.ts';
import type { Operation, Presented } from './operation.ts';

interface Scoped {
  /** Everything that makes the request what it is, apart from its headers. */
  readonly request: readonly string[];
  readonly presented: Presented;
  /** The user whose session was verified. */
  readonly userId: string | undefined;
}

/** A request with every credential that it may hold. */
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
 * Scopes an Idempotency-Key to its caller, so that strangers who choose the same key never meet. A caller is
 * known by a secret alone: the session's user, the `user_id`, the deploy key, or the credential that the
 * operation declares. Without one, the scope is the request itself.
 */
export const scopeOf = (operation: Operation, scoped: Scoped): string => {
  const { routeKey, caller, credential } = operation;
  const { presented, userId } = scoped;
  if (caller === 'user' || caller === 'session') {
    const user = userId ?? presented.query.user_id;
    if (user !== undefined) return JSON.stringify([routeKey, user]);
  }
  // The owner's session shows more than the key alone.
  if (caller === 'deploy_key') {
    return JSON.stringify([routeKey, 'deploy_key', presented.query.keygen, userId ?? null]);
  }
  const secret = credential?.(presented);
  return JSON.stringify(
    secret === undefined ? [routeKey, 'request', digestOf(scoped)] : [routeKey, 'credential', secret],
  );
};
