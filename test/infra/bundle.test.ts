import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { OPERATION_GROUPS } from '../../functions/operations.ts';
import { ROOT, recordedBuild } from '../../infra/bundle/built.ts';
import { bundleFunctions, currentBundles, maxBundleBytes } from '../../infra/bundle/bundle.ts';
import { lateOperations } from '../../infra/bundle/late-operations.ts';
import { BUNDLE_OPTIONS } from '../../infra/bundle/options.ts';
import { outlineOf } from '../../infra/bundle/outline.ts';
import { functionEnvironment } from '../../infra/local/lambda/environment.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { CONTEXT, eventOf } from '../support/hub.ts';
import { soakable } from '../support/soak.ts';

const run = promisify(execFile);
/** In ms. A run of chosen files bundles all functions here, which takes long on a busy machine. */
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hub-bundle-'));
  await currentBundles();
});

afterAll(async () => {
  await rm(dir, { recursive: true });
});

/** Bundles a module like a function and runs it in a new process, with this environment only. */
const runBundled = async (name: string, source: string, env: Record<string, string>): Promise<unknown> => {
  await build({
    ...BUNDLE_OPTIONS,
    stdin: { contents: source, resolveDir: import.meta.dirname, sourcefile: `${name}.ts`, loader: 'ts' },
    outfile: join(dir, `${name}.mjs`),
  });
  const { stdout } = await run(process.execPath, [join(dir, `${name}.mjs`)], { env });
  return JSON.parse(stdout);
};

test('every function is bundled within the limit and imports without an environment', async () => {
  const bundles = await currentBundles();
  expect([...bundles.keys()].sort()).toEqual(FUNCTIONS.map(({ name }) => name).sort());
  const codeOf = async (name: string): Promise<string> => {
    const parts = (bundles.get(name)?.files ?? []).filter((part) => part.endsWith('.mjs'));
    return (await Promise.all(parts.map((part) => readFile(part, 'utf8')))).join('');
  };
  for (const [name, { bytes, totalBytes }] of bundles) {
    expect(Buffer.byteLength(await codeOf(name))).toBe(totalBytes);
    expect(bytes).toBeLessThanOrEqual(maxBundleBytes(name));
  }
  // Each file costs half a percent of a cold start.
  expect(Math.max(...[...bundles.values()].map(({ loadedFiles }) => loadedFiles))).toBeLessThanOrEqual(60);
  const readers = [];
  for (const { name, trigger } of FUNCTIONS) {
    const code = await codeOf(name);
    if (code.includes('IndexName:"due"')) readers.push(trigger.kind);
  }
  // On AWS, only jobs may read the index of due items.
  expect(new Set(readers)).toEqual(new Set(['schedule']));
  const script = `for (const file of process.argv.slice(1)) console.log(typeof (await import(file)).handler);`;
  const files = [...bundles.values()].map(({ file }) => file);
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, ...files], {
    env: {},
  });
  expect(stdout.trim().split('\n')).toEqual(files.map(() => 'function'));
});

test('the build and the commands load before the client is generated, as in a fresh copy of the project', async () => {
  const script = `
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve: (name, context, next) => {
        const found = next(name, context);
        if (found.url.includes('/infra/client/package/')) throw new Error(context.parentURL + ' needs the client');
        return found;
      },
    });
    for (const name of ['bundle/bundle', 'hub', 'client/write-client', 'local/hub']) {
      await import('./infra/' + name + '.ts');
    }
    console.log('loaded');`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    env: CHILD_ENVIRONMENT,
  });
  expect(stdout).toBe('loaded\n');
});

