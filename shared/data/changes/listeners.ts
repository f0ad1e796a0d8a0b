import type { Deployment } from '../deployments/deployments.ts';
import { bounded, keys } from '../table/keys.ts';
import type { Key } from '../table/writes.ts';

/** Reader of change events. */
export type Listener = { readonly user_id: string } | { readonly broker_id: number };

/** Returns the log of a user. */
export const userLog = (userId: string): string => `USER#${bounded(userId)}`;

/** Returns the key of the item that exists while somebody listens. */
export const listeningKey = (listener: Listener): Key =>
  keys.changeListening('user_id' in listener ? userLog(listener.user_id) : `BROKER#${listener.broker_id}`);

/** Returns the readers of a deployment's change events. */
export const listenedBy = (
  { user, broker }: { readonly user: boolean; readonly broker: boolean },
  known: Deployment['listened'],
): Deployment['listened'] => {
  if (!user && !broker) return undefined;
  return { ...known, user: user ? true : undefined, broker: broker ? true : undefined };
};
