import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { awsClient } from './aws-client.ts';
import { parseSecret } from './secrets.ts';

const CURRENT = 'AWSCURRENT';

const edgeSecret = z.object({
  /** Value of the header that the distribution adds. */
  edge_key: z.string().min(32),
});

/** Reads a version of a secret of its own. @returns undefined if there is none. */
const readVersion = async (id: string, stage: string): Promise<string | undefined> => {
  const client = awsClient(SecretsManagerClient, 'secrets');
  try {
    const { SecretString: text = '' } = await client.send(
      new GetSecretValueCommand({ SecretId: id, VersionStage: stage }),
    );
    return text;
  } catch (error) {
    if (error instanceof ResourceNotFoundException && stage !== CURRENT) return undefined;
    throw error;
  }
};

/** Reads the keys of the distribution: the current one, and the one before, which it may still send. */
export const readEdgeKeys = async (id: string): Promise<readonly string[]> => {
  const versions = await Promise.all([readVersion(id, CURRENT), readVersion(id, 'AWSPREVIOUS')]);
  return versions.flatMap((text) => (text === undefined ? [] : [parseSecret(edgeSecret, text).edge_key]));
};

const probeSecret = z.object({
  /** Password of the user that checks the service from outside. */
  probe_password: z.string().min(8),
});

/** Reads the password of the probe user, which has a secret of its own. */
export const readProbePassword = async (id: string): Promise<string> => {
  return parseSecret(probeSecret, (await readVersion(id, CURRENT)) ?? '').probe_password;
};
