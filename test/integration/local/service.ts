import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { CHILD_ENVIRONMENT } from '../../support/child-environment.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The arguments that `npm start` passes to Node. */
const START = z
  .object({ scripts: z.object({ start: z.string().startsWith('node ') }) })
  .parse(JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')))
  .scripts.start.split(' ')
  .slice(1);

type Environment = Readonly<Record<string, string>>;

const environmentWith = (more: Environment): NodeJS.ProcessEnv => ({
  ...CHILD_ENVIRONMENT,
  PORT: '0',
  HUB_BUS_PORT: '0',
  ...more,
});

/** The service in a new process. */
export interface Service {
  readonly process: ChildProcess;
  readonly url: string;
  readonly output: () => string;
  readonly exited: Promise<unknown>;
}

/** Starts the service and waits for its output to match. Throws its output if it ends before. */
export const startServiceUntil = async (
  line: string,
  environment: Environment,
  ...args: string[]
): Promise<Service> => {
  const child = spawn(process.execPath, [...START, ...args], {
    cwd: ROOT,
    env: environmentWith(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const exited = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said += chunk;
      if (said.includes(line)) resolve();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    exited.then(() => reject(new Error(said)));
  });
  const url = /API +(\S+)/.exec(said)?.[1] ?? '';
  return { process: child, url, output: () => said, exited: exited.then(([code]) => code) };
};

/** Starts the service and waits until it reports that it is ready. */
export const startService = (environment: Environment, ...args: string[]): Promise<Service> =>
  startServiceUntil('Ctrl-C ends it.', environment, ...args);

const run = promisify(execFile);

/** Runs a program until it ends. */
export const runProgram = async (program: string, environment: Environment, ...args: string[]) => {
  const options = { cwd: ROOT, env: environmentWith(environment) };
  const ended: Promise<{ stdout: string; stderr: string; code?: number }> = run(
    process.execPath,
    [`infra/${program === 'start' ? 'local' : 'commands'}/${program}.ts`, ...args],
    options,
  ).catch((error) => error);
  const { stdout, stderr, code = 0 } = await ended;
  return { code, output: stdout + stderr };
};

/** Processes whose command line holds a text. */
export const processesWith = (text: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(text);
      } catch {
        return false; // It ended in the meantime.
      }
    })
    .map(Number);

/** Returns what the system says of a process; nothing of one that has ended. */
const statusOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
};

/** Returns the parent of a process; undefined if it has ended. */
export const parentOf = (pid: number): number | undefined => {
  const parent = /^PPid:\s*(\d+)$/m.exec(statusOf(pid))?.[1];
  return parent === undefined ? undefined : Number(parent);
};

/** Returns the process of a service and all its descendants. */
export const familyOf = ({ process: { pid } }: Service): number[] => {
  const everyone = processesWith('').map((one) => ({ pid: one, parent: parentOf(one) }));
  const found = new Set(pid === undefined ? [] : [pid]);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const { pid: one, parent } of everyone) {
      if (parent !== undefined && found.has(parent)) found.add(one);
    }
  }
  return [...found];
};

/** Returns the memory of processes in MB. One that has ended has none. */
export const residentMb = (pids: readonly number[]): number => {
  const kb = pids.map((pid) => Number(/^VmRSS:\s*(\d+) kB$/m.exec(statusOf(pid))?.[1] ?? 0));
  return kb.reduce((sum, one) => sum + one, 0) / 1024;
};
