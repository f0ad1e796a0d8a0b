import * as z from 'zod';
import { authorizerEvent, type GatewayRequest } from './request-event.ts';

/** Lambda authorizer with simple responses. Its identity source is the Authorization header. */
export interface AuthorizerOptions {
  readonly invoke: (event: unknown) => Promise<unknown>;
  /** Cache time of a decision for the same header; 0 disables the cache. */
  readonly cacheTtlS: number;
}

type Verdict =
  | { readonly kind: 'unidentified' }
  | { readonly kind: 'denied' }
  | { readonly kind: 'allowed'; readonly context: Readonly<Record<string, unknown>> };

/** Decides on a request. Rejects if the authorizer fails or returns an invalid answer. */
export type Authorize = (
  request: GatewayRequest,
  routeKey: string,
  pathParameters: Readonly<Record<string, string>>,
) => Promise<Verdict>;

const simpleResponse = z.object({
  isAuthorized: z.boolean(),
  context: z.record(z.string(), z.unknown()).nullish(),
});

const CACHE_ENTRIES = 1000;

/** Creates an authorizer with a cache. */
export const createAuthorizer = ({ invoke, cacheTtlS }: AuthorizerOptions): Authorize => {
  const cache = new Map<string, { readonly until: number; readonly verdict: Verdict }>();

  const remember = (identity: string, verdict: Verdict, now: number): void => {
    if (cacheTtlS <= 0) return;
    cache.delete(identity);
    cache.set(identity, { until: now + cacheTtlS * 1000, verdict });
    const [oldest] = cache.keys();
    if (cache.size > CACHE_ENTRIES && oldest !== undefined) cache.delete(oldest);
  };

  return async (request, routeKey, pathParameters) => {
    const identity = request.headers.authorization;
    if (!identity) return { kind: 'unidentified' };
    const now = request.receivedAt.getTime();
    const cached = cache.get(identity);
    if (cached && cached.until > now) return cached.verdict;
    const event = authorizerEvent(request, routeKey, pathParameters, identity);
    const { isAuthorized, context } = simpleResponse.parse(await invoke(event));
    const verdict: Verdict = isAuthorized ? { kind: 'allowed', context: context ?? {} } : { kind: 'denied' };
    remember(identity, verdict, now);
    return verdict;
  };
};
