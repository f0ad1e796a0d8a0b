import * as z from 'zod';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

const entrySchema = z.object({ deployment_id: z.number() });

/** Returns the write that lists a deployment among those whose recorded candles are fed. */
export const replayWrite = (deploymentId: number): Write => ({
  put: { ...keys.replay(deploymentId), entity: 'replay', deployment_id: deploymentId },
});

/** Lists the deployments whose recorded candles are fed. */
export const listReplays = async (store: Store): Promise<number[]> => {
  const { pk } = keys.replay(0);
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
  const entries = await store.query(query, entrySchema);
  return entries.map(({ deployment_id }) => deployment_id);
};

/** Ends the replay of a deployment. Idempotent. */
export const endReplay = (store: Store, deploymentId: number): Promise<void> =>
  store.delete(keys.replay(deploymentId));
