import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const PROGRAM = fileURLToPath(new URL('./functions.ts', import.meta.url));

const reply = z.object({ id: z.number(), result: z.unknown().optional(), error: z.string().optional() });

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Functions in their own process, which can be killed. */
export interface Mortal {
  /** Invokes a function. Rejects if it throws, or if its process dies. */
  readonly invoke: (name: 'execution-events' | 'deliveries', event: unknown) => Promise<unknown>;
  /** Kills the process without a warning. Returns the number of invocations that died. */
  readonly kill: () => number;
  readonly close: () => Promise<void>;
}

interface Host {
  readonly child: ChildProcess;
  readonly ready: Promise<unknown>;
  readonly pending: Map<number, Pending>;
}

const start = (environment: NodeJS.ProcessEnv): Host => {
  const child = fork(PROGRAM, { execArgv: [], env: environment });
  const pending = new Map<number, Pending>();
  child.on('exit', () => {
    for (const { reject } of pending.values()) reject(new Error('the process was killed'));
    pending.clear();
  });
  const ready = once(child, 'message').then(() => {
    child.on('message', (message) => {
      const { id, result, error } = reply.parse(message);
      const waiting = pending.get(id);
      pending.delete(id);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(error));
    });
  });
  return { child, ready, pending };
};

/** Starts the functions, and another process that waits to take over. */
export const startMortal = (environment: NodeJS.ProcessEnv): Mortal => {
  let current = start(environment);
  let spare = start(environment);
  let invocations = 0;
  return {
    invoke: async (name, event) => {
      const { child, ready, pending } = current;
      await ready;
      if (!child.connected) throw new Error('the process was killed');
      const id = ++invocations;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        child.send({ id, name, event });
      });
    },
    kill: () => {
      const { child, pending } = current;
      const died = pending.size;
      child.kill('SIGKILL');
      current = spare;
      spare = start(environment);
      return died;
    },
    close: async () => {
      for (const { child, ready } of [current, spare]) {
        await ready;
        const exited = once(child, 'exit');
        child.disconnect();
        await exited;
      }
    },
  };
};
