import { jest } from '@jest/globals';
import { soakable } from './soak.ts';

/** Divides the time limits; 1 in the soak suite, which waits for the full limits. */
const DIVISOR = soakable(4, 1);

/**
 * Runs an act with shorter time limits of calls to external services, so that a test of a service that never answers
 * is fast. `time-limits.test.ts` checks the limits themselves.
 */
export const withShortLimits = async <T>(act: () => Promise<T>): Promise<T> => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const spy = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(Math.ceil(ms / DIVISOR)));
  try {
    return await act();
  } finally {
    spy.mockRestore();
  }
};
