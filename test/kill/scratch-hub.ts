import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable } from '../../infra/local/database/create-table.ts';
import { startScratchDynamo } from '../../infra/local/database/dynamo.ts';
import { Store } from '../../shared/data/table/store.ts';
import { openEngineClient } from '../support/engine.ts';
import { startHub, type TestHub } from '../support/hub.ts';

/** Functions that close what was opened, the newest last. */
export type Closing = (() => Promise<unknown> | unknown)[];

/** Runs something, and afterwards closes what it opened, the newest first. */
export const closingAfter = async <Result>(run: (closing: Closing) => Promise<Result>): Promise<Result> => {
  const closing: Closing = [];
  try {
    return await run(closing);
  } finally {
    for (const close of closing.toReversed()) await close();
  }
};

interface ScratchHubs {
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  /** Creates a table and returns a hub on it. */
  readonly hubOn: (table: string) => Promise<TestHub>;
}

/** Starts an empty database for hubs, to which other processes can connect. */
export const startScratchHubs = async (closing: Closing): Promise<ScratchHubs> => {
  const { endpoint, close } = await startScratchDynamo();
  closing.push(close);
  const client = openEngineClient(endpoint);
  closing.push(() => client.destroy());
  const hub = await startHub();
  closing.push(hub.close);
  return {
    endpoint,
    client,
    hubOn: async (table) => {
      await createTable(client, table);
      return hub.over(new Store(client, table));
    },
  };
};
