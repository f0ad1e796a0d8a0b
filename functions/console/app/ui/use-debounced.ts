import { useEffect, useState } from 'preact/hooks';

/** Returns a value once it has not changed for a while, for example a text that someone types. */
export const useDebounced = <T>(value: T, afterMs: number): T => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
};
