import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { type HubConfig, STAGES } from '../config.ts';
import { explain, UsageError } from './command-line.ts';

const require = createRequire(import.meta.url);

const COMMANDS: readonly string[] = ['deploy', 'diff', 'synth'];

/** Flags of a deployment that are not the CDK's. */
const DEPLOY_FLAGS = {
  url: { type: 'string' },
  origin: { type: 'string' },
  sink: { type: 'string' },
  symbol: { type: 'string' },
  'no-smoke': { type: 'boolean' },
} as const;

interface CdkCommand {
  readonly stage: HubConfig | undefined;
  readonly args: readonly string[];
  /** Flags of the smoke test after a deployment. */
  readonly smoke: {
    readonly url: string | undefined;
    readonly origin: string | undefined;
    readonly sink: string | undefined;
    readonly symbol: string | undefined;
    readonly isLeftOut: boolean;
  };
}

/**
 * Builds the arguments of the CDK CLI for a command on all stacks of a stage. `synth` without a stage synthesizes all
 * stages. Arguments other than `--stage` and those of the smoke test are passed on.
 *
 * @throws UsageError for an unknown command or stage.
 */
export const cdkArguments = (args: readonly string[], stages: readonly HubConfig[] = STAGES): CdkCommand => {
  const [command = '', ...rest] = args;
  const { values, tokens } = parseArgs({
    args: [...rest],
    options: { stage: { type: 'string' }, ...(command === 'deploy' && DEPLOY_FLAGS) },
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
      token.kind === 'option' &&
      (token.name === 'stage' || (command === 'deploy' && token.name in DEPLOY_FLAGS))
        ? [token.index, ...(token.value === undefined || token.inlineValue ? [] : [token.index + 1])]
        : [],
    ),
  );
  const stacks = stage ? `${stage.stage}/*` : '**';
  const quiet = command === 'synth' ? ['--quiet'] : [];
  const textOf = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    stage,
    args: [command, stacks, ...quiet, ...rest.filter((_, index) => !taken.has(index))],
    smoke: {
      url: textOf('url'),
      origin: textOf('origin'),
      sink: textOf('sink'),
      symbol: textOf('symbol'),
      isLeftOut: values['no-smoke'] === true,
    },
  };
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

/** Runs the CDK CLI for a stage, and returns its exit code. */
export const runCdk = async (
  stage: HubConfig | undefined,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<number> => {
  for (const one of stage ? placeholdersOf(stage) : []) {
    console.error(`infra/config.ts, stage ${stage?.stage}: ${one}.`);
  }
  const cdk = require.resolve('aws-cdk/bin/cdk');
  const child = spawn(process.execPath, [cdk, ...args], {
    stdio: 'inherit',
    env: { ...process.env, HUB_SYNTH_STAGE: stage?.stage ?? '', ...environment },
  });
  return new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
};

const run = async (): Promise<void> => {
  const args = process.argv.slice(2);
  if (args[0] === 'deploy') throw new UsageError('npm run deploy -- --stage NAME');
  const command = cdkArguments(args);
  process.exitCode = await runCdk(command.stage, command.args);
};

if (import.meta.main) {
  run().catch((error: unknown) => {
    console.error(explain(error));
    process.exitCode = 1;
  });
}
