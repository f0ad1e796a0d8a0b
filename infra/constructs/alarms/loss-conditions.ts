import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { FunctionDeclaration } from '../../../functions/declaration.ts';
import { deployedFunctions } from '../../deployed.ts';
import { busName, ruleName, scheduleGroupName } from '../../names.ts';
import { functionMetric, PERIOD, queueDepth, type Watched } from '../hub-metrics.ts';
import type { Condition, Conditions } from './condition.ts';

/** Most metrics that an alarm may compute with. */
const MAX_METRICS = 10;

/** Returns the sum of metrics, of which any may have no data. */
const sumOf = (metrics: readonly Metric[], label: string): MathExpression =>
  new MathExpression({
    expression: metrics.map((_, n) => `FILL(m${n}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, n) => [`m${n}`, metric])),
    label,
    period: PERIOD,
  });

const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));

/** Splits metrics over as many alarms as they need. */
const summed = (name: string, metrics: readonly Metric[], rest: Omit<Condition, 'metric'>): Conditions => {
  const chunks = chunksOf(metrics, MAX_METRICS);
  return Object.fromEntries(
    chunks.map((chunk, n) => [
      chunks.length === 1 ? name : `${name}, ${n + 1} of ${chunks.length}`,
      { ...rest, metric: sumOf(chunk, name) },
    ]),
  );
};

/**
 * Returns an alarm for each dead letter that arrives. It compares the number of messages with that five minutes before,
 * so it goes off again for the next one while others still wait.
 */
const arrivals = ({ deadLetters }: Watched): Conditions =>
  Object.fromEntries(
    Object.entries(deadLetters).map(([name, queue]): [string, Condition] => [
      `${name} dead letters`,
      {
        // SQS reports nothing about a queue that was empty for hours.
        metric: new MathExpression({
          expression: 'DIFF(FILL(waiting, 0))',
          usingMetrics: { waiting: queueDepth(queue, name) },
          label: 'new dead letters',
          period: PERIOD,
        }),
        about: 'An event failed permanently. It stays in the queue for 14 days. Its end says nothing.',
        runbook: 'dead-letters',
        momentary: true,
      },
    ]),
  );

const ruleMetrics = ({ config }: Watched, functions: readonly FunctionDeclaration[]): Metric[] =>
  functions.flatMap(({ name, trigger }) =>
    trigger.kind === 'bus'
      ? trigger.source.subscriptions.map(
          ({ senders }) =>
            new Metric({
              namespace: 'AWS/Events',
              metricName: 'InvocationsFailedToBeSentToDlq',
              dimensionsMap: {
                // Rules of the default bus have no other dimension.
                ...(senders !== 'mail' && { EventBusName: busName(config) }),
                RuleName: ruleName(config, name, senders),
              },
              statistic: 'Sum',
              period: PERIOD,
            }),
        )
      : [],
  );

/** Returns the alarms for what is lost or waits to be looked at: dead letters, and messages that did not become any. */
export const lossConditions = (watched: Watched): Conditions => {
  const { config } = watched;
  const functions = deployedFunctions(config);
  const scheduler = (metricName: string): Metric =>
    new Metric({
      namespace: 'AWS/Scheduler',
      metricName,
      dimensionsMap: { ScheduleGroup: scheduleGroupName(config) },
      statistic: 'Sum',
      period: PERIOD,
    });
  const asynchronous = functions.filter(({ trigger }) => ['bus', 'schedule'].includes(trigger.kind));
  return {
    ...arrivals(watched),
    ...summed(
      'dead letters wait',
      Object.entries(watched.deadLetters).map(([name, queue]) => queueDepth(queue, name)),
      {
        about: 'Queues of dead letters are not empty. The dashboard shows which.',
        runbook: 'dead-letters',
      },
    ),
    ...summed(
      'events lost by functions',
      asynchronous.map(({ name }) => functionMetric(config, name, 'DestinationDeliveryFailures')),
      {
        about: 'Lambda gave an event up and could not put it into the dead letters.',
        runbook: 'events-lost',
      },
    ),
    ...summed('events lost by the bus', ruleMetrics(watched, functions), {
      about: 'EventBridge could neither deliver an event nor put it into the dead letters.',
      runbook: 'events-lost',
    }),
    'runs lost by the scheduler': {
      metric: sumOf(
        [scheduler('InvocationDroppedCount'), scheduler('InvocationsFailedToBeSentToDeadLetterCount')],
        'lost runs',
      ),
      about: 'The scheduler gave up runs of jobs after its retries. The next run does their work.',
      runbook: 'runs-lost-by-the-scheduler',
    },
  };
};
