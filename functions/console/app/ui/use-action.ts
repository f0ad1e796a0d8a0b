import { useCallback, useRef, useState } from 'preact/hooks';

/** Write that a user starts. */
export interface Action<A extends readonly unknown[], T> {
  /** Runs the action. Returns undefined if it failed or is running already; `error` then has the reason. */
  readonly run: (...args: A) => Promise<T | undefined>;
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Removes the error. */
  readonly clear: () => void;
}

/** Runs a write, one at a time, and keeps its error for the screen. */
export const useAction = <A extends readonly unknown[], T>(
  work: (...args: A) => Promise<T>,
): Action<A, T> => {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({
    isBusy: false,
    error: undefined,
  });
  const latest = useRef(work);
  latest.current = work;
  const isRunning = useRef(false);
  const run = useCallback(async (...args: A): Promise<T | undefined> => {
    if (isRunning.current) return undefined;
    isRunning.current = true;
    setState({ isBusy: true, error: undefined });
    try {
      const result = await latest.current(...args);
      setState({ isBusy: false, error: undefined });
      return result;
    } catch (error) {
      setState({ isBusy: false, error });
      return undefined;
    } finally {
      isRunning.current = false;
    }
  }, []);
  const clear = useCallback(() => setState({ isBusy: false, error: undefined }), []);
  return { ...state, run, clear };
};
