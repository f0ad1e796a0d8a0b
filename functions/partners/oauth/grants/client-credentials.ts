/** Credentials of a client (RFC 6749, section 2.3.1). */
export interface ClientCredentials {
  readonly clientId: string;
  readonly secret: string;
}

interface Presented {
  readonly authorization: string | undefined;
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** Decodes id and secret: each is form-encoded before they are joined. */
const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined; // No credentials hold a stray percent sign.
  }
};

const fromBasic = (authorization: string): ClientCredentials | undefined => {
  const pair = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString();
  const colon = pair.indexOf(':');
  const clientId = decode(pair.slice(0, Math.max(0, colon)));
  const secret = decode(pair.slice(colon + 1));
  return colon > 0 && clientId !== undefined && secret !== undefined ? { clientId, secret } : undefined;
};

/**
 * Reads a client's credentials from HTTP Basic or from the form.
 *
 * @returns `unclear` if both name a client, `none` if neither is valid
 */
export const readClientCredentials = (presented: Presented): ClientCredentials | 'unclear' | 'none' => {
  const { authorization, client_id: clientId, client_secret: secret } = presented;
  if (authorization !== undefined) {
    const basic = fromBasic(authorization);
    if (secret !== undefined) return 'unclear';
    if (basic && clientId !== undefined && clientId !== basic.clientId) return 'unclear';
    return basic ?? 'none';
  }
  return clientId !== undefined && secret !== undefined ? { clientId, secret } : 'none';
};
