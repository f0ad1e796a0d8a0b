import * as oauth from 'oauth4webapi';
import type { Runtime } from '../runtime.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { PATIENCE_MS, UpstreamDownError } from './upstream.ts';

const SERVICE = 'partner C';

/** Tokens from partner C. */
export interface Grant {
  readonly access_token: string;
  readonly refresh_token?: string | undefined;
  readonly scope?: string | undefined;
  /** Seconds. */
  readonly expires_in?: number | undefined;
  /** User id at partner C; undefined without an ID token. */
  readonly subject?: string | undefined;
}

/** Partner C refused a code or a refresh token. */
export class GrantRefusedError extends Error {
  constructor(cause?: unknown) {
    super('partner C refused a code or a token', { cause });
    this.name = 'GrantRefusedError';
  }
}

/** The answer to the consent request is not from partner C or does not match the request. */
export class ConsentUnusableError extends Error {
  constructor(cause: unknown) {
    super('the answer from the consent cannot be used', { cause });
    this.name = 'ConsentUnusableError';
  }
}

/** Partner C answered the consent request with an error. `reason` is the OAuth error code. */
export class ConsentRefusedError extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super('the consent was not given');
    this.name = 'ConsentRefusedError';
    this.reason = reason;
  }
}

interface Partner {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
  readonly insecure: boolean;
}

const servers = new Map<string, Promise<oauth.AuthorizationServer>>();

const optionsOf = ({ insecure }: Pick<Partner, 'insecure'>) => ({
  signal: AbortSignal.timeout(PATIENCE_MS),
  [oauth.customFetch]: boundedFetch,
  [oauth.allowInsecureRequests]: insecure,
});

const discover = async (
  issuer: string,
  transport: Pick<Partner, 'insecure'>,
): Promise<oauth.AuthorizationServer> => {
  try {
    const url = new URL(issuer);
    return await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, optionsOf(transport)));
  } catch (error) {
    throw new UpstreamDownError(SERVICE, error);
  }
};

/** Discovers the authorization server. Caches the result between requests, but not a failure. */
const serverOf = async (
  issuer: string,
  transport: Pick<Partner, 'insecure'>,
): Promise<oauth.AuthorizationServer> => {
  const known = servers.get(issuer);
  if (known) return known;
  const discovering = discover(issuer, transport);
  servers.set(issuer, discovering);
  try {
    return await discovering;
  } catch (error) {
    servers.delete(issuer);
    throw error;
  }
};

/**
 * Returns the OAuth 2.0 client of partner C; undefined if partner C is not configured.
 *
 * @throws UpstreamDownError
 */
export const partnerC = async ({
  capability,
  secrets,
}: Pick<Runtime, 'capability' | 'secrets'>): Promise<Partner | undefined> => {
  const { HUB_PARTNERC_ISSUER: issuer, HUB_PARTNERC_CLIENT_ID: clientId } = capability('partnerc');
  if (issuer === '') return undefined;
  const { partnerCClientSecret: secret } = await secrets();
  // The settings allow plain HTTP only for loopback.
  const insecure = issuer.startsWith('http:');
  return {
    server: await serverOf(issuer, { insecure }),
    client: { client_id: clientId },
    authentication: secret === '' ? oauth.None() : oauth.ClientSecretBasic(secret),
    insecure,
  };
};

export type PartnerC = Partner;

/** Parameters of a consent request that the answer must match. */
export interface Journey {
  readonly redirectUri: string;
  readonly state: string;
  /** PKCE verifier. */
  readonly verifier: string;
  /** Binds an ID token to this consent; undefined if no ID token is requested. */
  readonly nonce: string | undefined;
}

/** Computes the S256 challenge of a PKCE verifier (RFC 7636). */
export const challengeOf = (verifier: string): Promise<string> => oauth.calculatePKCECodeChallenge(verifier);

/** Builds the address of partner C's consent page. @throws UpstreamDownError if partner C does not publish one. */
export const consentAddress = async (
  { server, client }: Partner,
  { redirectUri, state, verifier, nonce }: Journey,
  scope: string,
): Promise<string> => {
  const endpoint = server.authorization_endpoint;
  if (endpoint === undefined || !URL.canParse(endpoint)) throw new UpstreamDownError(SERVICE, 'no consent');
  const url = new URL(endpoint);
  const parameters = {
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    ...(scope !== '' && { scope }),
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    ...(nonce !== undefined && { nonce }),
    // OpenID Connect grants offline access, with a refresh token, only for `prompt=consent`.
    ...(scope.split(' ').includes('offline_access') && { prompt: 'consent' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
};

/** Converts an error. Only `invalid_grant` is a refusal; all others, such as wrong client credentials, are upstream failures. */
const failure = (error: unknown): Error => {
  const isRefusal =
    error instanceof oauth.ResponseBodyError && error.status < 500 && error.error === 'invalid_grant';
  return isRefusal ? new GrantRefusedError() : new UpstreamDownError(SERVICE, error);
};

const validated = ({ server, client }: Partner, answer: URLSearchParams, state: string): URLSearchParams => {
  try {
    return oauth.validateAuthResponse(server, client, answer, state);
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) throw new ConsentRefusedError(error.error);
    throw new ConsentUnusableError(error);
  }
};

/**
 * Exchanges the authorization code for tokens.
 *
 * @throws ConsentRefusedError, ConsentUnusableError, GrantRefusedError, UpstreamDownError
 */
export const exchangeCode = async (
  partner: Partner,
  answer: URLSearchParams,
  { redirectUri, state, verifier, nonce }: Journey,
): Promise<Grant> => {
  const { server, client, authentication, insecure } = partner;
  const parameters = validated(partner, answer, state);
  if (!parameters.has('code')) throw new ConsentUnusableError('there is no code');
  try {
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirectUri,
      verifier,
      optionsOf({ insecure }),
    );
    const given = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      response,
      nonce === undefined ? {} : { expectedNonce: nonce },
    );
    return { ...given, subject: oauth.getValidatedIdTokenClaims(given)?.sub };
  } catch (error) {
    throw failure(error);
  }
};

/** Exchanges a refresh token for new tokens. @throws GrantRefusedError, UpstreamDownError */
export const renewGrant = async (
  { server, client, authentication, insecure }: Partner,
  refreshToken: string,
): Promise<Grant> => {
  try {
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      authentication,
      refreshToken,
      optionsOf({ insecure }),
    );
    return await oauth.processRefreshTokenResponse(server, client, response);
  } catch (error) {
    throw failure(error);
  }
};

/**
 * Revokes tokens at partner C (RFC 7009): the refresh token, which also ends the access token, or else the access
 * token. Does nothing if partner C publishes no revocation endpoint.
 *
 * @throws UpstreamDownError
 */
export const endGrant = async (
  { server, client, authentication, insecure }: Partner,
  { refresh_token: refreshToken, access_token: accessToken }: Grant,
): Promise<void> => {
  if (server.revocation_endpoint === undefined) return;
  try {
    const response = await oauth.revocationRequest(
      server,
      client,
      authentication,
      refreshToken ?? accessToken,
      {
        ...optionsOf({ insecure }),
        additionalParameters: {
          token_type_hint: refreshToken === undefined ? 'access_token' : 'refresh_token',
        },
      },
    );
    await oauth.processRevocationResponse(response);
    await response.body?.cancel();
  } catch (error) {
    throw new UpstreamDownError(SERVICE, error);
  }
};
