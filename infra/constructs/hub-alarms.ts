import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { FunctionDeclaration, Schedule } from '../../functions/declaration.ts';
import { TABLE } from '../../shared/data/table/table.ts';
import { deployedFunctions } from '../deployed.ts';
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

interface HubAlarmsProps extends Watched {
  readonly topic: ITopic;
}

interface Condition {
  readonly metric: IMetric;
  /** Description for the operator. */
  readonly about: string;
  /** Threshold; by default 1. */
  readonly atLeast?: number;
  /** Number of consecutive periods of five minutes; by default 1. */
  readonly periods?: number;
  readonly more?: Pick<AlarmProps, 'comparisonOperator' | 'treatMissingData'>;
}

/** Minimum of the denominator, as one fault in a few requests would be a large percentage. */
const MIN_REQUESTS = 100;
const MAX_FAULTS_PCT = 1;
const MAX_AGE_MS = 60_000;
/** Jobs queue up behind the reserved concurrency. */
const MAX_WAIT_MS = 15 * 60_000;
const MAX_THROTTLED = 10;

const everyFewMinutes = ({ expression }: Schedule): boolean => /^rate\([1-5] minutes?\)$/.test(expression);

/** Returns the alarm conditions of a function, which depend on its trigger. */
const functionConditions = (
  { config, queues }: Watched,
  { name, trigger }: FunctionDeclaration,
): Record<string, Condition> => ({
  [`${name} throttled`]: {
    metric: functionMetric(config, name, 'Throttles'),
    about: 'Invocations were throttled. The function or the account has reached its concurrency limit.',
    // Asynchronous events are retried after a short throttle; synchronous requests fail.
    ...(['bus', 'stream', 'queue', 'schedule'].includes(trigger.kind) && { periods: 3 }),
  },
  // A bus consumer refuses an event with an error by design. Its dead letters have an alarm.
  ...(trigger.kind !== 'bus' && {
    [`${name} errors`]: {
      metric: functionMetric(config, name, 'Errors'),
      about: 'Invocations threw, crashed or timed out. The log has the reason.',
    },
  }),
  ...(trigger.kind === 'stream' && {
    [`${name} behind`]: {
      metric: functionMetric(config, name, 'IteratorAge', { statistic: 'Maximum' }),
      about: 'Stream records are older than a minute when they are processed.',
      atLeast: MAX_AGE_MS,
      periods: 2,
    },
  }),
  ...(queues[name] && {
    [`${name} behind`]: {
      metric: queueAge(queues[name], name),
      about: 'Messages wait in the queue for more than a minute. The sweeping job takes them meanwhile.',
      atLeast: MAX_AGE_MS / 1000,
      periods: 2,
    },
  }),
  ...(trigger.kind === 'bus' && {
    [`${name} behind`]: {
      metric: functionMetric(config, name, 'AsyncEventAge', { statistic: 'Maximum' }),
      ...(trigger.source.subscriptions.every(({ senders }) => senders === 'hub')
        ? { about: 'Jobs wait for a quarter of an hour before a worker takes them.', atLeast: MAX_WAIT_MS }
        : {
            about: 'Events of the bus are older than a minute when they are processed.',
            atLeast: MAX_AGE_MS,
          }),
      periods: 2,
    },
  }),
  ...(trigger.kind === 'schedule' &&
    trigger.schedules.some(everyFewMinutes) && {
      [`${name} silent`]: {
        metric: functionMetric(config, name, 'Invocations'),
        about: 'No job has run for ten minutes.',
        periods: 2,
        more: {
          comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
          treatMissingData: TreatMissingData.BREACHING,
        },
      },
    }),
});

const apiConditions = ({ config, apiId }: Watched): Record<string, Condition> => ({
  'API 5xx': {
    metric: new MathExpression({
      expression: `100 * faults / IF(requests > ${MIN_REQUESTS}, requests, ${MIN_REQUESTS})`,
      usingMetrics: { faults: apiMetric(apiId, '5xx'), requests: apiMetric(apiId, 'Count') },
      label: '5xx in percent',
      period: PERIOD,
    }),
    about: `At least ${MAX_FAULTS_PCT} % of the requests were answered with 5xx. Fewer than ${MIN_REQUESTS} requests count as ${MIN_REQUESTS}.`,
    atLeast: MAX_FAULTS_PCT,
  },
  'API slow': {
    metric: apiMetric(apiId, 'Latency', { statistic: 'p99' }),
    about: 'The 99th percentile of the latency exceeds the limit of the stage.',
    atLeast: config.alarms.latencyMs,
    periods: 3,
  },
  'answers withheld': {
    metric: logMetric(config, 'OutputMismatch'),
    about:
      'Answers did not match their output schema and were not sent. The log names the operation and the field.',
  },
});

