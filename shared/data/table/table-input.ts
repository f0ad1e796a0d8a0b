import type { AttributeDefinition, CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { TABLE } from './table.ts';

const keySchema = (partitionKey: string, sortKey: string): CreateTableCommandInput['KeySchema'] => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  { AttributeName: sortKey, KeyType: 'RANGE' },
];

const attributes = (): AttributeDefinition[] => {
  const types = new Map<string, 'S' | 'N'>([
    [TABLE.partitionKey, 'S'],
    [TABLE.sortKey, 'S'],
  ]);
  for (const { partitionKey, sortKey, sortType } of TABLE.indexes) {
    types.set(partitionKey, 'S').set(sortKey, sortType);
  }
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
};

/** Returns the request that creates the table, with keys, indexes and stream, outside CloudFormation. */
export const tableInput = (tableName: string) =>
  ({
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: attributes(),
    KeySchema: keySchema(TABLE.partitionKey, TABLE.sortKey),
    GlobalSecondaryIndexes: TABLE.indexes.map(({ name, partitionKey, sortKey, projection }) => ({
      IndexName: name,
      KeySchema: keySchema(partitionKey, sortKey),
      Projection: { ProjectionType: projection },
    })),
    StreamSpecification: { StreamEnabled: true, StreamViewType: TABLE.stream },
  }) satisfies CreateTableCommandInput;
