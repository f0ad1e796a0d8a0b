import {
  type AttributeDefinition,
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
  ResourceInUseException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { TABLE } from '../../shared/data/table.ts';

const INDEXES = TABLE.indexes.map(
  ({ name, partitionKey, sortKey, projection }): GlobalSecondaryIndex => ({
    IndexName: name,
    KeySchema: [
      { AttributeName: partitionKey, KeyType: 'HASH' },
      { AttributeName: sortKey, KeyType: 'RANGE' },
    ],
    Projection: { ProjectionType: projection },
  }),
);

const ATTRIBUTES: AttributeDefinition[] = [
  { AttributeName: TABLE.partitionKey, AttributeType: 'S' },
  { AttributeName: TABLE.sortKey, AttributeType: 'S' },
  ...TABLE.indexes.flatMap(({ partitionKey, sortKey, sortType }): AttributeDefinition[] => [
    { AttributeName: partitionKey, AttributeType: 'S' },
    { AttributeName: sortKey, AttributeType: sortType },
  ]),
];

const create = async (client: DynamoDBClient, table: string): Promise<void> => {
  try {
    await client.send(
      new CreateTableCommand({
        TableName: table,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: ATTRIBUTES,
        KeySchema: [
          { AttributeName: TABLE.partitionKey, KeyType: 'HASH' },
          { AttributeName: TABLE.sortKey, KeyType: 'RANGE' },
        ],
        GlobalSecondaryIndexes: INDEXES,
        StreamSpecification: { StreamEnabled: true, StreamViewType: TABLE.stream },
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName: table });
};

/** Data written by an older version may lack an index that the table has since been given. */
const addMissingIndexes = async (client: DynamoDBClient, table: string): Promise<void> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table }));
  const present = new Set(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  for (const index of INDEXES.filter(({ IndexName }) => !present.has(IndexName))) {
    await client.send(
      new UpdateTableCommand({
        TableName: table,
        AttributeDefinitions: ATTRIBUTES,
        GlobalSecondaryIndexUpdates: [{ Create: index }],
      }),
    );
    await waitUntilTableExists({ client, maxWaitTime: 600, minDelay: 1 }, { TableName: table });
  }
};

const expireItems = async (client: DynamoDBClient, table: string): Promise<void> => {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: table }));
  if (TimeToLiveDescription?.AttributeName === TABLE.timeToLive) return;
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: table,
      TimeToLiveSpecification: { AttributeName: TABLE.timeToLive, Enabled: true },
    }),
  );
};

/** Creates the table as the stack does: keys, indexes, stream, expiry. Does nothing where it exists. */
export const createTable = async (client: DynamoDBClient, table: string): Promise<void> => {
  await create(client, table);
  await addMissingIndexes(client, table);
  await expireItems(client, table);
};
