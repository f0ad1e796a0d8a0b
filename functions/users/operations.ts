import type { Operation } from '../../shared/api/operation.ts';
import { createUser } from './create-user.ts';
import { listUsers } from './list-users.ts';
import { removeUser } from './remove-user.ts';

/** Illustrative operations on dummy users. */
export const usersOperations: readonly Operation[] = [listUsers, createUser, removeUser];
