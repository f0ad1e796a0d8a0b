import * as z from 'zod';
import type { Assets } from '../../shared/api/assets.ts';
import { defineOperation, type Operation } from '../../shared/api/operation.ts';
import { sendAsset } from '../../shared/api/send-asset.ts';

/** Content policy of the page: nothing from another host, no inline script, no frame around it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

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
