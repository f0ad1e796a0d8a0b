import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { PasswordCost } from './auth/passwords.ts';
import { awsClient } from './aws-client.ts';
import { type BaseRuntime, createBaseRuntime } from './base-runtime.ts';
import { Store } from './data/table/store.ts';

/**
 * Dependencies of a function: data, time, randomness, settings, secrets, log and metrics. Created once per container
 * from its environment, or by tests.
 */
export interface Runtime extends BaseRuntime {
  readonly store: Store;
  /** Cost of password hashes instead of the recommended one. Only tests set it. */
  readonly passwordCost?: PasswordCost;
}

/** Creates the runtime of a function with a table. @throws Error for a missing or invalid setting. */
export const createRuntime = (environment: Readonly<Record<string, string | undefined>>): Runtime => {
  const base = createBaseRuntime(environment);
  return { ...base, store: new Store(awsClient(DynamoDBClient, 'table'), base.settings.HUB_TABLE) };
};
