import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Time for which a program may clean up after its time limit. */
const GRACE_MS = 5_000;

interface Bounds {
  readonly limitMs: number;
  /** Time between two lines of progress. */
  readonly everyMs?: number;
  /** Prints a line. */
  readonly say?: (line: string) => void;
}

/** Outcome of a program. */
interface Bounded {
  readonly outcome: 'within its limits' | 'over a limit, or failed' | 'took too long';
  readonly seconds: number;
}

const secondsOf = (ms: number): number => Math.round(ms / 1000);

/**
 * Runs a Node program in a process group of its own. Says how long it has been running, and ends the whole group at its
 * time limit.
 *
 * @param args the file of the program and its arguments
 */
export const runBounded = async (
  name: string,
  args: readonly string[],
  { limitMs, everyMs = 30_000, say = console.error }: Bounds,
): Promise<Bounded> => {
  const started = performance.now();
  const passed = (): number => performance.now() - started;
  const child = spawn(process.execPath, args, { stdio: 'inherit', detached: true });
  const end = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid, signal);
  };
  let isLate = false;
  let insisting: NodeJS.Timeout | undefined;
  const limit = setTimeout(() => {
    isLate = true;
    say(`${name}: stopped at its time limit of ${secondsOf(limitMs)} s`);
    end('SIGTERM');
    insisting = setTimeout(() => end('SIGKILL'), GRACE_MS);
  }, limitMs);
  const beat = setInterval(
    () => say(`${name}: running for ${secondsOf(passed())} s of at most ${secondsOf(limitMs)}`),
    everyMs,
  );
  // A group of its own does not get Ctrl-C of the terminal.
  const interrupted = (): void => {
    end('SIGTERM');
    process.exit(1);
  };
  process.on('SIGINT', interrupted).on('SIGTERM', interrupted);
  try {
    const [code]: unknown[] = await once(child, 'exit');
    const outcome = isLate ? 'took too long' : code === 0 ? 'within its limits' : 'over a limit, or failed';
    return { outcome, seconds: secondsOf(passed()) };
  } finally {
    clearTimeout(limit);
    clearTimeout(insisting);
    clearInterval(beat);
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  }
};
