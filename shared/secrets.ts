import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';

const secretSchema = z.object({
  /** What every key of the service is derived from. */
  master: z.string().min(32),
  /** The secret of the challenge service's account. */
  challenge_secret: z.string().default(''),
  /** The API secret of the analytics service. */
  analytics_secret: z.string().default(''),
});

export interface Secrets {
  /** The present master secret, then the previous one where there is one. */
  readonly masters: readonly [string, ...string[]];
  readonly challengeSecret: string;
  readonly analyticsSecret: string;
}

/** What parsers say of a text they cannot read begins with that text: it is not passed on. */
const parseSecret = (text: string): z.output<typeof secretSchema> => {
  try {
    return secretSchema.parse(JSON.parse(text));
  } catch {
    throw new Error("the service's secret is not JSON of the expected shape");
  }
};

const readStage = async (client: SecretsManagerClient, id: string, stage: string) => {
  const { SecretString: text = '' } = await client.send(
    new GetSecretValueCommand({ SecretId: id, VersionStage: stage }),
  );
  return parseSecret(text);
};

/** Reads the service's secrets: the present version and, for what it signed, the one before. */
export const readSecrets = async (id: string): Promise<Secrets> => {
  const client = new SecretsManagerClient({});
  const [current, previous] = await Promise.all([
    readStage(client, id, 'AWSCURRENT'),
    readStage(client, id, 'AWSPREVIOUS').catch((error: unknown) => {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }),
  ]);
  return {
    masters: previous ? [current.master, previous.master] : [current.master],
    challengeSecret: current.challenge_secret,
    analyticsSecret: current.analytics_secret,
  };
};
