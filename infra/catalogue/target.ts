import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { awsClient } from '../../shared/aws-client.ts';
import { Store } from '../../shared/data/table/store.ts';
import { dataDirOf, UsageError } from '../commands/command-line.ts';
import { createTable } from '../local/database/create-table.ts';
import { startDynamo } from '../local/database/dynamo.ts';
import { DataInUseError, openState, readHolder } from '../local/database/state.ts';
import { credentialsOf, type Environment, LOCAL, regionOf } from '../local/lambda/environment.ts';

/** Table that a command works on. */
export interface Target {
  readonly store: Store;
  /** Description for the user. */
  readonly where: string;
  /** False if no service runs on the data at the moment. */
  readonly isServed: boolean;
  /** File of the local engine that holds the table; undefined for other databases. */
  readonly file: string | undefined;
  readonly close: () => Promise<void>;
}

const localClient = (endpoint: string, environment: Environment): DynamoDBClient =>
  new DynamoDBClient({
    endpoint,
    region: regionOf(environment),
    credentials: credentialsOf(environment),
  });

const targetOf = (client: DynamoDBClient, table: string, where: string, file?: string): Target => ({
  store: new Store(client, table),
  where: `table ${table} ${where}`,
  isServed: true,
  file,
  close: async () => client.destroy(),
});

/** File of the local engine in the folder of the data. */
const FILE = 'table.sqlite';

/** Opens the data of the local engine. No other process can open it at the same time. */
const openLocalData = async (dataDir: string, environment: Environment): Promise<Target> => {
  const cleanup = new AsyncDisposableStack();
  try {
    const state = openState(dataDir);
    cleanup.defer(() => state.close());
    const file = resolve(dataDir, FILE);
    const dynamo = await startDynamo(file);
    cleanup.defer(() => dynamo.close());
    const client = localClient(dynamo.endpoint, environment);
    cleanup.defer(() => client.destroy());
    await createTable(client, LOCAL.table);
    const target = targetOf(client, LOCAL.table, `in ${dataDir}`, file);
    return { ...target, isServed: false, close: () => cleanup.disposeAsync() };
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
};

/** Opens the data of the local engine, through the engine if it runs. @throws DataInUseError while it starts. */
const openLocal = async (dataDir: string, environment: Environment): Promise<Target> => {
  try {
    return await openLocalData(dataDir, environment);
  } catch (error) {
    const holder = error instanceof DataInUseError && readHolder(dataDir);
    if (!holder) throw error;
    return targetOf(
      localClient(holder.dynamodb, environment),
      LOCAL.table,
      `of the service at ${holder.url}`,
      holder.file,
    );
  }
};

/**
 * Opens the table that the environment selects: with `HUB_DYNAMODB_ENDPOINT` your own database, with only `HUB_TABLE`
 * a table on AWS, otherwise the data of the local engine.
 */
export const openTarget = async (environment: Environment): Promise<Target> => {
  const { HUB_DYNAMODB_ENDPOINT: endpoint, HUB_TABLE: table } = environment;
  if (endpoint) {
    return targetOf(localClient(endpoint, environment), table || LOCAL.table, `at ${endpoint}`);
  }
  if (table) return targetOf(awsClient(DynamoDBClient, 'table'), table, 'on AWS');
  return openLocal(dataDirOf(environment), environment);
};

/**
 * Opens the table that the environment selects, like {@link openTarget}, for a command that means data which are there. It
 * does not create a table: an operator who stops all orders in a new one would believe that they are stopped.
 *
 * @throws UsageError if there are no local data.
 */
const openExisting = async (environment: Environment): Promise<Target> => {
  const { HUB_DYNAMODB_ENDPOINT: endpoint, HUB_TABLE: table } = environment;
  const dataDir = dataDirOf(environment);
  if (!endpoint && !table && !existsSync(resolve(dataDir, FILE))) {
    throw new UsageError(
      `There are no data in ${dataDir}. Commands do not reach a service with --memory. Run npm start without it, or set HUB_TABLE for a table on AWS.`,
    );
  }
  return openTarget(environment);
};

/**
 * Does the work of a command on the table that the environment selects, and closes it.
 *
 * @throws UsageError if there are no local data.
 */
export const withExisting = async <T>(
  environment: Environment,
  work: (target: Target) => Promise<T>,
): Promise<T> => {
  const target = await openExisting(environment);
  try {
    return await work(target);
  } finally {
    await target.close();
  }
};
