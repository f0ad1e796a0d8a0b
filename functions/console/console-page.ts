import * as z from 'zod';
import type { Assets } from '../../shared/api/assets.ts';
import { defineOperation, type Operation } from '../../shared/api/operation.ts';
import { pagePolicy } from '../../shared/api/page-policy.ts';
import { sendAsset } from '../../shared/api/send-asset.ts';

const POLICY = pagePolicy(
  "img-src 'self'",
  "worker-src 'self'",
  "require-trusted-types-for 'script'",
  // Of the address of the service worker, app/push.ts.
  'trusted-types console-worker',
);

export const consolePage = (assets: Assets): Operation =>
  defineOperation({
    method: 'GET',
    path: '/console',
    name: 'console',
    summary: 'Show the console',
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
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
      }),
  });
