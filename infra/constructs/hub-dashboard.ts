import { Dashboard, GraphWidget, type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { TABLE } from '../../shared/data/table/table.ts';
import { deployedFunctions } from '../deployed.ts';
import { checksPassed } from './alarms/canary-conditions.ts';
import {
  apiMetric,
  functionMetric,
  logMetric,
  PERIOD,
  queueAge,
  queueDepth,
  tableMetric,
  type Watched,
} from './hub-metrics.ts';
import { LOG_METRICS } from './log-metrics.ts';

const graph = (title: string, left: IMetric[], right: IMetric[] = []): GraphWidget =>
  new GraphWidget({
    title,
    left,
    right,
    width: 12,
    height: 6,
    leftYAxis: { min: 0 },
    rightYAxis: { min: 0 },
  });

/** Returns a metric that operations and jobs publish, with a line for each of them. */
const counted = (stage: string, name: string): MathExpression =>
  new MathExpression({
    expression: `SEARCH('{StrategyHub,operation,service} service="strategy-hub-${stage}" MetricName="${name}"', 'Sum', ${PERIOD.toSeconds()})`,
    label: '',
    period: PERIOD,
  });

/** Builds the dashboard of a stage, from requests to dead letters. */
export const hubDashboard = (
  scope: Construct,
  id: string,
  { config, apiId, table, deadLetters, queues }: Watched,
): Dashboard => {
  const functions = deployedFunctions(config);
  const each = (what: string, statistic: string): IMetric[] =>
    functions.map(({ name }) => functionMetric(config, name, what, { statistic, label: name }));
  const logMetrics = Object.entries(LOG_METRICS).flatMap(([metric, { only }]) =>
    only === undefined || functions.some(({ name }) => name === only) ? [metric] : [],
  );
  const streams = functions.filter(({ trigger }) => trigger.kind === 'stream');
  const { tableName } = table;
  const ofIndexes = (what: string): IMetric[] =>
    TABLE.indexes.map(({ name }) => tableMetric(tableName, what, name, { label: `${what} ${name}` }));
  return new Dashboard(scope, id, {
    dashboardName: `strategy-hub-${config.stage}`,
    widgets: [
      [
        graph('Requests', [apiMetric(apiId, 'Count')], [apiMetric(apiId, '4xx'), apiMetric(apiId, '5xx')]),
        graph(
          'Latency (ms)',
          [Stats.p(50), Stats.p(95), Stats.p(99)].map((statistic) =>
            apiMetric(apiId, 'Latency', { statistic, label: statistic }),
          ),
        ),
      ],
      [
        graph('Successes, by operation', [counted(config.stage, 'Success')]),
        graph('Faults, by operation', [counted(config.stage, 'Fault')]),
      ],
      [
        graph('Records of a newer version, by consumer', [counted(config.stage, 'WaitsForNewerVersion')]),
        ...(config.canary
          ? [graph('Checks from outside that passed', [checksPassed(config, 'check-service')])]
          : []),
      ],
      [
        graph('Functions: duration, p99 (ms)', each('Duration', Stats.p(99))),
        graph('Functions: concurrency', each('ConcurrentExecutions', Stats.MAXIMUM)),
      ],
      [
        graph('Functions: errors', each('Errors', Stats.SUM)),
        graph('Functions: throttled', each('Throttles', Stats.SUM)),
      ],
      [
        graph(
          'Table: units',
          ['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'].flatMap((what) => [
            tableMetric(tableName, what),
            ...ofIndexes(what),
          ]),
        ),
        graph(
          'Table: throttled requests and transaction conflicts',
          ['ReadThrottleEvents', 'WriteThrottleEvents'].flatMap((what) => [
            tableMetric(tableName, what),
            ...ofIndexes(what),
          ]),
          [tableMetric(tableName, 'TransactionConflict')],
        ),
      ],
      [
        graph(
          'Queues: age of the oldest message (s)',
          Object.entries(queues).map(([name, queue]) => queueAge(queue, name)),
        ),
        graph(
          'Queues: messages that wait',
          Object.entries(queues).map(([name, queue]) => queueDepth(queue, name)),
        ),
      ],
      [
        graph(
          'Stream: age (ms)',
          streams.map(({ name }) =>
            functionMetric(config, name, 'IteratorAge', { statistic: Stats.MAXIMUM, label: name }),
          ),
        ),
        graph(
          'Dead letters',
          Object.entries(deadLetters).map(([name, queue]) => queueDepth(queue, name)),
          logMetrics.map((name) => logMetric(config, name)),
        ),
      ],
    ],
  });
};
