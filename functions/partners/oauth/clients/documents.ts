import * as z from 'zod';
import type { Call } from '../../../../shared/api/call.ts';
import { describeError } from '../../../../shared/api/redact.ts';
import { guardedGet, type Reach } from '../../../../shared/channels/guarded-post.ts';
import { PATIENCE_MS } from '../../../../shared/channels/upstream.ts';
import { TimedMemory } from '../../../../shared/data/table/timed-memory.ts';
import { clientName } from './names.ts';
import type { OAuthClient } from './oauth-client.ts';
import { readRedirect } from './redirects.ts';

/** Bytes of the longest document. */
const MAX_BYTES = 16 * 1024;
const MAX_REDIRECTS = 50;
/** Time for which a document is kept. */
const KEEP_MS = 5 * 60_000;
const MAX_KEPT = 200;

const document = z.object({
  client_id: z.string(),
  client_name: clientName(),
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECTS),
  // A client that proves itself by a key must not be taken without the proof.
  token_endpoint_auth_method: z.literal('none').default('none'),
});

/**
 * Returns the address of a client's document, if its id is one: https with a path, written as it is read. Only a hub of one
 * machine reads documents there, also by http.
 */
export const documentUrl = (clientId: string, reach: Reach): URL | undefined => {
  if (!URL.canParse(clientId)) return undefined;
  const url = new URL(clientId);
  if (url.protocol !== 'https:' && !(reach === 'loopback' && url.protocol === 'http:')) return undefined;
  const isPlain = url.username === '' && url.password === '' && !clientId.includes('#');
  return isPlain && url.pathname !== '/' && url.href === clientId ? url : undefined;
};

/** Reads the document of a client; undefined if there is none that fits. */
const readDocument = async (
  { log }: Pick<Call, 'log'>,
  url: URL,
  reach: Reach,
): Promise<OAuthClient | undefined> => {
  try {
    const headers = { accept: 'application/json' };
    const request = { url, headers, reach, patienceMs: PATIENCE_MS, readBytes: MAX_BYTES + 1 };
    const { status, text } = await guardedGet(request);
    if (status !== 200 || Buffer.byteLength(text) > MAX_BYTES) return undefined;
    const { client_id, client_name: name, redirect_uris } = document.parse(JSON.parse(text));
    // Others may serve a copy of a document of somebody else.
    if (client_id !== url.href) return undefined;
    const redirects = redirect_uris.filter((one) => readRedirect(one) !== undefined);
    return { name, host: url.host, redirects };
  } catch (error) {
    log.info('the document of an OAuth client was not taken', describeError(error));
    return undefined;
  }
};

const memory = new TimedMemory<OAuthClient | undefined>(MAX_KEPT);

/** Finds the document of a client, which may be five minutes old. */
export const findDocument = (call: Call, url: URL, reach: Reach): Promise<OAuthClient | undefined> =>
  memory.find(
    `${reach} ${url.href}`,
    call.now,
    () => readDocument(call, url, reach),
    (found) => (found ? KEEP_MS : 0),
  );