const dataConditions = ({ config, table }: Watched): Record<string, Condition> => {
  const throttled = [undefined, ...TABLE.indexes.map(({ name }) => name)].flatMap((index) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => tableMetric(table.tableName, name, index)),
  );
  return {
    'table throttled': {
      metric: new MathExpression({
        expression: throttled.map((_, n) => `FILL(m${n}, 0)`).join(' + '),
        usingMetrics: Object.fromEntries(throttled.map((metric, n) => [`m${n}`, metric])),
        label: 'throttled requests',
        period: PERIOD,
      }),
      about: 'DynamoDB throttles requests. A partition or the table has reached its limit.',
      atLeast: MAX_THROTTLED,
    },
    'deliveries given up': {
      metric: logMetric(config, 'DeliveryGivenUp'),
      about: 'Messages were moved to the dead letters of the outbox. npm run dead-letters lists them.',
    },
    'messages left to the sweep': {
      metric: logMetric(config, 'LeftToSweep'),
      about:
        'The relay could not hand messages to the queue of their lane. The sweeping jobs deliver them minutes later. The log of the relay names the lane and the reason.',
    },
    'service stopped': {
      metric: logMetric(config, 'ServiceStopped'),
      about:
        'The kill switch of the service is thrown: no order leaves. npm run kill-switch -- --all --status shows by whom and why.',
    },
    'broker orders in doubt': {
      metric: logMetric(config, 'BrokerOrdersInDoubt'),
      about:
        'Orders at a broker differ from those of the hub: an order is not in hand, is not found, was replaced, or its account is not connected. The logs of execution-orders and execution-jobs name them.',
    },
    'bars in doubt': {
      metric: logMetric(config, 'BarsInDoubt'),
      about:
        'Bars of feeds were held, dropped or refused. The log of the function engine names them and the reason. npm run held-bars shows the held ones.',
    },
  };
};

const marketDataConditions = ({ config }: Watched): Record<string, Condition> =>
  config.marketData.length === 0
    ? {}
    : {
        'market data down': {
          metric: logMetric(config, 'MarketDataDown'),
          about:
            'A provider of market data has not answered for ten minutes. The log of the function market-data names it, with the reason and the next attempt. Gaps are filled afterwards.',
          periods: 2,
        },
      };

const deadLetterConditions = ({ deadLetters }: Watched): Record<string, Condition> =>
  Object.fromEntries(
    Object.entries(deadLetters).map(([name, queue]) => [
      `${name} dead letters`,
      {
        metric: queueDepth(queue, name),
        about: 'An event failed permanently. It stays in the queue for 14 days.',
      },
    ]),
  );

/** Alarms of a stage. Each function of the manifest gets its own. */
export class HubAlarms extends Construct {
  constructor(scope: Construct, id: string, { topic, ...watched }: HubAlarmsProps) {
    super(scope, id);
    const conditions = {
      ...apiConditions(watched),
      ...dataConditions(watched),
      ...marketDataConditions(watched),
      ...Object.assign(
        {},
        ...deployedFunctions(watched.config).map((declared) => functionConditions(watched, declared)),
      ),
      ...deadLetterConditions(watched),
    };
    const action = new SnsAction(topic);
    for (const [name, { metric, about, atLeast = 1, periods = 1, more }] of Object.entries<Condition>(
      conditions,
    )) {
      const alarm = new Alarm(this, name, {
        alarmName: `strategy-hub-${watched.config.stage}: ${name}`,
        alarmDescription: about,
        metric,
        threshold: atLeast,
        evaluationPeriods: periods,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        // No data means that nothing happened.
        treatMissingData: TreatMissingData.NOT_BREACHING,
        ...more,
      });
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
  }
}
