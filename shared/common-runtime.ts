import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { createRandom } from './random.ts';
import {
  type Capability,
  type CapabilitySettings,
  type CoreSettings,
  readCapability,
  readCoreSettings,
} from './settings.ts';

/** Logger of the service. The logger of Powertools implements it. */
export interface Log {
  info(message: string, extra: Record<string, unknown>): void;
  warn(message: string, extra: Record<string, unknown>): void;
  error(message: string, extra: Record<string, unknown>): void;
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
