import { boundedFetch } from './bounded-fetch.ts';

/** Time limit of a call to an external service during a request. Short, as a user is waiting. */
export const PATIENCE_MS = 2_000;

/** An external service could not be reached in time or violated its protocol. */
export class UpstreamDownError extends Error {
  constructor(service: string, cause: unknown) {
    super(`${service} is unreachable or sent an invalid answer`, { cause });
    // Stored as the reason of a delivery: never rename.
    this.name = 'UpstreamDown';
  }
}

/**
 * Calls an external service with a time limit of 2 s, including the body. Does not follow redirects, as these calls
 * carry credentials.
 *
 * @throws UpstreamDownError for a timeout, an invalid or too long answer, or a status 5xx.
 */
export const callUpstream = async <T>(
  service: string,
  url: URL,
  init: RequestInit,
  read: (response: Response) => Promise<T>,
): Promise<T> => {
  try {
    const response = await boundedFetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
    if (response.status >= 500) throw new Error(`status ${response.status}`);
    return await read(response);
  } catch (error) {
    throw new UpstreamDownError(service, error);
  }
};
