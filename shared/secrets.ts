import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { awsClient } from './aws-client.ts';

const secretSchema = z.object({
  /** Master secret that all keys of the service are derived from. */
  master: z.string().min(32),
  /** Secret of the account at the challenge service. */
  challenge_secret: z.string().default(''),
  /** API secret of the analytics service. */
  analytics_secret: z.string().default(''),
  /** Client secret at partner C's authorization server; empty for a public client. */
  partnerc_client_secret: z.string().default(''),
  /** JSON key file of the Firebase service account that sends push messages. */
  fcm_service_account: z.string().default(''),
  /** VAPID private key for web push (RFC 8292): 32 bytes in base64url. */
  vapid_private_key: z.string().default(''),
  /** API key of Alpaca, for market data. */
  alpaca_key_id: z.string().default(''),
  alpaca_secret_key: z.string().default(''),
});

export interface Secrets {
  /** Master secret that signs, then the other one if there are two. */
  readonly masters: readonly [string, ...string[]];
  readonly challengeSecret: string;
  readonly analyticsSecret: string;
  readonly partnerCClientSecret: string;
  readonly fcmServiceAccount: string;
  readonly vapidPrivateKey: string;
  readonly alpacaKeyId: string;
  readonly alpacaSecretKey: string;
}

/**
 * Minimum age of a new version before it signs. By then, warm containers and clients that cache the published keys know
 * it, so its signatures are accepted everywhere.
 */
const SETTLED_MS = 15 * 60_000;

/** Parses a secret. Drops the error of the parser, as its message holds the beginning of the secret. */
export const parseSecret = <T extends z.ZodType>(schema: T, text: string): z.output<T> => {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new Error("the service's secret is not JSON of the expected shape");
  }
};

const readSecretStage = async (client: SecretsManagerClient, id: string, stage: string) => {
  const { SecretString: text = '', CreatedDate: createdAt } = await client.send(
    new GetSecretValueCommand({ SecretId: id, VersionStage: stage }),
  );
  return { ...parseSecret(secretSchema, text), createdAt };
};

interface Version {
  readonly master: string;
  readonly createdAt: Date | undefined;
}

/**
 * Orders the master secrets. A new version signs after {@link SETTLED_MS}; the first one signs at once. If the new
 * version changes only other secrets, both have the same master, which is returned once.
 */
const mastersOf = (current: Version, previous: Version | undefined, now: Date): Secrets['masters'] => {
  if (!previous || previous.master === current.master) return [current.master];
  const age = now.getTime() - (current.createdAt?.getTime() ?? 0);
  return age < SETTLED_MS ? [previous.master, current.master] : [current.master, previous.master];
};

/** Reads the current secrets and the previous master secret, which still verifies its signatures. */
export const readSecrets = async (id: string, now: Date): Promise<Secrets> => {
  const client = awsClient(SecretsManagerClient, 'secrets');
  const [current, previous] = await Promise.all([
    readSecretStage(client, id, 'AWSCURRENT'),
    readSecretStage(client, id, 'AWSPREVIOUS').catch((error: unknown) => {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }),
  ]);
  return {
    masters: mastersOf(current, previous, now),
    challengeSecret: current.challenge_secret,
    analyticsSecret: current.analytics_secret,
    partnerCClientSecret: current.partnerc_client_secret,
    fcmServiceAccount: current.fcm_service_account,
    vapidPrivateKey: current.vapid_private_key,
    alpacaKeyId: current.alpaca_key_id,
    alpacaSecretKey: current.alpaca_secret_key,
  };
};
