/** States of a document that can be undone and done again. */
export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** Field of the newest change. Changes of the same field in a row are one step. */
  readonly field: string | undefined;
}

/** Most steps that can be undone. */
const MAX_STEPS = 200;

/** Begins a history. */
export const beginHistory = <T>(present: T): History<T> => ({
  past: [],
  present,
  future: [],
  field: undefined,
});

/**
 * Adds a change.
 *
 * @param field field that is typed into; undefined for a step of its own.
 */
export const record = <T>(history: History<T>, present: T, field?: string): History<T> => {
  if (Object.is(present, history.present)) return history;
  const isSameStep = field !== undefined && field === history.field && history.past.length > 0;
  const past = isSameStep ? history.past : [...history.past, history.present].slice(-MAX_STEPS);
  return { past, present, future: [], field };
};

/** Goes back one step; the same history at the beginning. */
export const undo = <T>(history: History<T>): History<T> => {
  const { past, present, future } = history;
  const index = past.length - 1;
  if (index < 0) return history;
  return {
    past: past.slice(0, index),
    present: past[index] ?? present,
    future: [present, ...future],
    field: undefined,
  };
};

/** Goes forward one step; the same history at the end. */
export const redo = <T>(history: History<T>): History<T> => {
  const { past, present, future } = history;
  const [next, ...rest] = future;
  if (future.length === 0) return history;
  return { past: [...past, present], present: next ?? present, future: rest, field: undefined };
};
