import { randomBytes } from 'node:crypto';
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { KeyRing } from './auth/key-ring.ts';
import { readSecrets, type Secrets } from './secrets.ts';
import {
  type Capability,
  type CapabilitySettings,
  type CoreSettings,
  readCapability,
  readCoreSettings,
} from './settings.ts';

/** What the hub's code writes to the log; Powertools' logger is one. */
export interface Log {
  info(message: string, extra: Record<string, unknown>): void;
  warn(message: string, extra: Record<string, unknown>): void;
  error(message: string, extra: Record<string, unknown>): void;
}

/** Counts what happens, by operation or job. */
interface Meter {
  count(name: string, dimension: { readonly operation: string }): void;
}

/** What a function gets from outside, the table apart: time, randomness, settings, secrets, log. */
export interface BaseRuntime {
  readonly clock: () => Date;
  readonly random: (bytes: number) => Buffer;
  readonly settings: CoreSettings;
  readonly capability: <C extends Capability>(name: C) => CapabilitySettings[C];
  readonly secrets: () => Promise<Secrets>;
  readonly keyRing: () => Promise<KeyRing>;
  readonly log: Log;
  readonly metrics: Meter;
}

/** How long secrets are kept before they are read again, so that a rotation reaches warm containers. */
const SECRETS_MS = 5 * 60_000;
/** How soon a load that failed is tried again while an older value goes on. */
const RETRY_MS = 10_000;

const cached = <T>(load: () => Promise<T>, clock: () => Date, forMs: number): (() => Promise<T>) => {
  let value: Promise<T> | undefined;
  let held: Promise<T> | undefined;
  let loadedAt = 0;
  return () => {
    const now = clock().getTime();
    if (!value || now - loadedAt > forMs) {
      loadedAt = now;
      const loading = load();
      value = loading;
      // A failed load is not kept: what was held before goes on, and the next call tries again. Where nothing
      // was held, the error itself reaches the caller.
      const before = held;
      loading.then(
        () => {
          held = loading;
        },
        () => {
          if (value === loading) {
            value = before;
            loadedAt = before ? now - forMs + RETRY_MS : 0;
          }
        },
      );
    }
    return value;
  };
};

const meter = (stage: string): Meter => {
  const metrics = new Metrics({ namespace: 'StrategyHub', serviceName: `strategy-hub-${stage}` });
  return {
    count: (name, { operation }) => {
      // Published at once: a `singleMetric()` would make a Metrics and a Console for each request.
      metrics
        .addDimension('operation', operation)
        .addMetric(name, MetricUnit.Count, 1)
        .publishStoredMetrics();
    },
  };
};

/** The runtime of a function that has no table, as deployed. Throws where the environment lacks a setting. */
export const createBaseRuntime = (environment: Readonly<Record<string, string | undefined>>): BaseRuntime => {
  const settings = readCoreSettings(environment);
  const clock = (): Date => new Date();
  const secrets = cached(() => readSecrets(settings.HUB_SECRET_ID, clock()), clock, SECRETS_MS);
  const rings = new WeakMap<Secrets, KeyRing>();
  return {
    clock,
    random: randomBytes,
    settings,
    capability: (name) => readCapability(name, environment),
    secrets,
    keyRing: async () => {
      const held = await secrets();
      const ring = rings.get(held) ?? new KeyRing(held.masters);
      rings.set(held, ring);
      return ring;
    },
    log: new Logger({ serviceName: 'strategy-hub' }),
    metrics: meter(settings.HUB_STAGE),
  };
};
