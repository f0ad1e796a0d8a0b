import { setTimeout as wait } from 'node:timers/promises';

/** Longest wait: less than the time limit of a test, so that the expectation after it says what is missing. */
const PATIENCE_MS = 200_000;

/** Waits until a condition holds, also on a slow machine. Ends without an error when it never does. */
export const until = async (condition: () => boolean | Promise<boolean>, everyMs = 20): Promise<void> => {
  for (const end = Date.now() + PATIENCE_MS; !(await condition()) && Date.now() < end; ) await wait(everyMs);
};
