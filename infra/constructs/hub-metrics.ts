import { Duration } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { TABLE } from '../../shared/data/table/table.ts';
import { functionName } from '../names.ts';
import type { HubConfig } from '../stage.ts';
import type { HubTable } from './hub-table.ts';
import { logMetricNamespace } from './log-metrics.ts';

/** Resources of a stage that alarms and the dashboard observe. */
export interface Watched {
  readonly config: HubConfig;
  readonly apiId: string;
  readonly table: HubTable;
  /** Dead-letter queues by their name in alarms. */
  readonly deadLetters: Readonly<Record<string, IQueue>>;
  /** Queues of lanes by the function that takes their messages. */
  readonly queues: Readonly<Record<string, IQueue>>;
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

/** Returns a metric of the API: `5xx`, `4xx`, `Count` or `Latency`. */
export const apiMetric = (apiId: string, name: string, options: Options = {}): Metric =>
  metric('AWS/ApiGateway', name, { ApiId: apiId, Stage: '$default' }, options);

/** Returns a metric of a function by its name in the manifest, which avoids references between stacks. */
export const functionMetric = (
  config: HubConfig,
  name: string,
  what: string,
  options: Options = {},
): Metric => metric('AWS/Lambda', what, { FunctionName: functionName(config, name) }, options);

/** Returns a metric of the table or of one of its indexes. */
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

const queueMetric = (queue: IQueue, name: string, label: string): Metric =>
  metric('AWS/SQS', name, { QueueName: queue.queueName }, { statistic: 'Maximum', label });

/** Returns the number of messages in a queue. */
export const queueDepth = (queue: IQueue, label: string): Metric =>
  queueMetric(queue, 'ApproximateNumberOfMessagesVisible', label);

/** Returns the age of the oldest message in a queue, in seconds. */
export const queueAge = (queue: IQueue, label: string): Metric =>
  queueMetric(queue, 'ApproximateAgeOfOldestMessage', label);

/** Returns one of {@link LOG_METRICS}. */
export const logMetric = (config: HubConfig, name: string): Metric =>
  metric(logMetricNamespace(config), name, {}, {});
