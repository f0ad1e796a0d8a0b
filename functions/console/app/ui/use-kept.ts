import type { Dispatch, StateUpdater } from 'preact/hooks';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type KeptValues, keptValues } from '../kept.ts';
import { place } from '../router.ts';
import { user } from '../session.ts';

/**
 * Holds what a user types. If the session ends meanwhile, the same user finds it at the same address after signing in
 * again. It is gone once its form was sent or closed, or its screen was left. Never hold a password, a code, a token or
 * a key with it.
 *
 * @param name differs from that of other values of its kind on the screen.
 * @param initial returns the value of a form without changes.
 * @example
 * const REASONS = keptValues<string>();
 * const [reason, setReason] = useKept(REASONS, 'stop', () => '');
 */
export const useKept = <T>(
  values: KeptValues<T>,
  name: string,
  initial: () => T,
): [T, Dispatch<StateUpdater<T>>] => {
  // Known as long as the screen is shown: a session that ends removes the screen after the user.
  const [owner] = useState(() => user.peek()?.userKey ?? '');
  const [path] = useState(() => place.peek().path);
  const at = `${path} ${name}`;
  const [value, setValue] = useState(() => values.find(owner, at) ?? initial());
  const latest = useRef({ at, value, initial });
  latest.current = { at, value, initial };
  useEffect(
    () => () => {
      const { at: left, value: typed, initial: unchanged } = latest.current;
      const isOver = user.peek()?.userKey !== owner;
      const isChanged = isOver && JSON.stringify(typed) !== JSON.stringify(unchanged());
      values.keep(owner, left, isChanged ? typed : undefined);
    },
    [values, owner],
  );
  return [value, setValue];
};

const TEXTS = keptValues<string>();
const FLAGS = keptValues<boolean>();

/** Holds a text that a user types; see {@link useKept}. */
export const useKeptText = (name: string, initial = '') => useKept(TEXTS, name, () => initial);

/** Holds a choice of a user, such as whether a dialog with a form is open; see {@link useKept}. */
export const useKeptFlag = (name: string, initial = false) => useKept(FLAGS, name, () => initial);
