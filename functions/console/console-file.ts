import * as z from 'zod';
import type { Assets } from '../../shared/api/assets.ts';
import { defineOperation, type Operation } from '../../shared/api/operation.ts';
import { plainError, sendAsset } from '../../shared/api/send-asset.ts';
import { CONSOLE_TYPES, FILE_LIST, fileListSchema, WORKER_FILE } from './console-files.ts';

/** Reads the names of the console's files, which hold hashes of their contents, from the list of the build. */
const namesIn = async (assets: Assets): Promise<ReadonlySet<string>> => {
  const list = await (await assets(FILE_LIST)).plain();
  return new Set(fileListSchema.parse(JSON.parse(list.toString())).files);
};

export const consoleFile = (assets: Assets): Operation => {
  let names: Promise<ReadonlySet<string>> | undefined;
  return defineOperation({
    method: 'GET',
    path: '/console/{file}',
    name: 'console_file',
    summary: 'Get a file of the console',
    caller: 'anyone',
    extension: true,
    input: { params: z.object({ file: z.string() }) },
    output: z.never(),
    answers: { 404: { description: 'There is no such file', schema: z.string() } },
    errors: [],
    table: 'none',
    handler: async ({ params: { file } }, call) => {
      if (file === WORKER_FILE) {
        return sendAsset(await assets(file), call, {
          type: 'text/javascript; charset=utf-8',
          'content-security-policy': "default-src 'none'",
        });
      }
      names ??= namesIn(assets).catch((error: unknown) => {
        // The next request tries again.
        names = undefined;
        throw error;
      });
      const type = CONSOLE_TYPES.get(file.slice(file.lastIndexOf('.')));
      if (type === undefined || !(await names).has(file)) return plainError(404, 'Not Found');
      const cache = 'public, max-age=31536000, immutable';
      return sendAsset(await assets(file), call, { type, 'cache-control': cache });
    },
  });
};
