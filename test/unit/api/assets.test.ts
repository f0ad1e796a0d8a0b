import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { consoleOperationsWith } from '../../../functions/console/operations.ts';
import { assetsIn } from '../../../shared/api/assets.ts';
import { Gateway } from '../../contract/gateway.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'assets-'));
});
afterAll(() => rm(directory, { recursive: true }));

const write = (name: string, text: string) => writeFile(join(directory, `${name}.gz`), gzipSync(text));

test('a file of the console that could not be read is read at the next request, and only once then', async () => {
  const gateway = new Gateway(consoleOperationsWith(assetsIn(pathToFileURL(`${directory}/`))));
  const statusOf = async () => {
    const routeKey = 'GET /console/{file}';
    const { status } = await gateway.send({ routeKey, path: '/console/a.js', params: { file: 'a.js' } });
    return status;
  };
  expect(await statusOf()).toBe(500);
  await write('files.json', JSON.stringify({ files: ['a.js'] }));
  expect(await statusOf()).toBe(500);
  await write('a.js', '1');
  expect(await statusOf()).toBe(200);
  await rm(join(directory, 'a.js.gz'));
  expect(await statusOf()).toBe(200);
});
