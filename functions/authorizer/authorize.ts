import * as z from 'zod';
import { truncatedAddress } from '../../shared/api/caller-network.ts';
import { callerAddress, EDGE_HEADER } from '../../shared/api/edge.ts';
import { describeError } from '../../shared/api/redact.ts';
import { type Trusted, verifyIntegratorToken } from '../../shared/auth/integrator-tokens.ts';
import { IssuerKeys } from '../../shared/auth/issuer-keys.ts';
import type { BaseRuntime } from '../../shared/runtime.ts';

/** Used fields of a request authorizer's event, payload format 2.0. */
const authorizerEvent = z.object({
  headers: z.object({
    authorization: z.string().optional(),
    'x-forwarded-for': z.string().optional(),
    [EDGE_HEADER]: z.string().optional(),
  }),
  requestContext: z.object({ requestId: z.string(), http: z.object({ sourceIp: z.string() }) }),
});

type AuthorizerEvent = z.output<typeof authorizerEvent>;

/** Simple response. The function behind the route gets the context as `requestContext.authorizer.lambda`. */
export type Verdict =
  | { readonly isAuthorized: false }
  | {
      readonly isAuthorized: true;
      readonly context: { readonly broker: string; readonly expires_at: number; readonly scope: string };
    };

const BEARER = /^bearer +(\S+) *$/i;

/** Reports missing keys: the token cannot be checked. The log has the reason. */
class UndecidedError extends Error {
  constructor() {
    super('the authorizer could not decide');
    this.name = 'UndecidedError';
  }
}

/**
 * Authorizes requests to `/broker`: checks that the bearer token is an integrator's, and names its broker.
 * The operations decide which users the broker may read.
 *
 * @throws Error if it cannot decide. The gateway answers 500 and, unlike a refusal, does not cache it.
 */
export const createAuthorize = (runtime: BaseRuntime): ((event: unknown) => Promise<Verdict>) => {
  const { clock, settings, log, metrics } = runtime;
  const trusted: readonly Trusted[] = runtime
    .capability('issuers')
    .HUB_TRUSTED_ISSUERS.map((one) => ({ ...one, keys: new IssuerKeys(one.jwks_uri) }));

  const judge = async ({ headers }: AuthorizerEvent): Promise<Verdict> => {
    const token = BEARER.exec(headers.authorization ?? '')?.[1];
    if (token === undefined) return { isAuthorized: false };
    const verifying = { ring: await runtime.keyRing(), issuer: settings.HUB_PUBLIC_URL, trusted };
    const identity = await verifyIntegratorToken(verifying, token, clock());
    if (!identity) return { isAuthorized: false };
    const { broker, expiresAt, scopes } = identity;
    return { isAuthorized: true, context: { broker, expires_at: expiresAt, scope: scopes.join(' ') } };
  };

  return async (event) => {
    try {
      const parsed = authorizerEvent.parse(event);
      const verdict = await judge(parsed);
      metrics.count(verdict.isAuthorized ? 'Success' : 'Refusal', { operation: 'authorizer' });
      if (!verdict.isAuthorized) {
        // The function behind the route logs all other requests; it never gets this one.
        const { requestId, http } = parsed.requestContext;
        const from = { headers: parsed.headers, sourceIp: http.sourceIp };
        const address = (await callerAddress(runtime, from)) ?? http.sourceIp;
        log.info('refused', { request_id: requestId, address: truncatedAddress(address) });
      }
      return verdict;
    } catch (error) {
      metrics.count('Fault', { operation: 'authorizer' });
      log.error('authorizer failed', describeError(error));
      throw new UndecidedError();
    }
  };
};
