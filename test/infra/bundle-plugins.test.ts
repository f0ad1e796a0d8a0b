import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { UNUSED_METHODS } from '../../infra/bundle/lean-zod.ts';
import { BUNDLE_OPTIONS } from '../../infra/bundle/options.ts';

const run = promisify(execFile);
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hub-plugins-'));
});

afterAll(async () => {
  await rm(dir, { recursive: true });
});

/** Schemas of Zod with the parts that are changed first. */
const ZOD = `inst._zod.processJSONSchema = 1;
export const methods = {
    email(params) {
        return this.check(core._email(ZodEmail, params));
    },
};
`;

/** Bundles a module like a function. */
const bundled = async (name: string, contents: string): Promise<string> => {
  const outfile = join(dir, `${name}.mjs`);
  await build({ ...BUNDLE_OPTIONS, stdin: { contents, resolveDir: import.meta.dirname }, outfile });
  return outfile;
};

describe('built-in modules in a bundle', () => {
  const SOURCE = `
    import { EventEmitter } from 'node:events';
    import { request } from 'node:http';
    import https from 'node:https';
    import { lookup } from 'node:dns';
    import { deflateRawSync } from 'node:zlib';
    export class Emitter extends EventEmitter {}
    export const call = () => {
      request('http://127.0.0.1:1').on('error', () => undefined).destroy();
      https.request('https://127.0.0.1:1').on('error', () => undefined).destroy();
      lookup('localhost', () => undefined);
      deflateRawSync('a text');
    };`;

  /** Replaces functions of built-in modules like a tracer, before or after the bundle is loaded. */
  const DRIVER = `
    import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    const [file, order] = process.argv.slice(1);
    const seen = [];
    const trace = (module, name) => {
      const exports = require(module);
      const original = exports[name];
      exports[name] = function (...given) {
        seen.push(module + '.' + name);
        return original.apply(this, given);
      };
    };
    const patch = () => {
      for (const [module, name] of [['http', 'request'], ['https', 'request'], ['dns', 'lookup'], ['zlib', 'deflateRawSync']])
        trace(module, name);
    };
    if (order === 'before') patch();
    const { call, Emitter } = await import(file);
    if (order === 'after') patch();
    call();
    console.log(JSON.stringify({ seen, isEmitter: new Emitter() instanceof require('events') }));`;

  test.each(['before', 'after'])(
    'show their calls to a tracer that patches them %s the bundle is loaded',
    async (order) => {
      const file = await bundled('traced', SOURCE);
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', DRIVER, file, order]);
      expect(JSON.parse(stdout)).toEqual({
        seen: ['http.request', 'https.request', 'dns.lookup', 'zlib.deflateRawSync'],
        isEmitter: true,
      });
    },
  );
});

