import * as z from 'zod';
import type { Assets } from '../../shared/api/assets.ts';
import { defineOperation, type Operation } from '../../shared/api/operation.ts';
import { pagePolicy } from '../../shared/api/page-policy.ts';
import { sendAsset } from '../../shared/api/send-asset.ts';

const POLICY = pagePolicy("img-src 'self' data:");

export const docs = (assets: Assets): Operation =>
  defineOperation({
    method: 'GET',
    path: '/docs',
    name: 'docs',
    summary: 'Show the interactive API reference',
    caller: 'anyone',
    extension: true,
    input: {},
    output: z.never(),
    errors: [],
    table: 'none',
    handler: async (_input, call) =>
      sendAsset(await assets('index.html'), call, {
        type: 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
      }),
  });
