import { useEffect, useState } from 'preact/hooks';

/** Returns a text once it has not changed for a while. */
export const useSettled = (text: string, settleMs: number): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleMs);
    return () => clearTimeout(timer);
  }, [text, settleMs]);
  return settled;
};
