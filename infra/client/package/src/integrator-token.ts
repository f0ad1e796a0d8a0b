import { Transport } from './transport.ts';

export interface IntegratorCredentials {
  /** Address of the service. */
  readonly baseUrl: string;
  /** GUID of the broker. */
  readonly guid: string;
  readonly secret: string;
  readonly scope?: string;
  readonly fetch?: typeof globalThis.fetch;
}

/** Renews a token this long before it expires. */
const EARLY_MS = 60_000;

/**
 * Returns a source of access tokens for `/broker` (OAuth 2.0 client credentials). A token is used until a minute before
 * it expires.
 *
 * @example
 * const hub = new HubClient({ baseUrl, token: integratorToken({ baseUrl, guid, secret }) });
 */
export const integratorToken = (credentials: IntegratorCredentials): (() => Promise<string>) => {
  const { baseUrl, guid, secret, scope, fetch } = credentials;
  const transport = new Transport({ baseUrl, fetch });
  const spec = { name: 'oauth_token', method: 'POST', path: '/oauth/token', body: 'form' } as const;
  let held: { readonly token: Promise<string>; until: number } | undefined;
  const request = (): Promise<string> => {
    const body = { grant_type: 'client_credentials', client_id: guid, client_secret: secret, scope };
    const granted = transport.send<{ access_token: string; expires_in: number }>(spec, { body });
    const entry = {
      token: granted.then(({ access_token: token }) => token),
      until: Number.POSITIVE_INFINITY,
    };
    held = entry;
    granted.then(
      ({ expires_in: seconds }) => {
        entry.until = Date.now() + seconds * 1000 - EARLY_MS;
      },
      () => {
        if (held === entry) held = undefined;
      },
    );
    return entry.token;
  };
  return () => (held && held.until > Date.now() ? held.token : request());
};
