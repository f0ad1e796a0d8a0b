import { readFileSync } from 'node:fs';

const POLL_MS = 500;

/** Returns the parent of a process; undefined if the system does not provide it. */
const parentOf = (pid: number): string | undefined => {
  try {
    // Fields after the name: state, parent, … The name is in parentheses and may hold any text.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
  } catch {
    return undefined;
  }
};

const lineage = (): string => `${process.ppid} ${parentOf(process.ppid)}`;

/**
 * Calls back when npm, which started this program through a shell, has ended. The shell does not pass signals on, so the
 * service would keep running after a signal ended npm.
 */
export const onLauncherGone = (environment: NodeJS.ProcessEnv, gone: () => void): void => {
  if (!environment.npm_lifecycle_event) return;
  const before = lineage();
  const timer = setInterval(() => {
    if (lineage() === before) return;
    clearInterval(timer);
    gone();
  }, POLL_MS).unref();
};
