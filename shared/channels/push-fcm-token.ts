import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import * as z from 'zod';
import type { Runtime } from '../runtime.ts';
import { boundedFetch } from './bounded-fetch.ts';

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const ASSERTION_LIFE_S = 3600;
/** Lifetime if the answer has none, which is optional (RFC 6749, section 5.1). Google's tokens last an hour. */
const USUAL_LIFE_S = 3600;
/** Renew a token this long before it expires, so that it does not expire during a request. */
const MARGIN_S = 300;

const accountSchema = z.object({
  project_id: z.string().regex(/^[\w.:-]+$/),
  private_key_id: z.string().optional(),
  private_key: z.string(),
  client_email: z.string().min(1),
});

/** Key file of a Google service account. */
export type ServiceAccount = z.output<typeof accountSchema>;

/** Getting an access token failed. The message has the reason, but no values. */
export class NoAccessTokenError extends Error {
  constructor(reason: string) {
    super(reason);
    // Stored as the reason of a delivery: never rename.
    this.name = 'NoAccessToken';
  }
}

/** Parses the service account that sends push messages; undefined if none is configured. @throws NoAccessTokenError */
export const readServiceAccount = (text: string): ServiceAccount | undefined => {
  if (text === '') return undefined;
  try {
    return accountSchema.parse(JSON.parse(text));
  } catch {
    // Drop the parser's message, as it may hold a part of the key file.
    throw new NoAccessTokenError('the Firebase service account is not a valid key file');
  }
};

interface Token {
  readonly value: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Sends no client authentication, as the assertion identifies the client (RFC 7523). */
const byAssertion: oauth.ClientAuth = () => undefined;

const assertionOf = (account: ServiceAccount, audience: string, now: Date): Promise<string> => {
  const issuedAt = Math.floor(now.getTime() / 1000);
  const { private_key_id: kid } = account;
  return new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(kid !== undefined && { kid }) })
    .setIssuer(account.client_email)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ASSERTION_LIFE_S)
    .sign(createPrivateKey(account.private_key));
};

/** Converts an error. The message has the OAuth error code or the name of the error. */
const failure = (error: unknown): NoAccessTokenError => {
  const code = error instanceof oauth.ResponseBodyError ? error.error : undefined;
  const known = code !== undefined && /^[a-z_]{1,40}$/.test(code) ? code : undefined;
  const name = error instanceof Error ? error.name : typeof error;
  return new NoAccessTokenError(`no access token for Firebase: ${known ?? name}`);
};

const ask = async ({ clock, capability }: Runtime, account: ServiceAccount): Promise<Token> => {
  const { HUB_FCM_TOKEN_URL: endpoint } = capability('push');
  const server = { issuer: endpoint, token_endpoint: endpoint };
  const client = { client_id: account.client_email };
  const now = clock();
  try {
    const response = await oauth.genericTokenEndpointRequest(
      server,
      client,
      byAssertion,
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      { assertion: await assertionOf(account, endpoint, now) },
      {
        [oauth.customFetch]: boundedFetch,
        // The settings allow plain HTTP only for loopback.
        [oauth.allowInsecureRequests]: endpoint.startsWith('http:'),
      },
    );
    const token = await oauth.processGenericTokenEndpointResponse(server, client, response);
    const lifeS = token.expires_in ?? USUAL_LIFE_S;
    return { value: token.access_token, until: now.getTime() + Math.max(lifeS / 2, lifeS - MARGIN_S) * 1000 };
  } catch (error) {
    throw failure(error);
  }
};

const tokens = new WeakMap<Runtime, Promise<Token>>();

/**
 * Gets an access token for Firebase (JWT bearer grant, RFC 7523). Caches it per runtime until shortly before it
 * expires.
 *
 * @param refused token that Firebase refused; a new one is requested.
 * @throws NoAccessTokenError
 */
export const accessToken = async (
  runtime: Runtime,
  account: ServiceAccount,
  refused?: string,
): Promise<string> => {
  const known = tokens.get(runtime);
  // After a failure, request the token again.
  const held = await known?.catch(() => undefined);
  if (held && held.value !== refused && runtime.clock().getTime() < held.until) return held.value;
  const others = tokens.get(runtime);
  // A concurrent call may have started a request already.
  const asking = others === known || !others ? ask(runtime, account) : others;
  tokens.set(runtime, asking);
  return (await asking).value;
};
