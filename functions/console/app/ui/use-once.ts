import { useRef } from 'preact/hooks';
import { newIdempotencyKey } from '../../../../infra/client/package/src/index.ts';
import { type Attempt, attemptFor, isRefusal } from '../attempt.ts';

/** Option of a request that takes effect once. */
interface Once {
  readonly idempotencyKey: string;
}

/**
 * Sends a request that makes something. If its answer is lost, asking for the same again has the same key, so that no
 * second one is made. After an answer, asking for the same makes another one.
 *
 * @example
 * const once = useOnce();
 * const { strategy_id } = await once(input, (options) => hub.copyStrategy(input, options));
 */
export const useOnce = (): (<T>(asked: unknown, send: (once: Once) => Promise<T>) => Promise<T>) => {
  const attempt = useRef<Attempt>(undefined);
  return async (asked, send) => {
    attempt.current = attemptFor(asked, attempt.current, newIdempotencyKey);
    try {
      const answer = await send({ idempotencyKey: attempt.current.key });
      attempt.current = undefined;
      return answer;
    } catch (error) {
      if (isRefusal(error)) attempt.current = undefined;
      throw error;
    }
  };
};
