import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { cdkArguments } from '../../infra/commands/cdk.ts';

let workflow: string;
beforeAll(async () => {
  workflow = await readFile(new URL('../../.github/workflows/deploy.yml', import.meta.url), 'utf8');
});

/** Runs the release step of the workflow with a shell, and returns the arguments that npm gets. */
const argumentsWith = async (environment: Readonly<Record<string, string>>): Promise<string[]> => {
  const line = /^ +run: (npm run deploy .*)$/m.exec(workflow)?.[1] ?? '';
  const script = `npm() { printf '%s\\n' "$@"; }\n${line}`;
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
    env: {
      PATH: process.env.PATH,
      STAGE: 'prod',
      ORIGIN: '',
      SINK: '',
      SYMBOL: '',
      TAKE_OVER: '',
      ...environment,
    },
  });
  return stdout.trim().split('\n');
};

test('the workflow of a deployment takes a cancelled one over only if its input says so', async () => {
  expect(workflow).toMatch(/^ {6}take_over:\n(?: {8}.*\n)* {8}type: boolean\n {8}default: false$/m);
  // A boolean that is false would be the text "false", which the shell takes for set.
  expect(workflow).toMatch(/^ +TAKE_OVER: \$\{\{ inputs\.take_over && 'yes' \|\| '' \}\}$/m);
  const plain = await argumentsWith({});
  expect(plain).toEqual(['run', 'deploy', '--', '--stage', 'prod', '--require-approval', 'never']);
  const [, , , ...args] = await argumentsWith({ TAKE_OVER: 'yes', SYMBOL: 'AAPL' });
  expect(cdkArguments(['deploy', ...args])).toMatchObject({ takeOver: true, smoke: { symbol: 'AAPL' } });
});
