import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { createTable } from '../../infra/local/database/create-table.ts';
import { startScratchDynamo } from '../../infra/local/database/dynamo.ts';
import { withoutLog } from '../../infra/local/services/clients.ts';

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

/** Headers of a signed request. The engine requires them, but does not check the signature. */
const SIGNED = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=test/20260101/eu-west-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0',
  'x-amz-date': '20260101T000000Z',
};

/** Adds the headers of a signature, which takes an eighth of the work of a call to compute. */
const signer: DynamoDBClientConfig['signer'] = {
  sign: async (request) => ({ ...request, headers: { ...request.headers, ...SIGNED } }),
};

/**
 * Returns a client for the engine that prepares no log lines, like those of the functions, and no user agent, which the
 * engine does not read: a twentieth of the work of a call.
 */
export const openEngineClient = (endpoint: string): DynamoDBClient => {
  const client = new DynamoDBClient({ ...engineClient(endpoint), signer });
  client.middlewareStack.remove('getUserAgentMiddleware');
  return withoutLog(client);
};

/** Creates a table of a new name in the database of this worker of Jest; undefined outside of Jest. */
const openTable = async (): Promise<Engine | undefined> => {
  const { HUB_TEST_DATABASES: databases = '', JEST_WORKER_ID: worker } = process.env;
  const endpoint = databases.split(' ')[Number(worker) - 1];
  if (!endpoint) return undefined;
  const client = openEngineClient(endpoint);
  const table = `test-${randomUUID()}`;
  await createTable(client, table);
  return {
    endpoint,
    table,
    stop: async () => {
      await client.send(new DeleteTableCommand({ TableName: table }));
      client.destroy();
    },
  };
};

/** Returns an empty table in a database that other test files use too, or have used. */
export const shareEngine = async (): Promise<Engine> => (await openTable()) ?? (await startEngine());

/**
 * Starts a DynamoDB with an empty table, on a file in memory: without the index of such a file, each write costs more
 * than the one before.
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
