import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';

/** A deployed bundle and what it is deployed with. */
export interface LocalFunction {
  readonly name: string;
  /** The bundle's entry. */
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMb: number;
  readonly timeoutS: number;
  /** How long its process stays without an invocation, in seconds. */
  readonly idleS: number;
}

/** An invocation whose event is over Lambda's limit. */
export class PayloadTooLarge extends Error {}

interface Thrown {
  readonly name: string;
  readonly message: string;
}

/** Frames of a bundle say nothing, and messages of libraries may have many lines. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** A function that threw, crashed, timed out or answered with too much. */
export class FunctionFailed extends Error {
  /** The error that the function threw. */
  readonly thrown: Thrown | undefined;

  constructor(functionName: string, reason: string | Thrown) {
    const thrown = typeof reason === 'string' ? undefined : reason;
    super(`${functionName}: ${oneLine(thrown ? `${thrown.name}: ${thrown.message}` : String(reason))}`);
    this.name = 'FunctionFailed';
    this.thrown = thrown;
  }
}

export interface FunctionRunner {
  /** Throws PayloadTooLarge or FunctionFailed. */
  readonly invoke: (name: string, event: unknown) => Promise<unknown>;
  /** Ends the functions that have nothing to do, and gives their memory back. */
  readonly rest: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;

/** V8 lets the young generation grow to 3 × 16 MB before it looks for garbage; functions make little of it. */
const SEMI_SPACE_MB = 4;

const reply = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ failed: z.string() }),
  z.object({ id: z.string(), result: z.string() }),
  z.object({ id: z.string(), error: z.object({ name: z.string(), message: z.string() }) }),
]);

interface Pending {
  readonly resolve: (result: string) => void;
  readonly reject: (error: Error) => void;
}

interface Instance {
  readonly alive: () => boolean;
  readonly isIdle: () => boolean;
  readonly invoke: (event: string) => Promise<string>;
  /** Resolves when the process has ended. */
  readonly end: () => Promise<void>;
}

const startProcess = ({ name, file, memoryMb, environment }: LocalFunction): ChildProcess =>
  fork(
    new URL('./function-process.ts', import.meta.url),
    [file, environment.AWS_LAMBDA_FUNCTION_NAME ?? name, String(memoryMb)],
    {
      env: { ...environment },
      execArgv: [`--max-old-space-size=${memoryMb}`, `--max-semi-space-size=${SEMI_SPACE_MB}`],
      // A group of its own: Ctrl-C must not end functions under the requests that are being finished.
      detached: true,
    },
  );

const startInstance = (declared: LocalFunction, report: (line: string) => void): Instance => {
  const { name, timeoutS, idleS } = declared;
  const child = startProcess(declared);
  const pending = new Map<string, Pending>();
  const { promise: ended, resolve: becomeEnded } = Promise.withResolvers<void>();
  let alive = true;
  let idle: NodeJS.Timeout | undefined;

  const fail = (reason: string): void => {
    if (alive) report(`The function ${name} ended: ${reason}. It starts again with its next invocation.`);
    alive = false;
    clearTimeout(idle);
    for (const { reject } of pending.values()) reject(new FunctionFailed(name, reason));
    pending.clear();
  };
  const end = (): Promise<void> => {
    alive = false;
    clearTimeout(idle);
    child.kill('SIGKILL');
    return ended;
  };
  const settle = (id: string, how: (waiting: Pending) => void): void => {
    const waiting = pending.get(id);
    pending.delete(id);
    if (waiting) how(waiting);
    if (pending.size > 0) return;
    if (!alive) child.kill('SIGKILL');
    else idle = setTimeout(() => void end(), idleS * 1000).unref();
  };

  child.on('error', (error) => fail(error.message));
  child.on('exit', (code, signal) => {
    fail(signal === null ? `exit code ${code}` : `signal ${signal}`);
    becomeEnded();
  });
  child.on('message', (message: unknown) => {
    const said = reply.parse(message);
    if ('failed' in said) fail(said.failed);
    else if ('result' in said) settle(said.id, ({ resolve }) => resolve(said.result));
    else if ('error' in said) settle(said.id, ({ reject }) => reject(new FunctionFailed(name, said.error)));
  });

  return {
    alive: () => alive,
    isIdle: () => pending.size === 0,
    invoke: (event) =>
      new Promise((resolve, reject) => {
        const id = randomUUID();
        clearTimeout(idle);
        // Replaces an instance that hangs: Lambda ends such an instance, and this one may be in an endless loop.
        const timer = setTimeout(() => {
          alive = false;
          settle(id, () => reject(new FunctionFailed(name, `no answer within ${timeoutS} s`)));
        }, timeoutS * 1000);
        const done = () => clearTimeout(timer);
        pending.set(id, {
          resolve: (result) => {
            done();
            resolve(result);
          },
          reject: (error) => {
            done();
            reject(error);
          },
        });
        // A process that has gone is noticed by its exit, which rejects what is pending.
        child.send({ id, event, deadline: Date.now() + timeoutS * 1000 }, () => undefined);
      }),
    end,
  };
};

/**
 * Runs bundles, each in a process of its own with its own environment. A process starts with the first
 * invocation and ends when it has been idle, so that memory is only held for functions in use.
 *
 * Unlike on Lambda, invocations of one function share one instance and run concurrently in it: module
 * state is shared by requests that AWS might send to different instances, and a function that blocks
 * the event loop delays the others.
 */
export const createFunctions = (
  functions: readonly LocalFunction[],
  report: (line: string) => void,
): FunctionRunner => {
  const declared = new Map(functions.map((one) => [one.name, one]));
  const instances = new Map<string, Instance>();

  const instanceOf = (name: string): Instance => {
    const running = instances.get(name);
    if (running?.alive()) return running;
    const declaration = declared.get(name);
    if (!declaration) throw new Error(`there is no function ${name}`);
    const instance = startInstance(declaration, report);
    instances.set(name, instance);
    return instance;
  };

  return {
    invoke: async (name, event) => {
      const text = JSON.stringify(event);
      if (Buffer.byteLength(text) > MAX_PAYLOAD_BYTES) throw new PayloadTooLarge(`the event for ${name}`);
      const result = await instanceOf(name).invoke(text);
      if (Buffer.byteLength(result) > MAX_PAYLOAD_BYTES) {
        throw new FunctionFailed(name, 'the response is over the limit of 6 MB');
      }
      const value: unknown = JSON.parse(result);
      return value;
    },
    rest: async () => {
      const idle = [...instances.values()].filter((instance) => instance.isIdle());
      await Promise.all(idle.map((instance) => instance.end()));
    },
    close: async () => {
      declared.clear();
      await Promise.all([...instances.values()].map((instance) => instance.end()));
    },
  };
};
