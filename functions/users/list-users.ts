import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { listDummyUsers } from '../../shared/data/users/dummy-users.ts';
import { dummyUser } from './records/dummy-user.ts';

export const listUsers = defineOperation({
  method: 'GET',
  path: '/users',
  name: 'list_users',
  summary: 'List the dummy users',
  description: 'Illustrative records, separate from real users. Newest first, at most 100.',
  caller: 'anyone',
  input: {},
  output: z.array(dummyUser),
  errors: [],
  table: 'read',
  handler: (_input, call) => listDummyUsers(call.store),
});
