/** Time until a failed load is tried again while the old value is used. */
const RETRY_MS = 10_000;

/** Returns a function that loads a value again after a time, and keeps the old one while that fails. */
export const cached = <T>(load: () => Promise<T>, clock: () => Date, forMs: number): (() => Promise<T>) => {
  let value: Promise<T> | undefined;
  let held: Promise<T> | undefined;
  let loadedAt = 0;
  return () => {
    const now = clock().getTime();
    if (!value || now - loadedAt > forMs) {
      loadedAt = now;
      const loading = load();
      value = loading;
      // After a failed load, return the old value and try again later. Without an old value, the caller gets the
      // error and the next call tries again.
      const before = held;
      loading.then(
        () => {
          held = loading;
        },
        () => {
          if (value === loading) {
            value = before;
            loadedAt = before ? now - forMs + RETRY_MS : 0;
          }
        },
      );
    }
    return value;
  };
};
