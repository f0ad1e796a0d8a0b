import { resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { awsClient } from '../../shared/aws-client.ts';
import { Store } from '../../shared/data/table/store.ts';
import { dataDirOf } from '../commands/command-line.ts';
import { createTable } from '../local/database/create-table.ts';
import { startDynamo } from '../local/database/dynamo.ts';
import { DataInUse, openState, readHolder } from '../local/database/state.ts';
import { credentialsOf, type Environment, LOCAL, regionOf } from '../local/lambda/environment.ts';

/** The table that instruments go to. */
export interface Target {
  readonly store: Store;
  /** For a person to see. */
  readonly where: string;
  readonly close: () => Promise<void>;
}

const localClient = (endpoint: string, environment: Environment): DynamoDBClient =>
  new DynamoDBClient({
    endpoint,
    region: regionOf(environment),
    credentials: credentialsOf(environment),
  });

const targetOf = (client: DynamoDBClient, table: string, where: string): Target => ({
  store: new Store(client, table),
  where: `table ${table} ${where}`,
  close: async () => client.destroy(),
});

/** The data of the local engine, which no other process may open while this one has it. */
const openLocalData = async (dataDir: string, environment: Environment): Promise<Target> => {
  const cleanup = new AsyncDisposableStack();
  try {
    const state = openState(dataDir);
    cleanup.defer(() => state.close());
    const dynamo = await startDynamo(resolve(dataDir, 'table.sqlite'));
    cleanup.defer(() => dynamo.close());
    const client = localClient(dynamo.endpoint, environment);
    cleanup.defer(() => client.destroy());
    await createTable(client, LOCAL.table);
    const { store, where } = targetOf(client, LOCAL.table, `in ${dataDir}`);
    return { store, where, close: () => cleanup.disposeAsync() };
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
};

/** The data of the local engine: through the engine where it runs. Throws DataInUse while it starts. */
const openLocal = async (dataDir: string, environment: Environment): Promise<Target> => {
  try {
    return await openLocalData(dataDir, environment);
  } catch (error) {
    const holder = error instanceof DataInUse && readHolder(dataDir);
    if (!holder) throw error;
    return targetOf(
      localClient(holder.dynamodb, environment),
      LOCAL.table,
      `of the service at ${holder.url}`,
    );
  }
};

/**
 * Opens the table that the environment means: `HUB_DYNAMODB_ENDPOINT` a database of one's own,
 * `HUB_TABLE` alone one on AWS, neither the data of the local engine.
 */
export const openTarget = async (environment: Environment): Promise<Target> => {
  const { HUB_DYNAMODB_ENDPOINT: endpoint, HUB_TABLE: table } = environment;
  if (endpoint) {
    return targetOf(localClient(endpoint, environment), table || LOCAL.table, `at ${endpoint}`);
  }
  if (table) return targetOf(awsClient(DynamoDBClient, 'table'), table, 'on AWS');
  return openLocal(dataDirOf(environment), environment);
};
