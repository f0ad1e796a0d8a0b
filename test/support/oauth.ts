import { createHash, randomBytes } from 'node:crypto';
import { OPERATIONS } from '../../functions/operations.ts';
import type { Operation } from '../../shared/api/operation.ts';
import type { Request as HubRequest, Response as HubResponse, TestHub } from './hub.ts';
import { bearer } from './people.ts';

interface Owner {
  readonly user_id: string;
  readonly access_token: string;
}

export const REDIRECT = 'https://app.example/callback';

/** Makes a verifier and its challenge. */
export const pkce = (): { readonly verifier: string; readonly challenge: string } => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

/** Registers a client, which must succeed, and returns its id. */
export const registerClient = async (
  hub: TestHub,
  redirect_uris: readonly string[] = [REDIRECT],
  client_name = 'An assistant',
): Promise<string> => {
  const { status, body, text } = await hub.call('POST /oauth/register', {
    json: { client_name, redirect_uris },
  });
  if (status !== 201) throw new Error(`no client was registered: ${text}`);
  return body.client_id;
};

/** Calls an operation of a session. */
export const asOwner = (
  hub: TestHub,
  { user_id, access_token }: Owner,
  routeKey: string,
  json?: unknown,
): Promise<HubResponse> =>
  hub.call(routeKey, {
    query: { user_id },
    headers: bearer(access_token),
    ...(json !== undefined && { json }),
  });

/** Approves an authorization request as its page does, and returns the parameters that the app gets. */
export const approve = async (
  hub: TestHub,
  who: Owner,
  asked: Readonly<Record<string, unknown>>,
  scopes?: readonly string[],
): Promise<URLSearchParams> => {
  const opened = await asOwner(hub, who, 'POST /open_consent', asked);
  if (opened.status !== 200) throw new Error(`the request was refused: ${opened.text}`);
  const { consent, scopes: offered } = opened.body;
  const given = await asOwner(hub, who, 'POST /give_consent', { consent, scopes: scopes ?? offered });
  if (given.status !== 200) throw new Error(`the consent was refused: ${given.text}`);
  return new URL(given.body.redirect_to).searchParams;
};

/** An assistant that a user has connected. */
export interface Assistant {
  readonly clientId: string;
  readonly access: string;
  readonly refresh: string;
}

/** Connects an assistant with scopes, which must succeed. */
export const connectAssistant = async (
  hub: TestHub,
  who: Owner,
  scopes: readonly string[],
): Promise<Assistant> => {
  const clientId = await registerClient(hub);
  const { verifier, challenge } = pkce();
  const answer = await approve(hub, who, {
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: scopes.join(' '),
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const { status, text, body } = await hub.call('POST /oauth/token', {
    form: {
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      client_id: clientId,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
    },
  });
  if (status !== 200) throw new Error(`no token was issued: ${text}`);
  return { clientId, access: body.access_token, refresh: body.refresh_token };
};

/** Options of a `fetch` that matter here. */
interface Sent {
  readonly method?: string;
  readonly headers?: RequestInit['headers'];
  readonly body?: RequestInit['body'] | undefined;
}

/** Returns the parameters of the path of an operation; undefined for another path. */
const paramsOf = ({ path }: Operation, { pathname }: URL): Record<string, string> | undefined => {
  const pattern = path.replaceAll('.', '[.]').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const found = new RegExp(`^${pattern}$`).exec(pathname);
  return found ? { ...found.groups } : undefined;
};

/** Returns a `fetch` that asks the hub, for clients of others. */
export const fetchFrom =
  (hub: TestHub) =>
  async (
    address: string | URL,
    { method = 'GET', headers: sent, body: content }: Sent = {},
  ): Promise<Response> => {
    const url = new URL(address);
    const asked = new Request(url, { method, headers: sent ?? {}, body: content ?? null });
    const body = await asked.text();
    const request: HubRequest = {
      query: [...url.searchParams],
      headers: Object.fromEntries(asked.headers),
      ...(body !== '' && { body }),
    };
    const operation = OPERATIONS.find(
      (one) => one.method === asked.method && paramsOf(one, url) !== undefined,
    );
    if (!operation) throw new Error(`there is no ${asked.method} ${url.pathname}`);
    const params = paramsOf(operation, url) ?? {};
    const { status, headers, text } = await hub.call(operation.routeKey, { ...request, params });
    return new Response(text === '' ? null : text, { status, headers });
  };