test('a function whose role may not read the secret of the service cannot, and every other one does', async () => {
  const bundles = await currentBundles();
  for (const { name, trigger, uses, withoutSecret = false } of FUNCTIONS) {
    // Every request may bring a token to verify.
    if (trigger.kind === 'http') {
      expect([name, withoutSecret]).toEqual([name, false]);
      continue;
    }
    const code = await readFile(bundles.get(name)?.file ?? '', 'utf8');
    const isReading = /\.secrets\(|\.keyRing\(|partnerCClientSecret:\w+\}/.test(code);
    expect([name, isReading]).toEqual([name, !withoutSecret]);
    // The checks from outside read a secret of their own.
    const hasClient = /secretsmanager/.test(code);
    expect([name, hasClient]).toEqual([name, !withoutSecret || uses.includes('probe')]);
  }
});

test('the library of an exchange is in the functions that call it only, and loaded when they do', async () => {
  const bundles = await currentBundles();
  const holders: Record<string, number> = {};
  for (const [name, { file, files }] of bundles) {
    for (const part of files) {
      const code = await readFile(join(ROOT, part), 'utf8');
      // Kind of endpoints in the words of ccxt.
      if (!code.includes('fapiPrivate')) continue;
      expect([name, join(ROOT, part) === file]).toEqual([name, false]);
      // Nothing imports the part at once.
      const imports = await Promise.all(files.map((one) => readFile(join(ROOT, one), 'utf8')));
      const early = imports.filter((text) =>
        new RegExp(`(from|import)"[./]*${basename(part).replace('.', '[.]')}"`).test(text),
      );
      expect([name, early.length]).toEqual([name, 0]);
      holders[name] = Buffer.byteLength(code);
    }
  }
  expect(Object.keys(holders).sort()).toEqual(['binance-jobs', 'binance-orders', 'execution']);
  expect(Math.max(...Object.values(holders))).toBeLessThan(520_000);
  // The first request for an account elsewhere loads no more than those of other functions.
  expect(bundles.get('execution')?.bytes).toBeLessThan(620_000);
});

test('the build is recorded with the outline of every function', async () => {
  expect((await recordedBuild())?.functions).toEqual(FUNCTIONS.map(outlineOf));
});

test('a bundled function loads each of its operations with the first request for it', async () => {
  const outDir = join(dir, 'late');
  const name = 'users';
  const functions = FUNCTIONS.filter((one) => one.name === name);
  const bundles = await bundleFunctions({ outDir, functions });
  const operations = OPERATION_GROUPS[name] ?? [];
  const { file = '', files = [], bytes = 0, loadedFiles, totalBytes = 0 } = bundles.get(name) ?? {};
  expect(files.length).toBeGreaterThan(operations.length);
  expect(bytes).toBeLessThan(totalBytes);
  // The entry, the common code, the operation, and some files of code that only some operations share.
  expect(loadedFiles).toBeLessThanOrEqual(10);
  const [declared] = functions;
  if (!declared) throw new Error(`there is no function ${name}`);
  const nowhere = 'http://127.0.0.1:1';
  const environment = functionEnvironment(
    declared,
    { publicUrl: 'https://api.example.com', dynamodb: nowhere, aws: nowhere, bus: nowhere },
    { POWERTOOLS_LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true' },
  );
  // Each operation refuses this input itself.
  const asked = operations.map(({ routeKey }) => eventOf(routeKey, { query: { page: 'x' }, json: {} }));
  const script = `
    const [file, asked, context] = process.argv.slice(1);
    const { handler } = await import(file);
    for (const event of JSON.parse(asked)) {
      const { statusCode } = await handler(event, JSON.parse(context));
      console.log(event.routeKey, statusCode);
    }`;
  const given = [file, JSON.stringify(asked), JSON.stringify(CONTEXT)];
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, ...given], {
    env: { ...environment, AWS_MAX_ATTEMPTS: '1' },
  });
  expect(stdout.trim().split('\n').sort()).toEqual(
    ['DELETE /users/{id} 422', 'GET /users 500', 'POST /users 422'].sort(),
  );
  await writeFile(join(outDir, name, 'OLD.mjs'), '');
  await bundleFunctions({ outDir, functions, pruned: true });
  expect((await readdir(join(outDir, name))).sort()).toEqual(files.map((path) => basename(path)).sort());
});

test('a service with one operation in one file is at most 460 KB', async () => {
  const contents = `
    import { lambdaHandler } from '../../shared/api/lambda.ts';
    import { checkForToken } from '../../functions/partners/check-for-token.ts';
    export const handler = lambdaHandler([checkForToken]);`;
  const stdin = { contents, resolveDir: import.meta.dirname };
  const { outputFiles } = await build({ ...BUNDLE_OPTIONS, stdin, write: false });
  expect(outputFiles[0]?.contents.length).toBeLessThanOrEqual(460_000);
});

