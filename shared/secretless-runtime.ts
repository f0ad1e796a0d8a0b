import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { awsClient } from './aws-client.ts';
import { createCommonRuntime } from './common-runtime.ts';
import { Store } from './data/table/store.ts';
import type { Runtime } from './runtime.ts';

const refuse = (): Promise<never> =>
  Promise.reject(new Error('this function reads no secrets: use createRuntime'));

/**
 * Creates the runtime of a function with a table that reads no secret. Its bundle does without the client of the secrets
 * and the cryptography of keys.
 *
 * @throws Error for a missing or invalid setting.
 */
export const createSecretlessRuntime = (
  environment: Readonly<Record<string, string | undefined>>,
): Runtime => {
  const common = createCommonRuntime(environment);
  return {
    ...common,
    secrets: refuse,
    keyRing: refuse,
    store: new Store(awsClient(DynamoDBClient, 'table'), common.settings.HUB_TABLE),
  };
};
