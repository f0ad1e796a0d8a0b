import * as z from 'zod';
import { keys } from '../../shared/data/table/keys.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { findUser, type User } from '../../shared/data/users/users.ts';
import { UsageError } from './command-line.ts';

const ownerSchema = z.object({ user_id: z.string().optional() });

/** Finds a user by user_id or e-mail. @throws UsageError for an unknown one. */
export const findNamedUser = async (store: Store, name: string): Promise<User> => {
  const named = name.includes('@') ? await store.get(keys.credentials(name), ownerSchema) : { user_id: name };
  const found = named?.user_id === undefined ? undefined : await findUser(store, named.user_id);
  if (!found) throw new UsageError('There is no such user.');
  return found;
};
