import { afterAll } from '@jest/globals';
import { createTable } from '../../infra/local/database/create-table.ts';
import { Store } from '../../shared/data/table/store.ts';
import { openEngineClient, startEngine } from './engine.ts';

/** Starts a DynamoDB for the tests of a file and ends it after them. Await it at the top of the file. */
export const openStore = async () => {
  const { endpoint, table, stop } = await startEngine();
  const client = openEngineClient(endpoint);
  afterAll(async () => {
    client.destroy();
    await stop();
  });
  let tables = 0;
  /** Creates a further table and returns its name. */
  const emptyTable = async (): Promise<string> => {
    const name = `${table}-${++tables}`;
    await createTable(client, name);
    return name;
  };
  /** Returns a store on a further table. */
  const emptyStore = async (): Promise<Store> => new Store(client, await emptyTable());
  return { endpoint, client, store: new Store(client, table), emptyTable, emptyStore };
};
