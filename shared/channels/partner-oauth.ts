import * as oauth from 'oauth4webapi';
import type { Runtime } from '../runtime.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { PATIENCE_MS, UpstreamDown } from './upstream.ts';

const SERVICE = 'partner C';

/** Partner C's tokens, as it gave them. */
export interface Grant {
  readonly access_token: string;
  readonly refresh_token?: string | undefined;
  readonly scope?: string | undefined;
  /** Seconds. */
  readonly expires_in?: number | undefined;
  /** Whose consent it is, where an ID token came along: unique at partner C. */
  readonly subject?: string | undefined;
}

/** Partner C says that a code or a refresh token is no good. */
export class GrantRefused extends Error {
  constructor(cause?: unknown) {
    super('partner C refused a code or a token', { cause });
    this.name = 'GrantRefused';
  }
}

/** The answer that came back from the consent is not partner C's, or does not fit what was asked. */
export class ConsentUnusable extends Error {
  constructor(cause: unknown) {
    super('the answer from the consent cannot be used', { cause });
    this.name = 'ConsentUnusable';
  }
}

/** Partner C answered the consent with an error; `reason` is OAuth's code of it. */
export class ConsentRefused extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super('the consent was not given');
    this.name = 'ConsentRefused';
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

const optionsOf = (insecure: boolean) => ({
  signal: AbortSignal.timeout(PATIENCE_MS),
  [oauth.customFetch]: boundedFetch,
  [oauth.allowInsecureRequests]: insecure,
});

const discover = async (issuer: string, insecure: boolean): Promise<oauth.AuthorizationServer> => {
  try {
    const url = new URL(issuer);
    return await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, optionsOf(insecure)));
  } catch (error) {
    throw new UpstreamDown(SERVICE, error);
  }
};

/** What the authorization server says of itself: kept between requests, unless it could not be read. */
const serverOf = async (issuer: string, insecure: boolean): Promise<oauth.AuthorizationServer> => {
  const known = servers.get(issuer);
  if (known) return known;
  const discovering = discover(issuer, insecure);
  servers.set(issuer, discovering);
  try {
    return await discovering;
  } catch (error) {
    servers.delete(issuer);
    throw error;
  }
};

/**
 * Partner C as an OAuth 2.0 client sees it; undefined where none is configured.
 *
 * @throws UpstreamDown
 */
export const partnerC = async ({
  capability,
  secrets,
}: Pick<Runtime, 'capability' | 'secrets'>): Promise<Partner | undefined> => {
  const { HUB_PARTNERC_ISSUER: issuer, HUB_PARTNERC_CLIENT_ID: clientId } = capability('partnerc');
  if (issuer === '') return undefined;
  const { partnerCClientSecret: secret } = await secrets();
  // The settings allow plain HTTP to loopback alone.
  const insecure = issuer.startsWith('http:');
  return {
    server: await serverOf(issuer, insecure),
    client: { client_id: clientId },
    authentication: secret === '' ? oauth.None() : oauth.ClientSecretBasic(secret),
    insecure,
  };
};

export type PartnerC = Partner;

/** What goes with a consent and must come back with it, or belong to it. */
export interface Journey {
  readonly redirectUri: string;
  readonly state: string;
  /** PKCE's secret. */
  readonly verifier: string;
  /** Binds an ID token to this consent; undefined where none is asked for. */
  readonly nonce: string | undefined;
}

/** The S256 challenge of a PKCE verifier (RFC 7636). */
export const challengeOf = (verifier: string): Promise<string> => oauth.calculatePKCECodeChallenge(verifier);

/** The address of partner C's consent. @throws UpstreamDown where partner C does not publish one. */
export const consentAddress = async (
  { server, client }: Partner,
  { redirectUri, state, verifier, nonce }: Journey,
  scope: string,
): Promise<string> => {
  const endpoint = server.authorization_endpoint;
  if (endpoint === undefined || !URL.canParse(endpoint)) throw new UpstreamDown(SERVICE, 'no consent');
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
    // OpenID Connect gives a refresh token only to who asks for the consent each time.
    ...(scope.split(' ').includes('offline_access') && { prompt: 'consent' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
};

/** A refusal of what was presented; anything else, our client's credentials included, is partner C's trouble or ours. */
const failure = (error: unknown): Error => {
  const isRefusal =
    error instanceof oauth.ResponseBodyError && error.status < 500 && error.error === 'invalid_grant';
  return isRefusal ? new GrantRefused() : new UpstreamDown(SERVICE, error);
};

const validated = ({ server, client }: Partner, answer: URLSearchParams, state: string): URLSearchParams => {
  try {
    return oauth.validateAuthResponse(server, client, answer, state);
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) throw new ConsentRefused(error.error);
    throw new ConsentUnusable(error);
  }
};

/**
 * Exchanges the code that came back from the consent for tokens.
 *
 * @throws ConsentRefused, ConsentUnusable, GrantRefused, UpstreamDown
 */
export const exchangeCode = async (
  partner: Partner,
  answer: URLSearchParams,
  { redirectUri, state, verifier, nonce }: Journey,
): Promise<Grant> => {
  const { server, client, authentication, insecure } = partner;
  const parameters = validated(partner, answer, state);
  if (!parameters.has('code')) throw new ConsentUnusable('there is no code');
  try {
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirectUri,
      verifier,
      optionsOf(insecure),
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

/** Exchanges a refresh token for new tokens. @throws GrantRefused, UpstreamDown */
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
      optionsOf(insecure),
    );
    return await oauth.processRefreshTokenResponse(server, client, response);
  } catch (error) {
    throw failure(error);
  }
};

/**
 * Tells partner C that tokens are over (RFC 7009): the refresh token, with which the access token ends, or
 * the access token alone. A partner that publishes no way to tell it is not told.
 *
 * @throws UpstreamDown
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
        ...optionsOf(insecure),
        additionalParameters: {
          token_type_hint: refreshToken === undefined ? 'access_token' : 'refresh_token',
        },
      },
    );
    await oauth.processRevocationResponse(response);
    await response.body?.cancel();
  } catch (error) {
    throw new UpstreamDown(SERVICE, error);
  }
};
