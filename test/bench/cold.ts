import { execFile } from 'node:child_process';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { build } from 'esbuild';
import * as z from 'zod';
import { FUNCTIONS, type FunctionDeclaration } from '../../functions/manifest.ts';
import { bundleFunctions } from '../../infra/bundle.ts';
import { createAws } from '../../infra/local/aws.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { startDynamo } from '../../infra/local/dynamo.ts';
import { credentialsOf, functionEnvironment, LOCAL, regionOf } from '../../infra/local/environment.ts';
import { loadKey } from '../../infra/local/kms.ts';
import { createMessages } from '../../infra/local/messages.ts';
import { secretReader } from '../../infra/local/secrets.ts';
import { openServer } from '../../infra/local/server.ts';
import { CONTEXT, eventOf, type Request } from '../support/hub.ts';

const run = promisify(execFile);
const DIR = fileURLToPath(new URL('../../.build/bench', import.meta.url));
const MAX_RUNS = 200;

/** The CPU that a cold start may cost, as a multiple of the bare function's. */
const LIMIT = 1;

interface FirstRequest {
  readonly functionName: string;
  readonly routeKey: string;
  readonly request: Request;
  readonly status: number;
}

/** What the functions are first asked for: one read each, or the refusal that costs the least. */
const FIRST_REQUESTS: readonly FirstRequest[] = [
  { functionName: 'user-access', routeKey: 'GET /health', request: {}, status: 200 },
  { functionName: 'user-access', routeKey: 'POST /verify_session', request: {}, status: 401 },
  { functionName: 'users', routeKey: 'GET /users', request: {}, status: 200 },
  { functionName: 'strategies', routeKey: 'GET /get_strategy_categories', request: {}, status: 200 },
  {
    functionName: 'partners',
    routeKey: 'GET /check_for_token',
    request: { query: { user_id: 'nobody' } },
    status: 404,
  },
  {
    functionName: 'deployments',
    routeKey: 'GET /get_deployment_notifications',
    request: { query: { user_id: 'nobody' } },
    status: 404,
  },
  {
    functionName: 'integrators',
    routeKey: 'GET /broker/get_user_strategies',
    request: {
      query: { user_email: 'nobody@example.com' },
      authorized: { broker: 'nobody', expires_at: Number.MAX_SAFE_INTEGER },
    },
    status: 403,
  },
  {
    functionName: 'analytics',
    routeKey: 'POST /api/external_analysis',
    request: { json: { client_id: '' } },
    status: 422,
  },
  { functionName: 'docs', routeKey: 'GET /openapi.json', request: {}, status: 200 },
];

/** One thing to measure. */
interface Case {
  readonly name: string;
  readonly file: string;
  readonly status: number;
  readonly event: unknown;
  readonly environment: Readonly<Record<string, string>>;
}

const sample = z.object({ statusCode: z.int(), importMs: z.number(), requestMs: z.number() });
type Sample = z.output<typeof sample>;

/** Bundles a module beside the functions. */
const bundled = async (name: string, format: 'cjs' | 'esm'): Promise<string> => {
  const outfile = join(DIR, format === 'cjs' ? `${name}.cjs` : `${name}.mjs`);
  const entryPoints = [join(import.meta.dirname, `${name}.ts`)];
  await build({ entryPoints, outfile, bundle: true, minify: true, platform: 'node', format });
  return outfile;
};

const measure = async (script: string, one: Case): Promise<Sample> => {
  const context = JSON.stringify(CONTEXT);
  const args = [script, pathToFileURL(one.file).href, JSON.stringify(one.event), context];
  const { stdout } = await run(process.execPath, args, { env: { ...one.environment } });
  const measured = sample.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  if (measured.statusCode === one.status) return measured;
  throw new Error(`${one.name} answered ${measured.statusCode} instead of ${one.status}: ${stdout}`);
};

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
};

const summary = (samples: readonly Sample[]) => ({
  importMs: median(samples.map(({ importMs }) => importMs)),
  requestMs: median(samples.map(({ requestMs }) => requestMs)),
  totalMs: median(samples.map(({ importMs, requestMs }) => importMs + requestMs)),
});

const firstRequestOf = (name: string): FirstRequest => {
  const found = FIRST_REQUESTS.find(({ functionName }) => functionName === name);
  if (!found) throw new Error(`test/bench/cold.ts has no first request for the function ${name}`);
  return found;
};

