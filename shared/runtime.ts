import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { awsClient } from './aws-client.ts';
import { type BaseRuntime, createBaseRuntime } from './base-runtime.ts';
import { Store } from './data/table/store.ts';

/**
 * Everything that a function gets from outside: data, time, randomness, settings, secrets, log. Made
 * once per container from its environment, and by tests as they need it.
 */
export interface Runtime extends BaseRuntime {
  readonly store: Store;
}

/** The runtime of a function as deployed. Throws where the environment lacks a setting. */
export const createRuntime = (environment: Readonly<Record<string, string | undefined>>): Runtime => {
  const base = createBaseRuntime(environment);
  return { ...base, store: new Store(awsClient(DynamoDBClient, 'table'), base.settings.HUB_TABLE) };
};
