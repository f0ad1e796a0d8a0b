import { defineOperation } from '../../shared/api/operation.ts';
import { addDummyUser } from '../../shared/data/users/dummy-users.ts';
import { tidy } from '../../shared/domain/text.ts';
import { integerId } from '../../shared/ids.ts';
import { dummyUser, dummyUserIn } from './records/dummy-user.ts';

/** Digits of the largest safe integer. Identifiers of equal length sort as text. */
const ID_DIGITS = 16;

export const createUser = defineOperation({
  method: 'POST',
  path: '/users',
  name: 'create_user',
  summary: 'Create a dummy user',
  description: 'Keeps the newest 100: a further one replaces the oldest.',
  caller: 'anyone',
  input: { json: dummyUserIn },
  output: dummyUser,
  errors: [],
  table: 'write',
  handler: async ({ json }, call) => {
    const id = String(integerId(call.now, call.random)).padStart(ID_DIGITS, '0');
    const user = { id, name: tidy(json.name), email: json.email };
    await addDummyUser(call.store, user);
    return user;
  },
});