/** Runs a bundled program whose clients talk to a server with these answers. Returns what the program prints. */
const printedWith = async (
  answer: (request: IncomingMessage) => string | Promise<string>,
  name: string,
  source: string,
): Promise<string> => {
  const server = createServer(async (request, response) => {
    const body = await answer(request);
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(body);
  }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    const env = {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${address.port}`,
    };
    const { stdout } = await run(process.execPath, [await bundled(name, source)], { env });
    return stdout.trim();
  } finally {
    server.close();
  }
};

test('a bundled client logs its calls to the logger that it is given, and only to that one', async () => {
  const printed = await printedWith(
    () => '{}',
    'logged',
    `import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
     const logged = [];
     const log = (level) => (line) => logged.push([level, line.commandName]);
     const logger = { debug() {}, trace() {}, info: log('info'), warn: log('warn'), error: log('error') };
     const read = () => new GetItemCommand({ TableName: 't', Key: {} });
     await new DynamoDBClient({ logger }).send(read());
     await new DynamoDBClient({ logger, endpoint: 'http://127.0.0.1:1', maxAttempts: 1 }).send(read()).catch(() => undefined);
     await new DynamoDBClient({}).send(read());
     console.log(JSON.stringify(logged));`,
  );
  expect(printed.split('\n')).toEqual([
    JSON.stringify([
      ['info', 'GetItemCommand'],
      ['error', 'GetItemCommand'],
    ]),
  ]);
});

test('a bundled client sends long texts complete, and reads times', async () => {
  const bodies: string[] = [];
  const printed = await printedWith(
    async (request) => {
      bodies.push(Buffer.concat(await request.toArray()).toString());
      return '{"Table": {"CreationDateTime": 1780000000.5}}';
    },
    'sent',
    `import { DescribeTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
     const client = new DynamoDBClient({});
     const Item = { text: { S: '"Zürich" 😀\\n'.repeat(2000) }, bytes: { B: new Uint8Array([0, 255, 128]) } };
     await client.send(new PutItemCommand({ TableName: 't', Item }));
     const { Table } = await client.send(new DescribeTableCommand({ TableName: 't' }));
     console.log(Table.CreationDateTime.toISOString());`,
  );
  expect(printed).toBe('2026-05-28T20:26:40.500Z');
  expect(bodies.map((body) => JSON.parse(body))).toEqual([
    { TableName: 't', Item: { text: { S: '"Zürich" 😀\n'.repeat(2000) }, bytes: { B: 'AP+A' } } },
    { TableName: 't' },
  ]);
});

test('a bundled schema of trees reads an object in two places', async () => {
  const file = await bundled(
    'trees',
    `import * as z from 'zod';
     const tree = z.object({ name: z.string(), parts: z.array(z.lazy(() => tree)).default([]) });
     const leaf = { name: 'leaf' };
     console.log(JSON.stringify(tree.safeParse({ name: 'root', parts: [leaf, { name: 'twig', parts: [leaf] }] })));`,
  );
  const { stdout } = await run(process.execPath, [file]);
  const leaf = { name: 'leaf', parts: [] };
  expect(JSON.parse(stdout)).toEqual({
    success: true,
    data: { name: 'root', parts: [leaf, { name: 'twig', parts: [leaf] }] },
  });
});

test('a bundled schema has no texts of Zod, and throws for a method that is left out', async () => {
  const file = await bundled(
    'schemas',
    `import * as z from 'zod';
     const thrown = (make) => { try { make(); } catch (error) { return error.message; } };
     const [issue] = z.object({ name: z.string() }).safeParse({ name: 1 }).error.issues;
     console.log(JSON.stringify([issue, thrown(() => z.string().email()), thrown(() => z.string().and(z.int()))]));`,
  );
  const { stdout } = await run(process.execPath, [file]);
  expect(JSON.parse(stdout)).toEqual([
    { code: 'invalid_type', expected: 'string', path: ['name'], message: 'Invalid input' },
    expect.stringContaining('use z.email()'),
    expect.stringContaining('this method is left out of the bundles'),
  ]);
});

describe('a dependency that has changed fails the build', () => {
  /** Bundles these files of node_modules with an entry that imports them, and returns the errors. */
  const errorsOf = async (files: Readonly<Record<string, string>>): Promise<string[]> => {
    const root = await mkdtemp(join(dir, 'changed-'));
    for (const [path, contents] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), contents);
    }
    const contents = Object.keys(files)
      .map((path) => `import ${JSON.stringify(`./${path}`)};`)
      .join('\n');
    const stdin = { contents, resolveDir: root };
    const outcome = await build({ ...BUNDLE_OPTIONS, stdin, write: false, logLevel: 'silent' }).catch(
      (failure: unknown) => failure,
    );
    if (!(typeof outcome === 'object' && outcome !== null && 'errors' in outcome)) throw outcome;
    if (!Array.isArray(outcome.errors)) throw new Error('the build returns no errors');
    return outcome.errors.map(({ text }) => String(text));
  };

  const OTHER = 'export const other = 1;';

  test.each([
    [
      '@aws-sdk/client-a/dist-es/schemas/schemas_0.js',
      OTHER,
      'the AWS SDK no longer writes keys of schemas as constants',
    ],
    [
      '@aws-sdk/client-a/dist-es/schemas/schemas_0.js',
      'const _a = "a";\nexport const schema = { [_a]: 1, [names.b]: 2 };',
      'the key [names.b] of schemas of the AWS SDK is no constant',
    ],
    [
      '@aws-sdk/client-dynamodb/dist-es/models/errors.js',
      OTHER,
      'the AWS SDK no longer has a class for each error',
    ],
    ['a/middleware-retry/retryMiddleware.js', OTHER, 'the AWS SDK no longer creates an error for every call'],
    [
      'a/schemaDeserializationMiddleware.js',
      OTHER,
      'the AWS SDK no longer copies its configuration for every call',
    ],
    [
      'a/schemaSerializationMiddleware.js',
      OTHER,
      'the AWS SDK no longer copies its configuration for every call',
    ],
    ['a/dist-es/node-http-handler.js', OTHER, 'the AWS SDK no longer imports modules of Node late'],
    ['a/dist-es/invoke-store.js', OTHER, 'the AWS SDK no longer imports modules of Node late'],
    ['a/protocols/HttpProtocol.js', OTHER, 'the AWS SDK no longer imports event streams late'],
    ['a/middleware-logger/loggerMiddleware.js', OTHER, 'the AWS SDK no longer logs calls by one middleware'],
    [
      '@aws-sdk/client-a/package.json',
      '{"name": "a"}',
      'the AWS SDK no longer has its version in its package.json',
    ],
    ['zod/v4/classic/schemas.js', OTHER, 'Zod no longer sets processJSONSchema line by line'],
    [
      'zod/v4/classic/schemas.js',
      'inst._zod.processJSONSchema = 1;',
      'Zod no longer has a method of strings for each format',
    ],
    ['zod/v4/classic/schemas.js', ZOD, 'Zod no longer imports its utilities as a namespace of its index'],
    [
      'zod/v4/classic/schemas.js',
      `${ZOD}import { util } from "../core/index.js";`,
      'Zod no longer has a method that no schema of the project calls',
    ],
    [
      'zod/v4/classic/schemas.js',
      `${ZOD}import { util } from "../core/index.js";
export const unused = {
${UNUSED_METHODS.map((name) => `    ${name}() {\n        return this;\n    },\n`).join('')}
};`,
      'Zod no longer sets English texts with the first schema',
    ],
    [
      'zod/v4/classic/schemas.js',
      `${ZOD}import { util } from "../core/index.js";
export const unused = {
${UNUSED_METHODS.map((name) => `    ${name}() {\n        return this;\n    },\n`).join('')}
};
function _ensureDefaultLocale() {
    core.config(en());
}`,
      'Zod no longer sets a memoizer with the first container',
    ],
    [
      'zod/v4/core/to-json-schema.js',
      'export default 1;',
      'Zod no longer exports its generator of JSON Schema by name',
    ],
    [
      'zod/v4/core/json-schema-processors.js',
      'export default 1;',
      'Zod no longer exports the parts of its generator of JSON Schema by name',
    ],
    ['libphonenumber-js/core/index.js', OTHER, 'libphonenumber-js no longer exports its build for ES5'],
    [
      'libphonenumber-js/metadata.min.json.js',
      'export default {"version":5,"countries":{}}',
      'libphonenumber-js no longer has metadata of version 4 in one module',
    ],
  ])('%s: %s', async (file, contents, failure) => {
    const [error, ...more] = await errorsOf({ [`node_modules/${file}`]: contents });
    expect(error).toContain(failure);
    expect(more).toEqual([]);
  });

  test.each([
    [
      '@aws-sdk/client-dynamodb',
      [
        'the AWS SDK no longer imports ^@aws-sdk\\/credential-provider-node$',
        'the AWS SDK no longer imports \\/sha256\\/Sha256Node$',
        'the AWS SDK no longer imports \\/date-utils$',
        'the AWS SDK no longer imports \\/JsonBytesStringAdapter$',
        'the AWS SDK no longer imports \\/HttpBindingNormalizedSchema$',
        'the AWS SDK no longer creates an error for every call: there is no file',
        'the AWS SDK no longer has its version in its package.json: there is no file',
      ],
    ],
    ['zod', ['Zod no longer sets processJSONSchema line by line: there is no file']],
    ['libphonenumber-js/min', ['libphonenumber-js no longer exports its build for ES5: there is no file']],
  ])('%s without the files that are changed', async (specifier, failures) => {
    const errors = await errorsOf({
      [`node_modules/${specifier}/index.js`]: OTHER,
      'entry.js': `import * as all from ${JSON.stringify(specifier)}; console.log(all);`,
    });
    for (const failure of failures) {
      expect(errors).toContainEqual(expect.stringContaining(failure));
    }
  });
});
