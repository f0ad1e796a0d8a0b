import * as z from 'zod';
import { truncatedAddress } from '../../shared/api/caller-network.ts';
import { describeError } from '../../shared/api/redact.ts';
import { type Trusted, verifyIntegratorToken } from '../../shared/auth/integrator-tokens.ts';
import { IssuerKeys } from '../../shared/auth/issuer-keys.ts';
import type { BaseRuntime } from '../../shared/base-runtime.ts';

/** The event of a request authorizer, payload format 2.0: all that matters of it. */
const authorizerEvent = z.object({
  headers: z.object({ authorization: z.string().optional() }),
  requestContext: z.object({ requestId: z.string(), http: z.object({ sourceIp: z.string() }) }),
});

type AuthorizerEvent = z.output<typeof authorizerEvent>;

/** A simple response; the context reaches the function behind the route as `requestContext.authorizer.lambda`. */
export type Verdict =
  | { readonly isAuthorized: false }
  | {
      readonly isAuthorized: true;
      readonly context: { readonly broker: string; readonly expires_at: number };
    };

const BEARER = /^bearer +(\S+) *$/i;

/** Keys could not be had: nobody knows whether the token is good. Why is in the log. */
class Undecided extends Error {
  constructor() {
    super('the authorizer could not decide');
    this.name = 'Undecided';
  }
}

/**
 * The authorizer in front of `/broker`: says whether the bearer token of a request is an integrator's, and
 * which broker it speaks for. What the broker may see is decided behind it.
 *
 * It throws where it cannot tell, which the gateway answers with 500 and does not keep, unlike a refusal.
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
    return { isAuthorized: true, context: { broker: identity.broker, expires_at: identity.expiresAt } };
  };

  return async (event) => {
    try {
      const parsed = authorizerEvent.parse(event);
      const verdict = await judge(parsed);
      metrics.count(verdict.isAuthorized ? 'Success' : 'Refusal', { operation: 'authorizer' });
      if (!verdict.isAuthorized) {
        // The function behind the route, which logs all other requests, never sees this one.
        const { requestId, http } = parsed.requestContext;
        log.info('refused', { request_id: requestId, address: truncatedAddress(http.sourceIp) });
      }
      return verdict;
    } catch (error) {
      metrics.count('Fault', { operation: 'authorizer' });
      log.error('authorizer failed', describeError(error));
      throw new Undecided();
    }
  };
};
