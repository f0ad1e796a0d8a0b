import {
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedHostnames,
  validateHostHeader,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Assets } from '../../shared/api/assets.ts';
import { bearerOf } from '../../shared/api/authenticate.ts';
import type { Call } from '../../shared/api/call.ts';
import { crossSiteRefused } from '../../shared/api/cookies.ts';
import { defineOperation, type Operation, RawAnswer } from '../../shared/api/operation.ts';
import { isApiKey } from '../../shared/auth/api-keys.ts';
import { fingerprint } from '../../shared/auth/key-ring.ts';
import { boundedFetch } from '../../shared/channels/bounded-fetch.ts';
import { TimedMemory } from '../../shared/data/table/timed-memory.ts';
import type { Scope } from '../../shared/domain/scopes.ts';
import type { HubAnswer } from './answers/hub-answer.ts';
import { type Catalogue, catalogueSchema } from './catalogue/tool.ts';
import { insufficientScope, jsonAnswer, unauthorized } from './challenges.ts';
import { createServer } from './served/create-server.ts';
import { type HubAccess, type KeyAccess, mostScopes, readAccess, TIMEOUT_MS } from './served/hub-calls.ts';
import type { ServerContext } from './served/server-context.ts';

/** Time for which a key counts as valid without a question. Its scopes never change, and each operation checks it. */
const KEEP_MS = 60_000;
const MAX_KEPT = 1000;

const MAX_BODY = 96 * 1024;

/** JSON-RPC code of a method that a server does not have. */
const METHOD_NOT_FOUND = -32601;

const message = z.looseObject({
  method: z.string().max(100).optional(),
  id: z.union([z.string(), z.number()]).optional(),
});

type Message = z.output<typeof message>;

/** Refuses a local hub under another name than that of this machine: a page could have rebound its name. */
const requireOwnHost = ({ headers, settings }: Call): void => {
  const { hostname } = new URL(settings.HUB_PUBLIC_URL);
  const local = localhostAllowedHostnames();
  if (!local.includes(hostname) || headers.host === undefined) return;
  if (!validateHostHeader(headers.host, local).ok) throw crossSiteRefused();
};

const answer = async (response: Response): Promise<RawAnswer> => {
  const { status, headers } = response;
  const type = headers.get('content-type');
  return new RawAnswer(
    status,
    { 'cache-control': 'no-store', ...(type !== null && { 'content-type': type }) },
    await response.text(),
  );
};

/** Serves one message over a transport of its own, with one JSON body as the answer. */
const serve = async (call: Call, json: Message, context: ServerContext): Promise<Response> => {
  const request = new Request(`${call.settings.HUB_PUBLIC_URL}/mcp`, {
    method: 'POST',
    headers: { ...call.headers, accept: 'application/json, text/event-stream' },
    body: JSON.stringify(json),
  });
  if (await isLegacyRequest(request, json)) {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = createServer(context);
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: json });
    } finally {
      await server.close();
    }
  }
  // Answers with one JSON body, as no tool sends messages before its result.
  const handler = createMcpHandler(() => createServer(context), {
    legacy: 'reject',
    onerror: (error) => call.log.warn('a message of an assistant was refused', { reason: error.name }),
  });
  try {
    return await handler.fetch(request, { parsedBody: json });
  } finally {
    await handler.close();
  }
};

/** Returns the answer to a key that the hub refuses. */
const refusedKey = (call: Call, { status, body, retryAfterS }: HubAnswer): RawAnswer =>
  status === 401 ? unauthorized(call, 'invalid_token') : jsonAnswer(status, body, retryAfterS);

const noStreams = (id: Message['id']): RawAnswer => {
  const error = { code: METHOD_NOT_FOUND, message: 'This server keeps no streams open.' };
  return jsonAnswer(200, { jsonrpc: '2.0', id: id ?? null, error });
};

const memory = new TimedMemory<KeyAccess>(MAX_KEPT);

/**
 * Returns the answer to a message, or the challenge that the hub's own refusal of the key calls for. The hub is asked about
 * the key first: the rate limits take an answered key for a valid one, and the calls of invented ones would use up the quotas
 * of this function's own network.
 */
