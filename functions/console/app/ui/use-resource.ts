import { useEffect, useRef, useState } from 'preact/hooks';
import { onResync, onUpdate, type UpdateEvent } from '../update-events.ts';
import { turns } from './turns.ts';

/** State of something that a screen loads. */
export interface Resource<T> {
  /** Last value that was loaded, also while a newer one is loading or failed to load. */
  readonly value?: T;
  /** Error of the last try, also while the next one is loading. */
  readonly error?: unknown;
  readonly isLoading: boolean;
  /** Time of the value, in milliseconds. */
  readonly loadedAt?: number;
  readonly reload: () => void;
}

export interface ResourceOptions {
  /** Milliseconds between two loads while the page is visible. */
  readonly everyMs?: number;
  /** Selects the change events after which the value is loaded again. */
  readonly on?: (event: UpdateEvent) => boolean;
}

/** Collects the events of a moment into one load. */
const SETTLE_MS = 150;

type State<T> = Omit<Resource<T>, 'reload'>;

/**
 * Loads a value when a screen opens and when one of `keys` changes, and again at intervals and after change events.
 *
 * @example
 * const limits = useResource((signal) => hub.getRiskLimits({ user_id: ME }, { signal }), [], { everyMs: 15_000 });
 */
export const useResource = <T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
  { everyMs, on }: ResourceOptions = {},
): Resource<T> => {
  const [state, setState] = useState<State<T>>({ isLoading: true });
  const [round, setRound] = useState(0);
  const latest = useRef({ load, on });
  latest.current = { load, on };
  const [{ ask: reload, begin, end, drop }] = useState(() => turns(() => setRound((one) => one + 1)));
  const key = JSON.stringify(keys);
  const keyOfValue = useRef(key);

  useEffect(() => {
    const controller = new AbortController();
    const isOther = keyOfValue.current !== key;
    keyOfValue.current = key;
    // Holds the error, too: a service that fails while much changes would else seem to load for ever.
    setState((held) => (isOther ? { isLoading: true } : { ...held, isLoading: true }));
    begin();
    latest.current.load(controller.signal).then(
      (value) => {
        if (controller.signal.aborted) return;
        setState({ value, isLoading: false, loadedAt: Date.now() });
        end();
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setState((held) => ({ ...held, error, isLoading: false }));
        end();
      },
    );
    return () => {
      controller.abort();
      drop();
    };
  }, [key, round, begin, end, drop]);

  useEffect(() => {
    if (everyMs === undefined) return;
    let missed = false;
    const timer = setInterval(() => {
      missed = document.hidden;
      if (!missed) reload();
    }, everyMs);
    const catchUp = (): void => {
      if (document.hidden || !missed) return;
      missed = false;
      reload();
    };
    document.addEventListener('visibilitychange', catchUp);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', catchUp);
    };
  }, [everyMs, reload]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settle = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        reload();
      }, SETTLE_MS);
    };
    const stops = [
      onUpdate((event) => {
        if (latest.current.on?.(event)) settle();
      }),
      onResync(() => {
        if (latest.current.on) settle();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(timer);
    };
  }, [reload]);

  return { ...state, reload };
};
