import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { countReferred } from '../../shared/data/users/users.ts';

export const getReferredUserCount = defineOperation({
  method: 'GET',
  path: '/get_referred_user_count',
  name: 'get_referred_user_count',
  summary: 'Count the users whom a user referred',
  caller: 'user',
  scope: 'read',
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({ referral_code: z.string(), referred_user_count: integer() }),
  errors: ['user_unknown'],
  table: 'read',
  handler: async (_input, call) => {
    const { referral_code: code } = await call.user();
    return { referral_code: code, referred_user_count: await countReferred(call.store, code) };
  },
});