test('functions are bundled again only if their sources have changed', async () => {
  const outDir = join(dir, 'current');
  // One whole function and one in parts are enough.
  const functions = FUNCTIONS.filter(({ name }) => name === 'users' || name === 'authorizer');
  const current = () => currentBundles({ outDir, functions });
  const made = await current();
  const [{ file = '' } = {}] = [...made.values()];
  const record = join(outDir, 'built.json');
  const code = await readFile(file, 'utf8');
  const marked = code.replace(/.$/s, ' ');
  await writeFile(file, marked);
  expect(await current()).toEqual(made);
  expect(await readFile(file, 'utf8')).toBe(marked);
  const damages = [
    () => writeFile(record, '{"digest": "of other'),
    () => writeFile(record, JSON.stringify({ digest: 'of other sources', bundles: [] })),
    () => rm(file),
  ];
  // Each build takes seconds.
  for (const damage of damages.slice(0, soakable(1, damages.length))) {
    await writeFile(file, marked);
    await damage();
    expect(await current()).toEqual(made);
    expect(await readFile(file, 'utf8')).toBe(code);
  }
});

test('an operation that no file of its group exports fails the build', async () => {
  const [operation] = OPERATION_GROUPS.users ?? [];
  if (!operation) throw new Error('there are no operations');
  const building = build({
    ...BUNDLE_OPTIONS,
    entryPoints: [fileURLToPath(new URL('../../functions/users/handler.ts', import.meta.url))],
    plugins: [lateOperations('users', [{ ...operation }]), ...BUNDLE_OPTIONS.plugins],
    outdir: dir,
    splitting: true,
    write: false,
    logLevel: 'silent',
  });
  await expect(building).rejects.toThrow('no file of functions/users exports');
});

test('modules of Node that are loaded late work', async () => {
  const source = `
    import { parse } from 'node:querystring';
    import { deflateRawSync, inflateRawSync } from 'node:zlib';
    const before = process.moduleLoadList.includes('NativeModule zlib');
    const text = inflateRawSync(deflateRawSync('a text')).toString();
    console.log(JSON.stringify([before, text, parse('a=1&a=2')]));`;
  expect(await runBundled('late', source, {})).toEqual([false, 'a text', { a: ['1', '2'] }]);
});

test('a bundled client calls the address in AWS_ENDPOINT_URL_<SERVICE> with the credentials of the environment', async () => {
  const asked: { service: string; key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const key = /Credential=([^/]+)/.exec(request.headers.authorization ?? '')?.[1];
    asked.push({ service: request.url?.split('/')[1] ?? '', key });
    response.end(request.url === '/sns/' ? '<PublishResponse/>' : '{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const endpoint = (service: string): string => `http://127.0.0.1:${address.port}/${service}`;
  const source = `
    import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
    import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
    import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
    import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
    import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
    const Key = { pk: { S: 'a' }, sk: { S: 'b' } };
    const event = { Source: 'a', DetailType: 'b', Detail: '{}' };
    await new DynamoDBClient({}).send(new GetItemCommand({ TableName: 't', Key }));
    await new EventBridgeClient({}).send(new PutEventsCommand({ Entries: [event] }));
    await new SecretsManagerClient({}).send(new GetSecretValueCommand({ SecretId: 's' }));
    await new SESv2Client({}).send(new SendEmailCommand({ Content: {} }));
    await new SNSClient({}).send(new PublishCommand({ PhoneNumber: '+15005550006', Message: 'hi' }));
    console.log('true');`;
  try {
    await runBundled('clients', source, {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'the-key',
      AWS_SECRET_ACCESS_KEY: 'the-secret',
      AWS_SESSION_TOKEN: 'the-token',
      AWS_ENDPOINT_URL_DYNAMODB: endpoint('dynamodb'),
      AWS_ENDPOINT_URL_EVENTBRIDGE: endpoint('eventbridge'),
      AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint('secrets'),
      AWS_ENDPOINT_URL_SESV2: endpoint('ses'),
      AWS_ENDPOINT_URL_SNS: endpoint('sns'),
    });
  } finally {
    server.close();
  }
  expect(asked).toEqual(
    ['dynamodb', 'eventbridge', 'secrets', 'ses', 'sns'].map((service) => ({ service, key: 'the-key' })),
  );
});

test('a bundled client without credentials fails with an error that names them', async () => {
  const source = `
    import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
    const read = new GetItemCommand({ TableName: 't', Key: {} });
    await new DynamoDBClient({ endpoint: 'http://127.0.0.1:1' }).send(read).catch((error) => {
      console.log(JSON.stringify(error.message));
    });`;
  expect(await runBundled('credentials', source, { AWS_REGION: 'eu-central-1' })).toContain(
    'environment variable credentials',
  );
});
