import * as z from 'zod';
import { keys } from '../../shared/data/table/keys.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { findUser, type User } from '../../shared/data/users/users.ts';
import { UsageError } from './command-line.ts';

const ownerSchema = z.object({ user_id: z.string().optional() });

/** Returns the user_id that a user_id or e-mail names; undefined for an unknown e-mail. */
export const findNamedId = async (store: Store, name: string): Promise<string | undefined> =>
  name.includes('@') ? (await store.get(keys.credentials(name), ownerSchema))?.user_id : name;

/** Finds a user by user_id or e-mail. @throws UsageError for an unknown one. */
export const findNamedUser = async (store: Store, name: string): Promise<User> => {
  const userId = await findNamedId(store, name);
  const found = userId === undefined ? undefined : await findUser(store, userId);
  if (!found) throw new UsageError('There is no such user.');
  return found;
};
