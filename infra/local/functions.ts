import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';

/** A deployed bundle and what it is deployed with. */
export interface LocalFunction {
  readonly name: string;
  /** The bundle's entry. */
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMb: number;
  readonly timeoutS: number;
}

/** An invocation whose event is over Lambda's limit. */
export class PayloadTooLarge extends Error {}

/** A function that threw, crashed, timed out or answered with too much. */
export class FunctionFailed extends Error {
  constructor(functionName: string, reason: string) {
    super(`${functionName}: ${reason}`);
    this.name = 'FunctionFailed';
  }
}

export interface FunctionRunner {
  /** Throws PayloadTooLarge or FunctionFailed. */
  readonly invoke: (name: string, event: unknown) => Promise<unknown>;
  /** Loads every function, one after the other. */
  readonly prewarm: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;

const reply = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ id: z.string(), result: z.string() }),
  z.object({ id: z.string(), error: z.string() }),
]);

interface Pending {
  readonly resolve: (result: string) => void;
  readonly reject: (error: Error) => void;
}

interface Instance {
  readonly ready: Promise<void>;
  readonly alive: () => boolean;
  readonly invoke: (event: string) => Promise<string>;
  readonly terminate: () => Promise<void>;
}

const startInstance = (declared: LocalFunction, report: (line: string) => void): Instance => {
  const { name, file, memoryMb, timeoutS } = declared;
  const worker = new Worker(new URL('./function-worker.ts', import.meta.url), {
    name,
    workerData: { file, name: declared.environment.AWS_LAMBDA_FUNCTION_NAME ?? name, memoryMb },
    env: { ...declared.environment },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const pending = new Map<string, Pending>();
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();
  let alive = true;
  let retired = false;

  const end = (reason: string): void => {
    if (alive) report(`The function ${name} ended: ${reason}. It starts again with its next invocation.`);
    alive = false;
    becomeReady();
    for (const { reject } of pending.values()) reject(new FunctionFailed(name, reason));
    pending.clear();
  };
  const settle = (id: string, how: (waiting: Pending) => void): void => {
    const waiting = pending.get(id);
    pending.delete(id);
    if (waiting) how(waiting);
    if (retired && pending.size === 0) void worker.terminate();
  };

  worker.on('error', (error) => end(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  worker.on('exit', (code) => end(`exit code ${code}`));
  worker.on('message', (message: unknown) => {
    const said = reply.parse(message);
    if ('ready' in said) becomeReady();
    else if ('result' in said) settle(said.id, ({ resolve }) => resolve(said.result));
    else settle(said.id, ({ reject }) => reject(new FunctionFailed(name, said.error)));
  });

  return {
    ready,
    alive: () => alive && !retired,
    invoke: (event) =>
      new Promise((resolve, reject) => {
        const id = randomUUID();
        // What hangs is replaced: Lambda ends such an instance, and this one may be in an endless loop.
        const timer = setTimeout(() => {
          retired = true;
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
        worker.postMessage({ id, event, deadline: Date.now() + timeoutS * 1000 });
      }),
    terminate: async () => {
      alive = false;
      await worker.terminate();
    },
  };
};

/**
 * Runs bundles, each in a thread of its own with its own environment, started by its first invocation.
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
    prewarm: async () => {
      for (const name of declared.keys()) await instanceOf(name).ready;
    },
    close: async () => {
      declared.clear();
      await Promise.all([...instances.values()].map((instance) => instance.terminate()));
    },
  };
};
