import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS } from '../../infra/bundle/options.ts';

const run = promisify(execFile);
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hub-plugins-'));
});

afterAll(async () => {
  await rm(dir, { recursive: true });
});

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

test('an AWS client in a bundle takes its settings from the environment alone', async () => {
  const file = await bundled(
    'settings',
    `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
    console.log(await new DynamoDBClient({}).config.region().catch(({ message }) => message));`,
  );
  const config = join(dir, 'config');
  await writeFile(config, '[default]\nregion = eu-north-1\n');
  const env = { PATH: process.env.PATH, AWS_CONFIG_FILE: config };
  const of = async (more: Record<string, string>) =>
    (await run(process.execPath, [file], { env: { ...env, ...more } })).stdout.trim();
  expect(await of({ AWS_REGION: 'eu-west-1' })).toBe('eu-west-1');
  expect(await of({})).toBe('Region is missing');
});

test('schemas in a bundle check as ever, and write no JSON Schema', async () => {
  const file = await bundled(
    'schemas',
    `import * as z from 'zod';
    const schema = z.object({ a: z.string().min(2).max(3), b: z.int().gte(1).multipleOf(2), c: z.email().optional() });
    const messages = (value) => schema.safeParse(value).error?.issues.map(({ path, code }) => [...path, code].join(' '));
    const attempt = (call) => { try { return call(); } catch ({ message }) { return message; } };
    console.log(JSON.stringify({
      right: messages({ a: 'ab', b: 2, c: 'a@b.cd' }),
      wrong: messages({ a: 'a', b: 0.5, c: 'a' }),
      written: attempt(() => z.toJSONSchema(schema)),
      limit: attempt(() => schema.shape.a.minLength),
    }));`,
  );
  const leftOut = 'the bundle has no writer of JSON Schemas';
  expect(JSON.parse((await run(process.execPath, [file])).stdout)).toEqual({
    wrong: ['a too_small', 'b invalid_type', 'c invalid_format'],
    written: leftOut,
    limit: leftOut,
  });
});

test.each([
  ['@aws-sdk/client-dynamodb', 'the AWS SDK', '@aws-sdk/credential-provider-node'],
  ['@aws-sdk/client-dynamodb', 'the AWS SDK', 'loadSharedConfigFiles'],
  ['@aws-sdk/client-dynamodb', 'the AWS SDK', '@smithy/core/event-streams'],
  ['zod', 'zod', 'to-json-schema.js'],
  ['zod', 'zod', 'json-schema-processors.js'],
])('a %s with which %s no longer imports %s fails the build', async (library, name, module) => {
  const folder = join(dir, 'node_modules', library);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'index.js'), 'export const other = 1;');
  const contents = `import { other } from '${library}'; console.log(other);`;
  const building = build({
    ...BUNDLE_OPTIONS,
    stdin: { contents, resolveDir: dir },
    write: false,
    logLevel: 'silent',
  });
  await expect(building).rejects.toThrow(`${name} no longer imports ${module}`);
});
