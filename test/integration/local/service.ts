import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

type Environment = Readonly<Record<string, string>>;

const environmentWith = (more: Environment): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  PORT: '0',
  HUB_BUS_PORT: '0',
  ...more,
});

/** The service in a process of its own. */
export interface Service {
  readonly process: ChildProcess;
  readonly url: string;
  readonly output: () => string;
  readonly exited: Promise<unknown>;
}

/** Starts the service and waits until it says that it is ready. Throws what it said when it ends before. */
export const startService = async (environment: Environment, ...args: string[]): Promise<Service> => {
  const child = spawn(process.execPath, ['infra/local/start.ts', ...args], {
    cwd: ROOT,
    env: environmentWith(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const exited = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said += chunk;
      if (said.includes('Ctrl-C ends it.')) resolve();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    exited.then(() => reject(new Error(said)));
  });
  const url = /API +(\S+)/.exec(said)?.[1] ?? '';
  return { process: child, url, output: () => said, exited: exited.then(([code]) => code) };
};

const run = promisify(execFile);

/** Runs one of the programs to its end. */
export const runProgram = async (program: string, environment: Environment, ...args: string[]) => {
  const options = { cwd: ROOT, env: environmentWith(environment) };
  const ended: Promise<{ stdout: string; stderr: string; code?: number }> = run(
    process.execPath,
    [`infra/local/${program}.ts`, ...args],
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
        return false; // It ended while we looked.
      }
    })
    .map(Number);

/** The parent of a process. */
export const parentOf = (pid: number): number =>
  Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
