import { FilterPattern, type IFilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { FunctionDeclaration } from '../../functions/declaration.ts';
import { DOUBTS } from '../../functions/engine/report-bars.ts';
import { LEFT_TO_SWEEP } from '../../functions/relay/relay.ts';
import { BROKER_DOUBTS } from '../../shared/broker-orders/execution-runtime.ts';
import { RECORD_DAMAGED, SERVICE_STOPPED } from '../../shared/lifecycle/report-damaged.ts';
import type { HubConfig } from '../stage.ts';

/** Metrics from the logs of functions. An alarm needs one number over all operations, so it cannot use their metrics. */
export const LOG_METRICS: Readonly<
  Record<
    string,
    {
      readonly pattern: IFilterPattern;
      readonly of: readonly FunctionDeclaration['trigger']['kind'][];
      /** Name of the only function. */
      readonly only?: string;
    }
  >
> = {
  /** Answers that did not match their output schema. The caller got a 500 instead. */
  OutputMismatch: {
    pattern: FilterPattern.stringValue('$.fault', '=', 'the answer of *'),
    of: ['http'],
  },
  /** Messages that were moved to the dead letters of the outbox. */
  DeliveryGivenUp: {
    pattern: FilterPattern.stringValue('$.message', '=', 'delivery given up'),
    of: ['queue', 'schedule'],
  },
  /** Records that cannot be read and were left out of a list, or passed by. */
  RecordsDamaged: {
    pattern: FilterPattern.stringValue('$.message', '=', RECORD_DAMAGED),
    of: ['http', 'bus', 'stream', 'queue', 'schedule'],
  },
  /** Batches of which messages could not be handed to the queue of their lane. The sweeping jobs find them. */
  LeftToSweep: {
    pattern: FilterPattern.stringValue('$.message', '=', LEFT_TO_SWEEP),
    of: ['stream'],
  },
  /** Events with bars that were refused, held or dropped. */
  BarsInDoubt: {
    pattern: FilterPattern.any(
      ...Object.values(DOUBTS).map((message) => FilterPattern.stringValue('$.message', '=', message)),
    ),
    of: ['bus'],
    only: 'engine',
  },
  /** Minutes in which the kill switch of the service was thrown. */
  ServiceStopped: {
    pattern: FilterPattern.stringValue('$.message', '=', SERVICE_STOPPED),
    of: ['schedule'],
    only: 'halt-jobs',
  },
  /** Orders whose state at the broker differs from what the hub knows. */
  BrokerOrdersInDoubt: {
    pattern: FilterPattern.any(
      ...Object.values(BROKER_DOUBTS).map((message) => FilterPattern.stringValue('$.message', '=', message)),
    ),
    of: ['bus', 'schedule'],
  },
  /** Runs of a feed whose provider of market data does not answer. */
  MarketDataDown: {
    pattern: FilterPattern.stringValue('$.message', '=', 'a provider of market data is down'),
    of: ['schedule'],
    only: 'market-data',
  },
};

/** Returns the namespace of a stage's log metrics. It has the stage, as metric filters have no dimensions. */
export const logMetricNamespace = ({ stage }: Pick<HubConfig, 'stage'>): string => `StrategyHub/${stage}`;

/** Returns the name of the metric that counts a function's answers with 5xx, by version. */
export const faultMetricName = (name: string): string => `Faults-${name}`;

/** Creates those of {@link LOG_METRICS} that apply to a function, and the faults of its versions. */
export const countInLog = (
  logGroup: LogGroup,
  { name, trigger }: Pick<FunctionDeclaration, 'name' | 'trigger'>,
  config: HubConfig,
): void => {
  for (const [metricName, { pattern, of, only = name }] of Object.entries(LOG_METRICS)) {
    if (!of.includes(trigger.kind) || only !== name) continue;
    new MetricFilter(logGroup, metricName, {
      logGroup,
      filterPattern: pattern,
      metricNamespace: logMetricNamespace(config),
      metricName,
      metricValue: '1',
    });
  }
  if (trigger.kind !== 'http') return;
  new MetricFilter(logGroup, 'Faults', {
    logGroup,
    filterPattern: FilterPattern.numberValue('$.status', '>=', 500),
    metricNamespace: logMetricNamespace(config),
    metricName: faultMetricName(name),
    metricValue: '1',
    dimensions: { version: '$.version' },
  });
};
