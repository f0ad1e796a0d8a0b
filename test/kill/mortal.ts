import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

const PROGRAM = fileURLToPath(new URL('./functions.ts', import.meta.url));

const reply = z.object({ id: z.number(), result: z.unknown().optional(), error: z.string().optional() });

const putEvent = z.object({ event: z.unknown() });

/** Functions that a process runs. */
type MortalFunction = 'execution-events' | 'relay' | 'deliver-main' | 'engine';

interface Surroundings {
  /** Address of the database. */
  readonly endpoint: string;
  readonly table: string;
  /** Time at which the clock of a process begins, in milliseconds. */
  readonly clock: number;
  /** Further settings of the functions. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Takes the events that a function puts on the bus. */
  readonly onEvent?: (event: unknown) => void;
}

const environmentOf = ({ endpoint, table, clock, environment }: Surroundings): NodeJS.ProcessEnv => ({
  ...CHILD_ENVIRONMENT,
  HUB_STAGE: 'test',
  HUB_TABLE: table,
  HUB_SECRET_ID: 'none',
  HUB_PUBLIC_URL: 'http://localhost',
  HUB_FEEDS: '*',
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  POWERTOOLS_LOG_LEVEL: 'SILENT',
  KILL_CLOCK: String(clock),
  ...environment,
});

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Functions in their own process, which can be killed. */
export interface Mortal {
  /** Invokes a function. Rejects if it throws, or if its process dies. */
  readonly invoke: (name: MortalFunction, event: unknown) => Promise<unknown>;
  /**
   * Kills the process without a warning, now or at the start of its next invocation if it runs none.
   *
   * @param onKilled takes the number of invocations that died.
   */
  readonly kill: (onKilled: (died: number) => void) => void;
  readonly close: () => Promise<void>;
}

interface Host {
  readonly child: ChildProcess;
  readonly ready: Promise<unknown>;
  readonly pending: Map<number, Pending>;
}

const start = (surroundings: Surroundings): Host => {
  const child = fork(PROGRAM, { execArgv: [], env: environmentOf(surroundings) });
  const pending = new Map<number, Pending>();
  child.on('exit', () => {
    for (const { reject } of pending.values()) reject(new Error('the process was killed'));
    pending.clear();
  });
  const ready = once(child, 'message').then(() => {
    child.on('message', (message) => {
      const put = putEvent.safeParse(message);
      if (put.success && put.data.event !== undefined) return surroundings.onEvent?.(put.data.event);
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
export const startMortal = (surroundings: Surroundings): Mortal => {
  let current = start(surroundings);
  let spare = start(surroundings);
  let invocations = 0;
  let onNext: ((died: number) => void) | undefined;
  const kill = (onKilled: (died: number) => void): void => {
    const { child, pending } = current;
    if (pending.size === 0) {
      onNext = onKilled;
      return;
    }
    onNext = undefined;
    child.kill('SIGKILL');
    current = spare;
    spare = start(surroundings);
    onKilled(pending.size);
  };
  return {
    invoke: async (name, event) => {
      const { child, ready, pending } = current;
      await ready;
      if (!child.connected) throw new Error('the process was killed');
      const id = ++invocations;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        // The process may die before it takes the message.
        child.send({ id, name, event }, (error) => {
          if (error) reject(new Error('the process was killed'));
        });
        if (onNext) kill(onNext);
      });
    },
    kill,
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
