import { useEffect, useRef, useState } from 'preact/hooks';
import { useDebounced } from './use-debounced.ts';

const TYPING_MS = 250;

/**
 * Searches as someone types: calls `search` when the typing pauses. Words that change elsewhere, by Back or a link,
 * replace what was typed.
 *
 * @param words that are searched now.
 */
export const useSearch = (words: string, search: (words: string) => void) => {
  const [typed, setTyped] = useState(words);
  const settled = useDebounced(typed, TYPING_MS);
  const searched = useRef(words);
  const latest = useRef(search);
  latest.current = search;
  useEffect(() => {
    if (settled.trim() === searched.current.trim()) return;
    searched.current = settled;
    latest.current(settled);
  }, [settled]);
  useEffect(() => {
    if (words.trim() === searched.current.trim()) return;
    searched.current = words;
    setTyped(words);
  }, [words]);
  return { typed, setTyped };
};
