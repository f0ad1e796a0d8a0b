import * as z from 'zod';
import type { Assets } from '../../shared/api/assets.ts';
import { defineOperation, type Operation } from '../../shared/api/operation.ts';
import { sendAsset } from '../../shared/api/send-asset.ts';

export const openapi = (assets: Assets): Operation =>
  defineOperation({
    method: 'GET',
    path: '/openapi.json',
    name: 'openapi',
    summary: 'Get this OpenAPI document',
    caller: 'anyone',
    extension: true,
    input: {},
    output: z.never(),
    errors: [],
    table: 'none',
    handler: async (_input, call) =>
      sendAsset(await assets('openapi.json'), call, {
        type: 'application/json',
      }),
  });
