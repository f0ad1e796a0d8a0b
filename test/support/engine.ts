import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable } from '../../infra/local/database/create-table.ts';
import { startScratchDynamo } from '../../infra/local/database/dynamo.ts';

export interface Engine {
  readonly endpoint: string;
  /** Creates a new table like that of the stack. */
  readonly table: string;
  readonly stop: () => Promise<void>;
}

/** Client options for the engine, which accepts any region and credentials. */
export const engineClient = (endpoint: string) => ({
  endpoint,
  region: 'eu-west-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});

/**
 * Returns a client for the engine that does not copy input and output for a log line. The bundles of the functions do
 * not make these copies either, and they are a tenth of the work of a call.
 */
export const openEngineClient = (endpoint: string): DynamoDBClient => {
  const client = new DynamoDBClient(engineClient(endpoint));
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

/**
 * Starts a DynamoDB with an empty table, on a file in memory: without the index of such a file, each write costs more
 * than the one before. It takes some 50 ms, so each test file has its own.
 */
export const startEngine = async (): Promise<Engine> => {
  const dynamo = await startScratchDynamo();
  const client = openEngineClient(dynamo.endpoint);
  const table = `test-${randomUUID()}`;
  await createTable(client, table);
  return {
    endpoint: dynamo.endpoint,
    table,
    stop: async () => {
      client.destroy();
      await dynamo.close();
    },
  };
};
