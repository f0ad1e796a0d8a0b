import { parseArgs } from 'node:util';
import { SSMClient } from '@aws-sdk/client-ssm';

/**
 * Finds the credentials of AWS as the CDK CLI does with these arguments, also those of a `--profile`.
 *
 * @throws CredentialsProviderError
 */
export const requireCredentials = async (args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: { profile: { type: 'string' } },
    strict: false,
  });
  const profile = typeof values.profile === 'string' ? { profile: values.profile } : {};
  await new SSMClient({ region: 'us-east-1', ...profile }).config.credentials();
};
