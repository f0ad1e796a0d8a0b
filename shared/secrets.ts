import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { awsClient } from './aws-client.ts';

const secretSchema = z.object({
  /** What every key of the service is derived from. */
  master: z.string().min(32),
  /** The secret of the challenge service's account. */
  challenge_secret: z.string().default(''),
  /** The API secret of the analytics service. */
  analytics_secret: z.string().default(''),
  /** The secret of our client at partner C's authorization server; a public client has none. */
  partnerc_client_secret: z.string().default(''),
  /** The JSON key file of the Firebase service account that sends push messages. */
  fcm_service_account: z.string().default(''),
  /** The private key that web push services know us by (RFC 8292): 32 bytes in base64url. */
  vapid_private_key: z.string().default(''),
});

export interface Secrets {
  /** The master secret that signs, then the other one where there are two. */
  readonly masters: readonly [string, ...string[]];
  readonly challengeSecret: string;
  readonly analyticsSecret: string;
  readonly partnerCClientSecret: string;
  readonly fcmServiceAccount: string;
  readonly vapidPrivateKey: string;
}

/**
 * How old a new version must be to sign: warm containers, and those who cached the published keys, know it by
 * then, and nothing that it signed is refused.
 */
const SETTLED_MS = 15 * 60_000;

/** What parsers say of a text they cannot read begins with that text: it is not passed on. */
const parseSecret = (text: string): z.output<typeof secretSchema> => {
  try {
    return secretSchema.parse(JSON.parse(text));
  } catch {
    throw new Error("the service's secret is not JSON of the expected shape");
  }
};

const readStage = async (client: SecretsManagerClient, id: string, stage: string) => {
  const { SecretString: text = '', CreatedDate: createdAt } = await client.send(
    new GetSecretValueCommand({ SecretId: id, VersionStage: stage }),
  );
  return { ...parseSecret(text), createdAt };
};

interface Version {
  readonly master: string;
  readonly createdAt: Date | undefined;
}

/**
 * A version signs once it has settled; before the first rotation there is nothing to wait for. A version that
 * only fills in a credential has the master of the one before, which is to be published once.
 */
const mastersOf = (current: Version, previous: Version | undefined, now: Date): Secrets['masters'] => {
  if (!previous || previous.master === current.master) return [current.master];
  const age = now.getTime() - (current.createdAt?.getTime() ?? 0);
  return age < SETTLED_MS ? [previous.master, current.master] : [current.master, previous.master];
};

/** Reads the service's secrets: the present version and, for what it signed, the one before. */
export const readSecrets = async (id: string, now: Date): Promise<Secrets> => {
  const client = awsClient(SecretsManagerClient, 'secrets');
  const [current, previous] = await Promise.all([
    readStage(client, id, 'AWSCURRENT'),
    readStage(client, id, 'AWSPREVIOUS').catch((error: unknown) => {
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
  };
};
