/** Time limit of a call for a push message. A push needs at most four calls, which fit into the reserve of a job. */
export const DELIVERY_PATIENCE_MS = 3_000;
/** Maximum size of an answer. Push services answer with some hundred bytes, OAuth and key endpoints with some thousand. */
const MAX_ANSWER_BYTES = 64 * 1024;

const readBounded = async (response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
};

/** Options of `fetch`, but properties may also be undefined. */
export type BoundedInit = Omit<RequestInit, 'body' | 'signal'> & {
  readonly body?: RequestInit['body'] | undefined;
  readonly signal?: RequestInit['signal'] | undefined;
  /** Maximum size of the answer, {@link MAX_ANSWER_BYTES} by default. */
  readonly maxBytes?: number;
};

/**
 * Fetches with limits for time and size, including the body. Does not follow redirects, as these calls carry
 * credentials. The time limit is {@link DELIVERY_PATIENCE_MS} unless `init` has a signal.
 *
 * @throws Error of `fetch`, or if the answer is too long.
 */
export const boundedFetch = async (
  url: string | URL,
  { body: sent, signal, maxBytes = MAX_ANSWER_BYTES, ...init }: BoundedInit,
): Promise<Response> => {
  const response = await fetch(url, {
    ...init,
    ...(sent !== undefined && { body: sent }),
    redirect: 'error',
    signal: signal ?? AbortSignal.timeout(DELIVERY_PATIENCE_MS),
  });
  const body = await readBounded(response, maxBytes);
  const { status, headers } = response;
  return new Response(body.byteLength === 0 ? null : body, { status, headers });
};
