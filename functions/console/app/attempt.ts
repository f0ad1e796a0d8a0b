import { HubApiError } from '../../../infra/client/package/src/index.ts';

/** Key of a request that must not take effect twice, and what it asks for. */
export interface Attempt {
  readonly of: string;
  readonly key: string;
}

/** Makes the key of a request. A repeated request for the same has the same key. */
export const attemptFor = (asked: unknown, before: Attempt | undefined, newKey: () => string): Attempt => {
  const of = JSON.stringify(asked);
  return before?.of === of ? before : { of, key: newKey() };
};

/**
 * Tells whether the service refused a request for good, so that it had no effect. Without an answer it may have had one,
 * and one that is to be repeated may still run.
 */
export const isRefusal = (error: unknown): boolean =>
  error instanceof HubApiError && error.status < 500 && error.retryAfterS === undefined;
