import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import * as z from 'zod';
import { listReplays } from '../../../shared/data/deployments/replays.ts';
import type { Store } from '../../../shared/data/table/store.ts';

const POLL_MS = 1000;
const said = z.object({ failed: z.string() });

interface ReplaysOptions {
  readonly store: Store;
  /** Environment of the process that feeds the bars. */
  readonly environment: Readonly<Record<string, string>>;
  readonly print: (line: string) => void;
}

export interface Replays {
  readonly close: () => Promise<void>;
}

/**
 * Feeds the recorded candles of replays while there are some, in a process of their own: it needs the code that ends
 * deployments, and memory only as long as it runs.
 */
export const startReplays = ({ store, environment, print }: ReplaysOptions): Replays => {
  let child: ChildProcess | undefined;
  let isClosing = false;
  let checking: Promise<void> = Promise.resolve();

  const begin = (): void => {
    child = fork(new URL('./process.ts', import.meta.url), {
      env: { ...environment },
      execArgv: [],
      detached: true,
    });
    child.on('message', (message: unknown) => print(said.parse(message).failed));
    child.on('exit', (code) => {
      if (code !== 0) print(`Replays ended with exit code ${code}.`);
      child = undefined;
    });
  };

  const check = async (): Promise<void> => {
    if (child || isClosing) return;
    const listed = await listReplays(store);
    if (listed.length > 0 && !isClosing) begin();
  };

  let isChecking = false;
  let isFailing = false;
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    checking = check()
      .then(
        () => {
          isFailing = false;
        },
        (error: unknown) => {
          if (!isFailing) print(`Replays cannot be read: ${String(error)}`);
          isFailing = true;
        },
      )
      .finally(() => {
        isChecking = false;
      });
  }, POLL_MS);
  timer.unref();
  return {
    close: async () => {
      isClosing = true;
      clearInterval(timer);
      await checking;
      if (!child) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
};
