import { ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { fromAttributes, type Item } from '../../shared/data/table/attributes.ts';
import type { Store } from '../../shared/data/table/store.ts';

/**
 * Returns a store that answers queries of due items from one scan of their index. A look at the outbox would otherwise
 * take 40 calls, as each lane has eight partitions.
 */
export const scanDue = async (store: Store): Promise<Store> => {
  const items: Item[] = [];
  let from: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const page = await store.client.send(
      new ScanCommand({ TableName: store.table, IndexName: 'due', ...(from && { ExclusiveStartKey: from }) }),
    );
    items.push(...(page.Items ?? []).map(fromAttributes));
    from = page.LastEvaluatedKey;
  } while (from);
  return Object.create(store, {
    queryItems: {
      value: async ({ ExpressionAttributeValues: values }: Parameters<Store['queryItems']>[0]) =>
        items.filter(
          ({ due_kind, due_at }) =>
            due_kind === values?.[':kind'] && Number(due_at) <= Number(values?.[':now']),
        ),
    },
  });
};
