import * as z from 'zod';
import { marksIn, notificationList, unreadCount, unreadFrom } from '../deployments/notifications.ts';
import { entryKey, headKey } from '../numbered-list/numbered-list.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import { MAX_TOGETHER, readDeployments, stateOf } from './owned-deployments.ts';
import { repaired } from './repaired.ts';
import type { Tally } from './tally.ts';

const MAX_UNREAD = 20_000;

/** Reads the number of notifications per deployment since the user last read them. */
const readUnread = async (store: Store, userId: string) => {
  const list = notificationList(userId);
  const [head] = await store.getMany([headKey(list)], { consistent: true });
  const marks = marksIn(head);
  const from = unreadFrom(marks);
  const unread = await store.query(
    {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
      ExpressionAttributeValues: {
        ':pk': list.pk,
        ':low': entryKey(list, from).sk,
        ':high': entryKey(list, 10 ** 12 - 1).sk,
      },
      ProjectionExpression: 'deployment_id',
      Limit: MAX_UNREAD + 1,
      ConsistentRead: true,
    },
    z.object({ deployment_id: z.number().optional() }),
  );
  const byDeployment = Map.groupBy(unread, ({ deployment_id }) => deployment_id);
  return { marks, tooMany: unread.length > MAX_UNREAD, byDeployment };
};

const measureUnread = async (store: Store, userId: string) => {
  // A notification changes the version of its deployment, which is read first and guards the correction.
  // Notifications of trading deployments arrive later than their cause and are not counted per deployment.
  const read = (await readDeployments(store, userId)) ?? [];
  const deployments = read.filter(({ kind }) => kind !== 'live');
  if (deployments.length === 0) return undefined;
  const { marks, tooMany, byDeployment } = await readUnread(store, userId);
  if (tooMany) return undefined;
  const wrong = deployments.flatMap((deployment) => {
    const was = unreadCount(deployment.unread, marks);
    const is = byDeployment.get(deployment.deployment_id)?.length ?? 0;
    return was === is ? [] : [{ deployment, was, is }];
  });
  return wrong.length > 0 ? { marks, batch: wrong.slice(0, MAX_TOGETHER), all: wrong.length } : undefined;
};

type Unread = NonNullable<Awaited<ReturnType<typeof measureUnread>>>;

const wordsOf = ({ batch }: Pick<Unread, 'batch'>): string[] =>
  batch.map(({ deployment, was, is }) => `deployment ${deployment.deployment_id} was ${was}, is ${is}`);

/** Checks and corrects the number of unread notifications per deployment. */
export const reconcileUnread = async (store: Store, userId: string, tally: Tally): Promise<void> => {
  for (let left = 1; left > 0; ) {
    let words: string[] = [];
    const outcome = await repaired({
      store,
      measure: () => measureUnread(store, userId),
      same: (one, other) =>
        wordsOf(one).join() === wordsOf(other).join() &&
        stateOf(one.batch.map(({ deployment }) => deployment)) ===
          stateOf(other.batch.map(({ deployment }) => deployment)),
      writes: (_, last) => {
        words = wordsOf(last);
        left = last.all - last.batch.length;
        return last.batch.map(({ deployment, is }) => ({
          key: keys.deployment(deployment.deployment_id),
          update: 'SET unread = :unread, version = version + :one',
          condition: 'version = :version',
          values: {
            ':unread': { mark: last.marks.mark_number, count: is },
            ':one': 1,
            ':version': deployment.version,
          },
        }));
      },
    });
    if (outcome === 'right') return;
    if (outcome === 'busy') return tally.add('unread_count', 'busy');
    for (const what of words) tally.add('unread_count', outcome, what);
  }
};
