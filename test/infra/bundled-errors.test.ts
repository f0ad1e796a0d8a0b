import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS } from '../../infra/bundle/options.ts';

const run = promisify(execFile);

/** Reads from tables whose names the server answers as errors. */
const SOURCE = `
  import { DynamoDBClient, GetItemCommand, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
  import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
  const client = new DynamoDBClient({});
  const met = [];
  for (const TableName of ['ResourceNotFoundException', 'ResourceInUseException', 'UnheardOfException']) {
    await client.send(new GetItemCommand({ TableName, Key: {} })).catch((error) => {
      const kinds = [ResourceNotFoundException, DynamoDBServiceException];
      const { name, message, $fault } = error;
      met.push([name, message, $fault, ...kinds.map((kind) => error instanceof kind)]);
    });
  }
  console.log(JSON.stringify(met));`;

test('a bundled client tells errors of the service apart, and gives unknown ones their name and base', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'hub-errors-'));
  const server = createServer(async (request, response) => {
    const { TableName }: { TableName: string } = JSON.parse(
      Buffer.concat(await request.toArray()).toString(),
    );
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${TableName}`, message: 'no' }));
  }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    const outfile = join(dir, 'errors.mjs');
    const stdin = { contents: SOURCE, resolveDir: import.meta.dirname };
    await build({ ...BUNDLE_OPTIONS, stdin, outfile });
    const env = {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${address.port}`,
    };
    const { stdout } = await run(process.execPath, [outfile], { env });
    expect(JSON.parse(stdout)).toEqual([
      ['ResourceNotFoundException', 'no', 'client', true, true],
      ['ResourceInUseException', 'no', 'client', false, true],
      ['UnheardOfException', 'no', 'client', false, true],
    ]);
  } finally {
    server.close();
    await rm(dir, { recursive: true });
  }
});

test('a function that expects an error without a class is not bundled', async () => {
  const contents = `import { TableInUseException } from '@aws-sdk/client-dynamodb'; console.log(TableInUseException);`;
  const stdin = { contents, resolveDir: import.meta.dirname };
  await expect(build({ ...BUNDLE_OPTIONS, stdin, write: false, logLevel: 'silent' })).rejects.toThrow(
    /No matching export .* for import "TableInUseException"/,
  );
});
