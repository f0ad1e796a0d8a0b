import * as z from 'zod';
import type { Assets } from '../../shared/api/assets.ts';
import { defineOperation, type Operation } from '../../shared/api/operation.ts';
import { plainError, sendAsset } from '../../shared/api/send-asset.ts';
import { REFERENCE_FILES } from './reference-files.ts';

export const docsFile = (assets: Assets): Operation =>
  defineOperation({
    method: 'GET',
    path: '/docs/{file}',
    name: 'docs_file',
    summary: 'Get a file of the API reference',
    caller: 'anyone',
    extension: true,
    input: { params: z.object({ file: z.string() }) },
    output: z.never(),
    answers: { 404: { description: 'There is no such file', schema: z.string() } },
    errors: [],
    table: 'none',
    handler: async ({ params: { file } }, call) => {
      const type = REFERENCE_FILES.get(file);
      if (type === undefined) return plainError(404, 'Not Found');
      return sendAsset(await assets(file), call, { type, 'cache-control': 'public, max-age=3600' });
    },
  });
