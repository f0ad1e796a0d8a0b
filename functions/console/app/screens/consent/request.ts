import type { AuthorizationRequest } from '../../../../../infra/client/package/src/index.ts';

/** Parameters of an authorization request. */
const PARAMETERS = [
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const;

/** Reads the request of an app from the address of the page. */
export const requestIn = (query: URLSearchParams): AuthorizationRequest => ({
  client_id: query.get('client_id') ?? '',
  redirect_uri: query.get('redirect_uri') ?? '',
  ...Object.fromEntries(
    PARAMETERS.flatMap((name) => {
      const value = query.get(name);
      return value === null ? [] : [[name, value]];
    }),
  ),
});
