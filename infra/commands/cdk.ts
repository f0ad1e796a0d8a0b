import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { type HubConfig, STAGES } from '../config.ts';
import { explain, UsageError } from './command-line.ts';

const require = createRequire(import.meta.url);

const COMMANDS: readonly string[] = ['deploy', 'diff', 'synth'];

/**
 * Builds the arguments of the CDK CLI for a command on all stacks of a stage. `synth` without a stage synthesizes all
 * stages. Arguments other than `--stage` are passed on.
 *
 * @throws UsageError for an unknown command or stage.
 */
export const cdkArguments = (
  args: readonly string[],
  stages: readonly HubConfig[] = STAGES,
): { readonly stage: HubConfig | undefined; readonly args: readonly string[] } => {
  const [command = '', ...rest] = args;
  const { values, tokens } = parseArgs({
    args: [...rest],
    options: { stage: { type: 'string' } },
    strict: false,
    tokens: true,
  });
  const stage = stages.find((one) => one.stage === values.stage);
  const isAll = command === 'synth' && values.stage === undefined;
  if (!COMMANDS.includes(command) || !(stage || isAll)) {
    const names = stages.map((one) => one.stage).join(' or ');
    throw new UsageError(`npm run ${command || 'deploy'} -- --stage NAME, where NAME is ${names}`);
  }
  const taken = new Set(
    tokens.flatMap((token) =>
      token.kind === 'option' && token.name === 'stage'
        ? [token.index, ...(token.inlineValue ? [] : [token.index + 1])]
        : [],
    ),
  );
  const stacks = stage ? `${stage.stage}/*` : '**';
  const quiet = command === 'synth' ? ['--quiet'] : [];
  return { stage, args: [command, stacks, ...quiet, ...rest.filter((_, index) => !taken.has(index))] };
};

/** Lists settings that are missing or still examples. The deployment works, but the named parts do not. */
export const placeholdersOf = ({ mailFrom, corsOrigins, production, canary }: HubConfig): string[] => [
  ...(mailFrom.address.endsWith('.example') ? [`mailFrom is ${mailFrom.address}: SES sends no mail`] : []),
  ...corsOrigins
    .filter((origin) => origin.endsWith('.example'))
    .map((origin) => `corsOrigins has ${origin}: no web app is there`),
  ...(production && canary === undefined
    ? ['canary is not set: nothing checks the service from outside']
    : []),
];

const run = async (): Promise<void> => {
  const { stage, args } = cdkArguments(process.argv.slice(2));
  for (const one of stage ? placeholdersOf(stage) : []) {
    console.error(`infra/config.ts, stage ${stage?.stage}: ${one}.`);
  }
  const cdk = require.resolve('aws-cdk/bin/cdk');
  const child = spawn(process.execPath, [cdk, ...args], {
    stdio: 'inherit',
    env: { ...process.env, HUB_SYNTH_STAGE: stage?.stage ?? '' },
  });
  process.exitCode = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
};

if (import.meta.main) {
  run().catch((error: unknown) => {
    console.error(explain(error));
    process.exitCode = 1;
  });
}
