import { FilterPattern, type IFilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { FunctionDeclaration } from '../../functions/declaration.ts';
import type { HubConfig } from '../config.ts';

/** What is counted from the functions' logs, because an alarm needs one number for all operations. */
export const LOG_METRICS: Readonly<
  Record<
    string,
    { readonly pattern: IFilterPattern; readonly of: readonly FunctionDeclaration['trigger']['kind'][] }
  >
> = {
  /** An answer did not fit its operation's output schema: it was withheld, with a 500. */
  OutputMismatch: {
    pattern: FilterPattern.stringValue('$.fault', '=', 'the answer of *'),
    of: ['http'],
  },
  /** A message was moved to the dead letters of the outbox. */
  DeliveryGivenUp: {
    pattern: FilterPattern.stringValue('$.message', '=', 'delivery given up'),
    of: ['stream', 'schedule'],
  },
};

/** The namespace of what a stage counts from its logs: filters have no dimensions. */
export const logMetricNamespace = ({ stage }: Pick<HubConfig, 'stage'>): string => `StrategyHub/${stage}`;

/** Counts in a function's log what it can log of {@link LOG_METRICS}. */
export const countInLog = (
  logGroup: LogGroup,
  { trigger }: Pick<FunctionDeclaration, 'trigger'>,
  config: HubConfig,
): void => {
  for (const [metricName, { pattern, of }] of Object.entries(LOG_METRICS)) {
    if (!of.includes(trigger.kind)) continue;
    new MetricFilter(logGroup, metricName, {
      logGroup,
      filterPattern: pattern,
      metricNamespace: logMetricNamespace(config),
      metricName,
      metricValue: '1',
    });
  }
};