const answerMessage = async (
  call: Call,
  json: Message,
  catalogue: Catalogue,
  key: string,
): Promise<RawAnswer> => {
  const access: HubAccess = {
    address: call.settings.HUB_PUBLIC_URL,
    key,
    most: mostScopes(call.headers['hub-scopes']),
    send: call.hubFetch ?? boundedFetch,
    deadline: AbortSignal.timeout(TIMEOUT_MS),
  };
  const known = await memory.find(
    fingerprint(`${access.most} ${key}`),
    call.now,
    () => readAccess(access),
    (found) => ('scopes' in found ? KEEP_MS : 0),
  );
  if ('refusal' in known) return refusedKey(call, known.refusal);
  if (json.method === 'subscriptions/listen') return noStreams(json.id);
  const seen: { isRefused?: true; lacking?: Scope } = {};
  const onAnswer: ServerContext['onAnswer'] = ({ status, body }, { scope }) => {
    if (status === 401) seen.isRefused = true;
    if (status === 403 && Object(body).code === 'scope_insufficient' && scope) seen.lacking = scope;
  };
  const response = await serve(call, json, { catalogue, access, scopes: known.scopes, onAnswer });
  if (seen.isRefused) return unauthorized(call, 'invalid_token');
  // An API key cannot gain scopes, so its refusal is a result that the model reads.
  if (seen.lacking && known.canAskForMore) return insufficientScope(call, seen.lacking);
  return answer(response);
};

/** Makes a reader of the catalogue, which is parsed once. */
const catalogueIn = (assets: Assets): (() => Promise<Catalogue>) => {
  let reading: Promise<Catalogue> | undefined;
  const read = async (): Promise<Catalogue> => {
    const file = await (await assets('catalogue.json')).plain();
    return catalogueSchema.parse(JSON.parse(file.toString()));
  };
  return () => {
    reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
};

const ANSWERS = {
  202: { description: 'The notification was taken', schema: z.never() },
  400: { description: 'The message is malformed', schema: z.unknown() },
  401: { description: 'The token is missing or invalid', schema: z.unknown() },
  403: { description: 'The token lacks a scope', schema: z.unknown() },
} as const;

export const mcp = (assets: Assets): Operation => {
  const catalogue = catalogueIn(assets);
  return defineOperation({
    method: 'POST',
    path: '/mcp',
    name: 'mcp',
    summary: 'Serve assistants by the Model Context Protocol',
    description: 'Streamable HTTP without sessions. Needs an API key or an OAuth token as bearer.',
    caller: 'anyone',
    credential: ({ headers }) => bearerOf(headers),
    extension: true,
    storesNothing: true,
    limits: { body: MAX_BODY },
    input: { json: message },
    output: z.never(),
    answers: ANSWERS,
    errors: ['cross_site_refused'],
    table: 'none',
    rateClass: 'read',
    handler: async ({ json }, call) => {
      if (call.foreign) throw crossSiteRefused();
      requireOwnHost(call);
      const key = bearerOf(call.headers);
      if (key === undefined || !isApiKey(key))
        return unauthorized(call, key === undefined ? undefined : 'invalid_token');
      return answerMessage(call, json, await catalogue(), key);
    },
  });
};

/** Answers the methods that would open or end a stream, which this server does not keep. */
const refused = (method: 'GET' | 'DELETE'): Operation =>
  defineOperation({
    method,
    path: '/mcp',
    name: method === 'GET' ? 'mcp_stream' : 'mcp_session',
    summary: method === 'GET' ? 'Refuse a stream of messages' : 'Refuse the end of a session',
    caller: 'anyone',
    extension: true,
    input: {},
    output: z.never(),
    answers: { 405: { description: 'The server keeps no sessions and streams', schema: z.unknown() } },
    errors: [],
    table: 'none',
    handler: async () => new RawAnswer(405, { allow: 'POST', 'cache-control': 'no-store' }, ''),
  });

export const mcpStream = refused('GET');
export const mcpSession = refused('DELETE');