const casesOf = async (environmentOf: (declared: FunctionDeclaration) => Record<string, string>) => {
  const bundles = await bundleFunctions({ outDir: join(DIR, 'functions') });
  const served = FUNCTIONS.filter(({ trigger }) => trigger.kind === 'http');
  for (const { name } of served) firstRequestOf(name);
  return FIRST_REQUESTS.flatMap(({ functionName, routeKey, request, status }): Case[] =>
    served
      .filter(({ name }) => name === functionName)
      .map((declared) => ({
        name: `${functionName} ${routeKey}`,
        file: bundles.get(functionName)?.file ?? '',
        status,
        event: eventOf(routeKey, request),
        environment: environmentOf(declared),
      })),
  );
};

/** Measures in turns, so that what else the machine does falls on all alike. The first round warms disks. */
const measureInTurns = async (script: string, cases: readonly Case[], runs: number) => {
  const samples = new Map(cases.map((one): [Case, Sample[]] => [one, []]));
  for (let round = 0; round <= runs; round += 1) {
    for (const [one, taken] of samples) {
      const measured = await measure(script, one);
      if (round > 0) taken.push(measured);
    }
  }
  return samples;
};

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { runs: { type: 'string', default: '15' } } });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1 || runs > MAX_RUNS) {
    throw new Error(`--runs takes a number from 1 to ${MAX_RUNS}`);
  }
  await using cleanup = new AsyncDisposableStack();
  await mkdir(DIR, { recursive: true });
  const dynamo = await startDynamo();
  cleanup.defer(() => dynamo.close());
  const client = new DynamoDBClient({
    endpoint: dynamo.endpoint,
    region: regionOf({}),
    credentials: credentialsOf({}),
  });
  cleanup.defer(() => client.destroy());
  await createTable(client, LOCAL.table);
  const aws = await openServer();
  cleanup.defer(() => aws.close());
  const messages = createMessages(() => undefined);
  aws.serve(
    createAws({
      messages,
      secret: secretReader(undefined),
      secretId: LOCAL.secretId,
      key: loadKey(LOCAL.dataKeyId, undefined),
    }),
  );

  const addresses = {
    publicUrl: 'https://api.example.com',
    dynamodb: dynamo.endpoint,
    aws: `http://127.0.0.1:${aws.port}`,
    bus: `http://127.0.0.1:${aws.port}`,
  };
  // Logs and metrics as deployed.
  const given = { POWERTOOLS_LOG_LEVEL: 'INFO', POWERTOOLS_METRICS_DISABLED: 'false' };
  const environmentOf = (declared: FunctionDeclaration) => functionEnvironment(declared, addresses, given);
  const cases = await casesOf(environmentOf);
  const bare: Case = {
    name: 'bare GetItem',
    file: await bundled('bare', 'cjs'),
    status: 200,
    event: {},
    environment: cases[0]?.environment ?? {},
  };
  const samples = await measureInTurns(await bundled('cold-start', 'esm'), [bare, ...cases], runs);
  const reference = summary(samples.get(bare) ?? []).totalMs;
  const rows = await Promise.all(
    [...samples].map(async ([{ name, file }, taken]) => {
      const { importMs, requestMs, totalMs } = summary(taken);
      const { size } = await stat(file);
      return { name, kb: size / 1000, importMs, requestMs, totalMs, ratio: totalMs / reference };
    }),
  );
  console.log(`CPU of a cold start in ms, medians of ${runs}, Node ${process.version}`);
  console.table(
    rows.map(({ name, kb, importMs, requestMs, totalMs, ratio }) => ({
      'first request': name,
      KB: Number(kb.toFixed(1)),
      import: Number(importMs.toFixed(1)),
      request: Number(requestMs.toFixed(1)),
      total: Number(totalMs.toFixed(1)),
      'of bare': Number(ratio.toFixed(2)),
    })),
  );
  const file = join(DIR, 'cold.json');
  await writeFile(file, `${JSON.stringify({ node: process.version, runs, limit: LIMIT, rows }, null, 2)}\n`);
  console.log(`written to ${file}`);
  const slow = rows.filter(({ ratio }) => ratio > LIMIT).map(({ name }) => name);
  if (slow.length > 0) {
    console.error(`over ${LIMIT} of the bare function: ${slow.join(', ')}`);
    process.exitCode = 1;
  }
};

await main();
