import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { getCountries, getExampleNumber, isValidPhoneNumber } from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { BUNDLE_OPTIONS } from '../../infra/bundle/options.ts';
import { bundleFunctions, MAX_BUNDLE_BYTES } from '../../infra/bundle.ts';

const run = promisify(execFile);
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hub-bundle-'));
});

afterAll(async () => {
  await rm(dir, { recursive: true });
});

/** Bundles a module as functions are and runs it in a process of its own, with this environment only. */
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
  const bundles = await bundleFunctions({ outDir: join(dir, 'functions') });
  expect([...bundles.keys()].sort()).toEqual(FUNCTIONS.map(({ name }) => name).sort());
  for (const { file, bytes } of bundles.values()) {
    expect((await readFile(file)).byteLength).toBe(bytes);
    expect(bytes).toBeLessThanOrEqual(MAX_BUNDLE_BYTES);
  }
  // On AWS, the index of what is due is open to jobs alone.
  for (const { name, trigger } of FUNCTIONS) {
    const code = await readFile(bundles.get(name)?.file ?? '', 'utf8');
    if (code.includes('IndexName:"due"')) expect([name, trigger.kind]).toEqual([name, 'schedule']);
  }
  const script = `for (const file of process.argv.slice(1)) console.log(typeof (await import(file)).handler);`;
  const files = [...bundles.values()].map(({ file }) => file);
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, ...files], {
    env: {},
  });
  expect(stdout.trim().split('\n')).toEqual(files.map(() => 'function'));
});

test('a bundled client goes where AWS_ENDPOINT_URL_<SERVICE> says, whatever ~/.aws says', async () => {
  const asked: { service: string; key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const key = /Credential=([^/]+)/.exec(request.headers.authorization ?? '')?.[1];
    asked.push({ service: request.url?.split('/')[1] ?? '', key });
    response.end(request.url === '/sns/' ? '<PublishResponse/>' : '{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  await mkdir(join(dir, '.aws'));
  await writeFile(
    join(dir, '.aws', 'config'),
    '[default]\nregion = nowhere-1\nendpoint_url = http://127.0.0.1:1\n',
  );
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
      HOME: dir,
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

test('a bundled client without credentials says so', async () => {
  const source = `
    import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
    const read = new GetItemCommand({ TableName: 't', Key: {} });
    await new DynamoDBClient({ endpoint: 'http://127.0.0.1:1' }).send(read).catch((error) => {
      console.log(JSON.stringify(error.message));
    });`;
  expect(await runBundled('credentials', source, { AWS_REGION: 'eu-central-1' })).toContain(
    'AWS_ACCESS_KEY_ID',
  );
});

test('phone numbers are judged as by the whole library, in every country', async () => {
  const numbers = getCountries().flatMap((country) => {
    const { countryCallingCode = '', nationalNumber = '' } = getExampleNumber(country, examples) ?? {};
    const like = [nationalNumber, `${nationalNumber}1`, nationalNumber.slice(1)];
    return like.map((national) => `+${countryCallingCode}${national}`);
  });
  expect(numbers.length).toBeGreaterThan(600);
  const source = `
    import { isValidPhoneNumber } from 'libphonenumber-js/min';
    console.log(JSON.stringify(${JSON.stringify(numbers)}.filter((number) => isValidPhoneNumber(number))));`;
  expect(await runBundled('phone', source, {})).toEqual(
    numbers.filter((number) => isValidPhoneNumber(number)),
  );
});
