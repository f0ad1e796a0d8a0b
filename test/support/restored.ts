import { type AttributeValue, BatchWriteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { createTable } from '../../infra/local/database/create-table.ts';
import { Store } from '../../shared/data/table/store.ts';

/** Items of a table at a moment. */
export type Snapshot = readonly Record<string, AttributeValue>[];

/** The most items of a call. */
const MAX_BATCH = 25;

/** Reads a table in one call, so that no transaction is seen in part. */
export const snapshotOf = async ({ client, table }: Store): Promise<Snapshot> => {
  const { Items: items = [], LastEvaluatedKey } = await client.send(
    new ScanCommand({ TableName: table, ConsistentRead: true }),
  );
  if (LastEvaluatedKey) throw new Error('the table does not fit into one page');
  return items;
};

/** Reads a table in small pages while others write, so that transactions are seen in part. */
export const tornSnapshotOf = async ({ client, table }: Store): Promise<Snapshot> => {
  const items: Record<string, AttributeValue>[] = [];
  let from: Record<string, AttributeValue> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new ScanCommand({
        TableName: table,
        ConsistentRead: true,
        Limit: 10,
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    items.push(...Items);
    from = LastEvaluatedKey;
  } while (from);
  return items;
};

let restored = 0;

/** Writes a snapshot to a new table, with the keys, indexes, stream and expiry of the service's table. */
export const restore = async (snapshot: Snapshot, { client, table }: Store): Promise<Store> => {
  const name = `${table}-restored-${++restored}`;
  await createTable(client, name, async () => {
    for (let from = 0; from < snapshot.length; from += MAX_BATCH) {
      const puts = snapshot.slice(from, from + MAX_BATCH).map((Item) => ({ PutRequest: { Item } }));
      const { UnprocessedItems } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [name]: puts } }),
      );
      if (Object.keys(UnprocessedItems ?? {}).length > 0) throw new Error('items were not written');
    }
  });
  return new Store(client, name);
};
