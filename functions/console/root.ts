import * as z from 'zod';
import { defineOperation, RawAnswer } from '../../shared/api/operation.ts';

export const root = defineOperation({
  method: 'GET',
  path: '/',
  name: 'root',
  summary: 'Go to the console',
  caller: 'anyone',
  extension: true,
  input: {},
  output: z.never(),
  answers: { 302: { description: 'The address of the console', schema: z.string() } },
  errors: [],
  table: 'none',
  handler: async () => new RawAnswer(302, { location: '/console', 'cache-control': 'no-cache' }, ''),
});
