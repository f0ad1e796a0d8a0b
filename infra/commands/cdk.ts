import { execFile, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { parseArgs, promisify } from 'node:util';
import { STAGES } from '../config.ts';
import type { HubConfig } from '../stage.ts';
import { UsageError } from './command-line.ts';
import { explainAws } from './explain-aws.ts';
import { endWrongUse, helpIfAsked } from './read-options.ts';
import { requireCredentials } from './require-credentials.ts';

const require = createRequire(import.meta.url);

const CDK = require.resolve('aws-cdk/bin/cdk');

const COMMANDS: readonly string[] = ['deploy', 'diff', 'synth'];

/** Flags of a deployment that are not the CDK's. */
const DEPLOY_FLAGS = {
  url: { type: 'string' },
  origin: { type: 'string' },
  sink: { type: 'string' },
  symbol: { type: 'string' },
  'no-smoke': { type: 'boolean' },
  'take-over': { type: 'boolean' },
} as const;

const NAMES = STAGES.map(({ stage }) => stage).join(' or ');

const HELPS: Readonly<Record<string, string>> = {
  synth: `npm run synth [-- --stage NAME]

Writes the templates of a stage, ${NAMES}, to cdk.out; without --stage those of all. Changes nothing on AWS.`,
  diff: `npm run diff -- --stage NAME

Shows what a deployment of the stage, ${NAMES}, would change. Changes nothing.`,
  deploy: `npm run deploy -- --stage NAME [--take-over] [--no-smoke] [--url ADDRESS] [--origin ORIGIN] [--sink ADDRESS] [--symbol SYMBOL]

Releases the stage, ${NAMES}: deploys all stacks, checks the service, and rolls back if it does not work.

  --take-over        goes on in the place of a release that was killed
  --no-smoke         leaves the check out
  --url ADDRESS      address to check instead of the stage's; the others are those of npm run smoke`,
};

const helpOf = (command: string): string =>
  `${HELPS[command]}\nOther options are those of the CDK CLI, such as --require-approval never: npx cdk ${command} --help`;

interface CdkCommand {
  readonly stage: HubConfig | undefined;
  readonly args: readonly string[];
  /** True if a deployment goes on in the place of another one that was killed. */
  readonly takeOver: boolean;
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
    takeOver: values['take-over'] === true,
    smoke: {
      url: textOf('url'),
      origin: textOf('origin'),
      sink: textOf('sink'),
      symbol: textOf('symbol'),
      isLeftOut: values['no-smoke'] === true,
    },
  };
};

/** Returns the options that a command of the CDK CLI does not have: it ignores them, and does the rest. */
const unknownToCdk = async (command: string, args: readonly string[]): Promise<string[]> => {
  const given = args
    .flatMap((one) => /^--?[A-Za-z][\w-]*/.exec(one) ?? [])
    .filter((one) => one !== '--quiet');
  if (given.length === 0) return [];
  const { stdout } = await promisify(execFile)(process.execPath, [CDK, command, '--help'], {
    env: { ...process.env, COLUMNS: '200' },
  });
  const known = new Set(stdout.match(/(?<![\w-])--?[A-Za-z][\w-]*/g));
  return given.filter((one) => !known.has(one) && !known.has(one.replace(/^--no-/, '--')));
};

/** Reads the command line of `synth`, `diff` or `deploy`. Ends the program for `--help`, and for an unknown option. */
export const readCdkCommand = async (args: readonly string[]): Promise<CdkCommand> => {
  const [name = ''] = args;
  helpIfAsked(helpOf(name), args);
  const command = cdkArguments(args);
  const [unknown] = await unknownToCdk(name, command.args.slice(2));
  if (unknown !== undefined) return endWrongUse(`Unknown option '${unknown}'.`);
  return command;
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
  const child = spawn(process.execPath, [CDK, ...args], {
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
  const command = await readCdkCommand(args);
  // Without credentials, the CDK CLI synthesizes for a minute and then prints its error twice.
  if (args[0] === 'diff') await requireCredentials(command.args);
  process.exitCode = await runCdk(command.stage, command.args);
};

if (import.meta.main) {
  run().catch((error: unknown) => {
    console.error(explainAws(error));
    process.exitCode = 1;
  });
}
