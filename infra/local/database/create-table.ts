import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { TABLE } from '../../../shared/data/table/table.ts';
import { tableInput } from '../../../shared/data/table/table-input.ts';

type TableInput = ReturnType<typeof tableInput>;

const create = async (client: DynamoDBClient, input: TableInput): Promise<void> => {
  const { StreamSpecification: _, ...withoutStream } = input;
  try {
    await client.send(new CreateTableCommand(withoutStream));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  const { TableName } = input;
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName });
};

const startStream = async (
  client: DynamoDBClient,
  { TableName, StreamSpecification }: TableInput,
): Promise<void> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  if (Table?.StreamSpecification?.StreamEnabled) return;
  await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName });
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

/**
 * Creates the table as in the data stack, with keys, indexes, stream and expiry. Does not change an existing table.
 *
 * @param fill writes the initial items. The stream of a new table starts afterwards, as the embedded database writes
 *   much faster without one and no consumer needs these items.
 */
export const createTable = async (
  client: DynamoDBClient,
  table: string,
  fill?: () => Promise<void>,
): Promise<void> => {
  const input = tableInput(table);
  await create(client, input);
  await fill?.();
  await startStream(client, input);
  await expireItems(client, table);
};
