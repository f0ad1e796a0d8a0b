import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KeyRing } from './auth/key-ring.ts';
import type { PasswordCost } from './auth/passwords.ts';
import { awsClient } from './aws-client.ts';
import { cached } from './cached.ts';
import type { boundedFetch } from './channels/bounded-fetch.ts';
import { Store } from './data/table/store.ts';
import { createRandom } from './random.ts';
import { readSecrets, type Secrets } from './secrets.ts';
import {
  type Capability,
  type CapabilitySettings,
  type CoreSettings,
  readCapability,
  readCoreSettings,
} from './settings.ts';

/*
 * Runtimes of functions. Each has only what its kind of function may use; a bundle drops the code of the others.
 */

/** Names that the logger writes itself. It drops a fact of this name. */
type ReservedName = 'level' | 'message' | 'sampling_rate' | 'service' | 'timestamp';

/** Facts of a line of the log. */
type LogFacts = Readonly<Record<string, unknown>> & { readonly [N in ReservedName]?: never };

/** Logger of the service. The logger of Powertools implements it. */
export interface Log {
  info(message: string, extra: LogFacts): void;
  warn(message: string, extra: LogFacts): void;
  error(message: string, extra: LogFacts): void;
}

/** Publishes counts with an operation or a job as the dimension. */
interface Meter {
  count(name: string, dimension: { readonly operation: string }): void;
}

/** Dependencies of every function: time, randomness, settings, log and metrics. */
export interface CommonRuntime {
  readonly clock: () => Date;
  readonly random: (bytes: number) => Buffer;
  readonly settings: CoreSettings;
  readonly capability: <C extends Capability>(name: C) => CapabilitySettings[C];
  readonly log: Log;
  readonly metrics: Meter;
}

const meter = (stage: string): Meter => {
  const metrics = new Metrics({ namespace: 'StrategyHub', serviceName: `strategy-hub-${stage}` });
  return {
    count: (name, { operation }) => {
      // Publish at once, as `singleMetric()` would create a Metrics and a Console for each request.
      metrics
        .addDimension('operation', operation)
        .addMetric(name, MetricUnit.Count, 1)
        .publishStoredMetrics();
    },
  };
};

/** Creates the part of a runtime that every function has. @throws Error for a missing or invalid setting. */
export const createCommonRuntime = (
  environment: Readonly<Record<string, string | undefined>>,
): CommonRuntime => {
  const settings = readCoreSettings(environment);
  return {
    clock: () => new Date(),
    random: createRandom(),
    settings,
    capability: (name) => readCapability(name, environment),
    log: new Logger({ serviceName: 'strategy-hub' }),
    metrics: meter(settings.HUB_STAGE),
  };
};

/** Dependencies of a function without a table: time, randomness, settings, secrets, log and metrics. */
export interface BaseRuntime extends CommonRuntime {
  readonly secrets: () => Promise<Secrets>;
  readonly keyRing: () => Promise<KeyRing>;
  /** Values of the header of requests through the distribution, instead of those of their secret. Only tests set it. */
  readonly edgeKeys?: () => Promise<readonly string[]>;
  /** Sends requests to the public address of the hub itself, instead of `fetch`. Only tests set it. */
  readonly hubFetch?: typeof boundedFetch;
}

/** Cache time of secrets. Warm containers see a rotation after this time. */
export const SECRETS_MS = 5 * 60_000;

/** Creates the runtime of a function without a table. @throws Error for a missing or invalid setting. */
export const createBaseRuntime = (environment: Readonly<Record<string, string | undefined>>): BaseRuntime => {
  const common = createCommonRuntime(environment);
  const { clock, settings } = common;
  const secrets = cached(() => readSecrets(settings.HUB_SECRET_ID, clock()), clock, SECRETS_MS);
  const rings = new WeakMap<Secrets, KeyRing>();
  return {
    ...common,
    secrets,
    keyRing: async () => {
      const held = await secrets();
      const ring = rings.get(held) ?? new KeyRing(held.masters);
      rings.set(held, ring);
      return ring;
    },
  };
};

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
