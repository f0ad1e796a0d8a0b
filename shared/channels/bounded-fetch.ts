/** How long a push waits for a service outside: four calls, of which it needs at most, fit into a job's reserve. */
export const DELIVERY_PATIENCE_MS = 3_000;
/** The answers of push services are some hundred bytes, those of OAuth and published keys some thousand. */
const MAX_ANSWER_BYTES = 64 * 1024;

const readBounded = async (response: Response): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the rest.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
};

/** `fetch`'s, where what is left out may be written as undefined. */
type BoundedInit = Omit<RequestInit, 'body' | 'signal'> & {
  readonly body?: RequestInit['body'] | undefined;
  readonly signal?: RequestInit['signal'] | undefined;
};

/**
 * Fetches within limits of time and size, the body included, and follows no redirect: credentials travel
 * in these calls. The time is that of pushes, unless `init` has a signal. Throws what `fetch` throws, and for an answer that is too long.
 */
export const boundedFetch = async (
  url: string | URL,
  { body: sent, signal, ...init }: BoundedInit,
): Promise<Response> => {
  const response = await fetch(url, {
    ...init,
    ...(sent !== undefined && { body: sent }),
    redirect: 'error',
    signal: signal ?? AbortSignal.timeout(DELIVERY_PATIENCE_MS),
  });
  const body = await readBounded(response);
  const { status, headers } = response;
  return new Response(body.byteLength === 0 ? null : body, { status, headers });
};
