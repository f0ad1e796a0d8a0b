import { Duration } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { TABLE } from '../../shared/data/table/table.ts';
import { functionName, type HubConfig } from '../config.ts';
import type { HubTable } from './hub-table.ts';
import { logMetricNamespace } from './log-metrics.ts';

/** What is watched. */
export interface Watched {
  readonly config: HubConfig;
  readonly apiId: string;
  readonly table: HubTable;
  /** The queues of dead letters, by what they are called in an alarm. */
  readonly deadLetters: Readonly<Record<string, IQueue>>;
}

export const PERIOD = Duration.minutes(5);

type Options = Pick<MetricOptions, 'statistic' | 'label'>;

const metric = (
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
  options: Options,
): Metric =>
  new Metric({ namespace, metricName, dimensionsMap, period: PERIOD, statistic: 'Sum', ...options });

/** A metric of the API's one stage: `5xx`, `4xx`, `Count`, `Latency`. */
export const apiMetric = (apiId: string, name: string, options: Options = {}): Metric =>
  metric('AWS/ApiGateway', name, { ApiId: apiId, Stage: '$default' }, options);

/** A metric of a function, by its name in the manifest: another stack's function need not be referred to. */
export const functionMetric = (
  config: HubConfig,
  name: string,
  what: string,
  options: Options = {},
): Metric => metric('AWS/Lambda', what, { FunctionName: functionName(config, name) }, options);

/** A metric of the table, or of one of its indexes. */
export const tableMetric = (
  tableName: string,
  name: string,
  index?: (typeof TABLE.indexes)[number]['name'],
  options: Options = {},
): Metric =>
  metric(
    'AWS/DynamoDB',
    name,
    { TableName: tableName, ...(index !== undefined && { GlobalSecondaryIndexName: index }) },
    options,
  );

/** How many messages wait in a queue. */
export const queueDepth = (queue: IQueue, label: string): Metric =>
  metric(
    'AWS/SQS',
    'ApproximateNumberOfMessagesVisible',
    { QueueName: queue.queueName },
    { statistic: 'Maximum', label },
  );

/** One of what is counted from the logs. */
export const logMetric = (config: HubConfig, name: string): Metric =>
  metric(logMetricNamespace(config), name, {}, {});
