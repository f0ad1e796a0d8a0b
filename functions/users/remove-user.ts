import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { removeDummyUser } from '../../shared/data/users/dummy-users.ts';

export const removeUser = defineOperation({
  method: 'DELETE',
  path: '/users/{id}',
  name: 'remove_user',
  summary: 'Remove a dummy user',
  caller: 'anyone',
  input: { params: z.object({ id: z.string().min(1).max(64) }) },
  output: z.object({ id: z.string(), removed: z.literal(true) }),
  errors: ['user_unknown'],
  table: 'write',
  handler: async ({ params: { id } }, call) => {
    if (!(await removeDummyUser(call.store, id))) {
      throw new HubError('user_unknown', 'There is no dummy user with this id.');
    }
    return { id, removed: true };
  },
});
