import { useRef } from 'preact/hooks';
import type { Resource } from './use-resource.ts';

/** Keeps the last value while one for other keys is loading, so that a list does not vanish with each letter typed. */
export const useSteady = <T>(resource: Resource<T>): Resource<T> => {
  const last = useRef<T>(undefined);
  if (resource.value !== undefined) last.current = resource.value;
  const { current } = last;
  return resource.value === undefined && resource.error === undefined && current !== undefined
    ? { ...resource, value: current }
    : resource;
};
