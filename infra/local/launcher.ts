import { readFileSync } from 'node:fs';

const POLL_MS = 500;

/** The parent of a process; undefined where the system does not tell. */
const parentOf = (pid: number): string | undefined => {
  try {
    // The fields after the name, which stands in parentheses and may hold anything: state, parent, …
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
  } catch {
    return undefined;
  }
};

const lineage = (): string => `${process.ppid} ${parentOf(process.ppid)}`;

/**
 * Calls back when npm, which started this program through a shell, is gone. The shell does not pass
 * signals on: ended by one, npm would leave the service running behind it.
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
