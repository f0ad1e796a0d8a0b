import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Program of node_modules, with its arguments. */
export interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

interface Result {
  readonly passed: boolean;
  readonly output: string;
}

const run = ({ command: [program, ...args] }: Step): Promise<Result> =>
  new Promise((resolve) => {
    const path = [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
    const child = spawn(program, args, { cwd: ROOT, env: { ...process.env, PATH: path }, stdio: 'pipe' });
    child.stdin.end();
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => output.push(part));
    child.once('error', (error) => resolve({ passed: false, output: error.message }));
    child.once('close', (code) =>
      resolve({ passed: code === 0, output: Buffer.concat(output).toString().trim() }),
    );
  });

/**
 * Runs the first step, then the others, two at a time, also after one has failed. Prints each result, with its output
 * if it failed, and the names of those that failed at the end. Returns whether all passed.
 */
export const runSteps = async (
  first: Step,
  others: readonly Step[],
  print: (text: string) => void,
): Promise<boolean> => {
  const failed: string[] = [];
  const report = async (step: Step): Promise<void> => {
    const started = Date.now();
    const { passed, output } = await run(step);
    if (!passed) failed.push(step.name);
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    print(`${passed ? 'passed' : 'FAILED'}  ${step.name} (${seconds} s)`);
    if (!passed && output !== '') print(`${output}\n`);
  };
  const waiting = [...others];
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) await report(step);
  };
  await report(first);
  await Promise.all([work(), work()]);
  const names = [first, ...others].map(({ name }) => name).filter((name) => failed.includes(name));
  print(names.length === 0 ? `All ${others.length + 1} steps passed.` : `Failed: ${names.join(', ')}`);
  return names.length === 0;
};
