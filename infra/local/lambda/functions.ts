import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { RoleStatement } from '../../roles/statements.ts';

/** Bundle and configuration of a function. */
export interface LocalFunction {
  readonly name: string;
  /** Entry file of the bundle. */
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Permissions for calls of AWS services. All other calls are refused. */
  readonly role: readonly RoleStatement[];
  readonly memoryMb: number;
  readonly timeoutS: number;
  /** Time after which an idle process ends, in seconds. */
  readonly idleS: number;
}

/** The event of an invocation exceeds the limit of Lambda. */
export class PayloadTooLargeError extends Error {}

interface Thrown {
  readonly name: string;
  readonly message: string;
}

/** Shortens an error to one line: frames of a bundle are not useful, and messages of libraries may have many lines. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** A function threw, crashed, timed out or returned a too large answer. */
export class FunctionFailedError extends Error {
  /** Error that the function threw. */
  readonly thrown: Thrown | undefined;

  constructor(functionName: string, reason: string | Thrown) {
    const thrown = typeof reason === 'string' ? undefined : reason;
    super(`${functionName}: ${oneLine(thrown ? `${thrown.name}: ${thrown.message}` : String(reason))}`);
    this.name = 'FunctionFailedError';
    this.thrown = thrown;
  }
}

export interface FunctionRunner {
  /** @throws PayloadTooLargeError or FunctionFailedError */
  readonly invoke: (name: string, event: unknown) => Promise<unknown>;
  /** Ends idle functions to free their memory. */
  readonly rest: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;

/** Longest start of a process, as on Lambda. It does not count for the invocations that wait for it. */
const START_LIMIT_S = 10;

/** Limits the young generation, which V8 lets grow to 3 × 16 MB before it collects. Functions create little garbage. */
const SEMI_SPACE_MB = 4;

const reply = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ failed: z.string() }),
  z.object({ denied: z.object({ action: z.string(), resource: z.string() }) }),
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
  readonly end: () => Promise<void>;
}

const startProcess = ({ name, file, memoryMb, environment, role }: LocalFunction): ChildProcess =>
  fork(
    new URL('./function-process.ts', import.meta.url),
    [file, environment.AWS_LAMBDA_FUNCTION_NAME ?? name, String(memoryMb), JSON.stringify(role)],
    {
      env: { ...environment },
      execArgv: [`--max-old-space-size=${memoryMb}`, `--max-semi-space-size=${SEMI_SPACE_MB}`],
      // Use a separate process group, so that Ctrl-C does not end functions while requests are being finished.
      detached: true,
    },
  );

const startInstance = (declared: LocalFunction, report: (line: string) => void): Instance => {
  const { name, timeoutS, idleS } = declared;
  const child = startProcess(declared);
  const pending = new Map<string, Pending>();
  const { promise: ended, resolve: becomeEnded } = Promise.withResolvers<void>();
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();
  let alive = true;
  let idle: NodeJS.Timeout | undefined;

  const fail = (reason: string): void => {
    if (alive) report(`The function ${name} ended: ${reason}. It starts again with its next invocation.`);
    alive = false;
    clearTimeout(idle);
    for (const { reject } of pending.values()) reject(new FunctionFailedError(name, reason));
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
    if ('ready' in said) becomeReady();
    else if ('failed' in said) fail(said.failed);
    else if ('denied' in said)
      report(
        `The role of the function ${name} does not allow ${said.denied.action} on ${said.denied.resource}.`,
      );
    else if ('result' in said) settle(said.id, ({ resolve }) => resolve(said.result));
    else if ('error' in said)
      settle(said.id, ({ reject }) => reject(new FunctionFailedError(name, said.error)));
  });

  return {
    alive: () => alive,
    isIdle: () => pending.size === 0,
    invoke: (event) =>
      new Promise((resolve, reject) => {
        const id = randomUUID();
        clearTimeout(idle);
        // Replace an instance that hangs, as Lambda does. It may be in an endless loop.
        const replaceAfter = (seconds: number, what: string) =>
          setTimeout(() => {
            alive = false;
            settle(id, () => reject(new FunctionFailedError(name, `${what} within ${seconds} s`)));
          }, seconds * 1000);
        let timer = replaceAfter(START_LIMIT_S, 'no start');
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
        void ready.then(() => {
          if (!pending.has(id)) return;
          clearTimeout(timer);
          timer = replaceAfter(timeoutS, 'no answer');
          // The exit handler rejects pending invocations of an ended process.
          child.send({ id, event, deadline: Date.now() + timeoutS * 1000 }, () => undefined);
        });
      }),
    end,
  };
};

/**
 * Runs each bundle in a separate process with its own environment. A process starts at the first invocation and ends
 * when it is idle, so that only functions in use need memory.
 *
 * Unlike on Lambda, invocations of a function run concurrently in one instance. Requests share module state that AWS
 * could keep in different instances, and an invocation that blocks the event loop delays the others.
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
      if (Buffer.byteLength(text) > MAX_PAYLOAD_BYTES)
        throw new PayloadTooLargeError(`the event for ${name}`);
      const result = await instanceOf(name).invoke(text);
      if (Buffer.byteLength(result) > MAX_PAYLOAD_BYTES) {
        throw new FunctionFailedError(name, 'the response is over the limit of 6 MB');
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
