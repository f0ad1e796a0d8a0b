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
import { FUNCTIONS } from '../../functions/manifest.ts';
import { TABLE } from '../../shared/data/table/table.ts';
import {
  apiMetric,
  functionMetric,
  logMetric,
  PERIOD,
  queueDepth,
  tableMetric,
  type Watched,
} from './hub-metrics.ts';

interface HubAlarmsProps extends Watched {
  readonly topic: ITopic;
}

interface Condition {
  readonly metric: IMetric;
  /** What a person should read, and look at. */
  readonly about: string;
  /** It is too much from here on; 1 unless said. */
  readonly atLeast?: number;
  /** For how many periods of five minutes in a row; 1 unless said. */
  readonly periods?: number;
  readonly more?: Pick<AlarmProps, 'comparisonOperator' | 'treatMissingData'>;
}

/** Few requests make large percentages: fewer than this count as this many. */
const MIN_REQUESTS = 100;
const MAX_FAULTS_PCT = 1;
const MAX_AGE_MS = 60_000;
const MAX_THROTTLED = 10;

const everyFewMinutes = ({ expression }: Schedule): boolean => /^rate\([1-5] minutes?\)$/.test(expression);

/** What is watched about a function, by what invokes it. */
const functionConditions = (
  { config }: Watched,
  { name, trigger }: FunctionDeclaration,
): Record<string, Condition> => ({
  [`${name} throttled`]: {
    metric: functionMetric(config, name, 'Throttles'),
    about: 'Invocations were refused: the function, or the account, is at its concurrency.',
    // What waits may be held back for a moment; who waits for an answer may not.
    ...(['bus', 'stream', 'schedule'].includes(trigger.kind) && { periods: 3 }),
  },
  // What a consumer of the bus refuses is an error by design, and is counted among its dead letters.
  ...(trigger.kind !== 'bus' && {
    [`${name} errors`]: {
      metric: functionMetric(config, name, 'Errors'),
      about: 'Invocations threw, crashed or took too long. The log has the reason.',
    },
  }),
  ...(trigger.kind === 'stream' && {
    [`${name} behind`]: {
      metric: functionMetric(config, name, 'IteratorAge', { statistic: 'Maximum' }),
      about: 'What the stream brings is older than a minute when it is taken.',
      atLeast: MAX_AGE_MS,
      periods: 2,
    },
  }),
  ...(trigger.kind === 'bus' && {
    [`${name} behind`]: {
      metric: functionMetric(config, name, 'AsyncEventAge', { statistic: 'Maximum' }),
      about: 'Events of the bus are older than a minute when they are taken.',
      atLeast: MAX_AGE_MS,
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
    about: `At least ${MAX_FAULTS_PCT} % of the requests, of ${MIN_REQUESTS} at the least, were answered with 5xx.`,
    atLeast: MAX_FAULTS_PCT,
  },
  'API slow': {
    metric: apiMetric(apiId, 'Latency', { statistic: 'p99' }),
    about: 'One in a hundred requests takes longer than the stage allows.',
    atLeast: config.alarms.latencyMs,
    periods: 3,
  },
  'answers withheld': {
    metric: logMetric(config, 'OutputMismatch'),
    about: 'Answers did not fit their output schema and were withheld. The log names operation and field.',
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
      about: 'DynamoDB refuses requests: a partition, or the table, is at its limit.',
      atLeast: MAX_THROTTLED,
    },
    'deliveries given up': {
      metric: logMetric(config, 'DeliveryGivenUp'),
      about: 'Messages went to the dead letters of the outbox: npm run dead-letters lists them.',
    },
  };
};

const deadLetterConditions = ({ deadLetters }: Watched): Record<string, Condition> =>
  Object.fromEntries(
    Object.entries(deadLetters).map(([name, queue]) => [
      `${name} dead letters`,
      {
        metric: queueDepth(queue, name),
        about: 'Something was given up and waits in the queue, for 14 days.',
      },
    ]),
  );

/** Every alarm of a stage. Functions bring theirs by being in the manifest. */
export class HubAlarms extends Construct {
  constructor(scope: Construct, id: string, { topic, ...watched }: HubAlarmsProps) {
    super(scope, id);
    const conditions = {
      ...apiConditions(watched),
      ...dataConditions(watched),
      ...Object.assign({}, ...FUNCTIONS.map((declared) => functionConditions(watched, declared))),
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
        // Nothing happened: that is well.
        treatMissingData: TreatMissingData.NOT_BREACHING,
        ...more,
      });
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
  }
}
