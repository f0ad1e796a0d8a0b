import { boundedFetch } from './bounded-fetch.ts';

/** How long a request waits for a service outside: a person is waiting for ours. */
export const PATIENCE_MS = 2_000;

/** A service outside could not be reached in time or did not speak its protocol. */
export class UpstreamDown extends Error {
  constructor(service: string, cause: unknown) {
    super(`${service} is unreachable or answers nonsense`, { cause });
    this.name = 'UpstreamDown';
  }
}

/**
 * Calls a service outside within two seconds, body included. Redirects are refused: credentials travel
 * in these calls.
 *
 * @throws UpstreamDown for no answer in time, a broken or too long one, or status 5xx.
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
    throw new UpstreamDown(service, error);
  }
};
