import { describe, expect, test } from '@jest/globals';
import type { FunctionDeclaration } from '../../../functions/declaration.ts';
import { stages } from '../complete.ts';
import { DEPLOYED, resourcesOf, type Synthesized } from '../synthesized.ts';

interface Dimension {
  readonly Name: string;
  readonly Value: unknown;
}

interface Stat {
  readonly Metric: {
    readonly Namespace: string;
    readonly MetricName: string;
    readonly Dimensions?: readonly Dimension[];
  };
  readonly Stat: string;
  readonly Period: number;
}

interface AlarmProperties {
  readonly AlarmName: string;
  readonly Namespace?: string;
  readonly MetricName?: string;
  readonly Dimensions?: readonly Dimension[];
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
  readonly Period?: number;
  readonly Metrics?: readonly { readonly Expression?: string; readonly MetricStat?: Stat }[];
  readonly ComparisonOperator: string;
  readonly Threshold: number;
  readonly EvaluationPeriods: number;
  readonly DatapointsToAlarm?: number;
  readonly TreatMissingData: string;
}

type Kind = FunctionDeclaration['trigger']['kind'];

/** Returns the metrics that an alarm is computed from. */
const statsOf = (alarm: AlarmProperties): Stat[] =>
  alarm.Metrics?.flatMap(({ MetricStat }) => MetricStat ?? []) ?? [
    {
      Metric: {
        Namespace: alarm.Namespace ?? '',
        MetricName: alarm.MetricName ?? '',
        Dimensions: alarm.Dimensions ?? [],
      },
      Stat: alarm.Statistic ?? alarm.ExtendedStatistic ?? '',
      Period: alarm.Period ?? 0,
    },
  ];

const SIGNS: Readonly<Record<string, string>> = {
  'GreaterThanOrEqualToThreshold notBreaching': '>=',
  'LessThanThreshold breaching': 'or no data <',
};

/** Writes the condition of an alarm in one line. */
const figuresOf = (alarm: AlarmProperties): string => {
  const stats = statsOf(alarm);
  const expression = alarm.Metrics?.find(({ Expression }) => Expression)?.Expression;
  const names = stats.map(({ Stat: of, Metric }) => `${Metric.Namespace} ${Metric.MetricName} ${of}`);
  const shown = /^FILL\(m0, 0\)( \+ FILL\(m\d, 0\))*$/.test(expression ?? '') ? 'sum' : expression;
  const sign = SIGNS[`${alarm.ComparisonOperator} ${alarm.TreatMissingData}`];
  const periods = [...new Set(stats.map(({ Period }) => Period))].join(' and ');
  const breaching = alarm.DatapointsToAlarm === undefined ? '' : `${alarm.DatapointsToAlarm} of `;
  return [
    ...(shown === undefined ? [] : [`${shown} of`]),
    [...new Set(names)].join(', '),
    `${sign} ${Number(alarm.Threshold.toPrecision(6))}`,
    `in ${breaching}${alarm.EvaluationPeriods} x ${periods} s`,
  ].join(' ');
};

/** Consumers of jobs, which wait for their turn behind the reserved concurrency. */
const TAKE_JOBS = ['broker-orders', 'binance-orders', 'halts', 'backtest-jobs'];
/** Groups that hash passwords or compute backtests. */
const HEAVY = ['user-access', 'backtests'];
const LIMITS_MS = { dev: [2_000, 5_000], prod: [3_000, 5_000] } as const;

const CALLED: readonly Kind[] = ['http', 'authorizer'];
const BACKGROUND: readonly Kind[] = ['stream', 'queue', 'bus', 'schedule'];
const THROTTLES = 'AWS/Lambda Throttles Sum >= 1';
const EVENT_AGE = 'AWS/Lambda AsyncEventAge';
const QUEUE_AGE = 'AWS/SQS ApproximateAgeOfOldestMessage Maximum';
const DEPTH = 'AWS/SQS ApproximateNumberOfMessagesVisible Maximum';

/** Alarms of each function, by the kind of its trigger. */
const OF_FUNCTIONS: readonly (readonly [string, string, readonly Kind[], ((name: string) => boolean)?])[] = [
  ['throttled', `${THROTTLES} in 1 x 300 s`, CALLED],
  ['throttled', `${THROTTLES} in 3 x 300 s`, BACKGROUND],
  ['errors', 'AWS/Lambda Errors Sum >= 1 in 1 x 300 s', [...CALLED, 'stream', 'queue', 'schedule']],
  ['behind', 'AWS/Lambda IteratorAge Maximum >= 60000 in 2 x 300 s', ['stream']],
  ['behind', `${QUEUE_AGE} >= 60 in 2 x 300 s`, ['queue']],
  ['behind', `${EVENT_AGE} Maximum >= 60000 in 2 x 300 s`, ['bus'], (name) => !TAKE_JOBS.includes(name)],
  ['behind', `${EVENT_AGE} Maximum >= 900000 in 2 x 300 s`, ['bus'], (name) => TAKE_JOBS.includes(name)],
  ['late', `${QUEUE_AGE} >= 30 in 3 of 12 x 300 s`, ['queue']],
  ['late', `${EVENT_AGE} p99 >= 10000 in 3 of 12 x 300 s`, ['bus'], (name) => !TAKE_JOBS.includes(name)],
  ['silent', 'AWS/Lambda Invocations Sum or no data < 1 in 2 x 300 s', ['schedule']],
  ['dead letters', `DIFF(FILL(waiting, 0)) of ${DEPTH} >= 1 in 1 x 300 s`, BACKGROUND],
];

const burns = (threshold: number, periodS: number): string =>
  `100 * faults / IF(requests > 100, requests, 100) of AWS/ApiGateway 5xx Sum, AWS/ApiGateway Count Sum >= ${threshold} in 1 x ${periodS} s`;

/** Alarms of a stage, without those of functions and those that count lines of the logs. */
const OF_STAGE: Readonly<Record<string, string>> = {
  'table throttled':
    'sum of AWS/DynamoDB ReadThrottleEvents Sum, AWS/DynamoDB WriteThrottleEvents Sum >= 10 in 1 x 300 s',
  'bus dead letters': `DIFF(FILL(waiting, 0)) of ${DEPTH} >= 1 in 1 x 300 s`,
  'dead letters wait': `sum of ${DEPTH} >= 1 in 1 x 300 s`,
  'events lost by functions': 'sum of AWS/Lambda DestinationDeliveryFailures Sum >= 1 in 1 x 300 s',
  'events lost by the bus': 'sum of AWS/Events InvocationsFailedToBeSentToDlq Sum >= 1 in 1 x 300 s',
  'runs lost by the scheduler':
    'sum of AWS/Scheduler InvocationDroppedCount Sum, AWS/Scheduler InvocationsFailedToBeSentToDeadLetterCount Sum >= 1 in 1 x 300 s',
  'account concurrency':
    '100 * used / SERVICE_QUOTA(used) of AWS/Usage ResourceCount Maximum >= 80 in 1 x 300 s',
  'mail bounces': 'AWS/SES Reputation.BounceRate Maximum >= 0.04 in 1 x 300 s',
  'mail complaints': 'AWS/SES Reputation.ComplaintRate Maximum >= 0.0008 in 1 x 300 s',
  'availability burns fast, 1 hour': burns(1.44, 3_600),
  'availability burns fast, 5 minutes': burns(1.44, 300),
  'availability burns slow, 6 hours': burns(0.6, 21_600),
  'availability burns slow, 30 minutes': burns(0.6, 1_800),
};

/** Alarms that go off with the first line of a log, and their metrics. */
const OF_LOGS: Readonly<Record<string, string>> = {
  'answers withheld': 'OutputMismatch',
  'records damaged': 'RecordsDamaged',
  'deliveries given up': 'DeliveryGivenUp',
  'messages left to the sweep': 'LeftToSweep',
  'service stopped': 'ServiceStopped',
  'broker orders in doubt': 'BrokerOrdersInDoubt',
  'bars in doubt': 'BarsInDoubt',
};

const slowOf = (stage: string, name: string): string => {
  const [light, heavy] = stage === 'prod' ? LIMITS_MS.prod : LIMITS_MS.dev;
  const limit = HEAVY.includes(name) ? heavy : light;
  return `IF(requests >= 100, 100 - in_time, 0) of AWS/Lambda Invocations Sum, AWS/Lambda Duration PR(:${limit}) >= 1 in 1 x 3600 s`;
};

/** Returns the figures of all alarms by name. */
const expectedFor = ({ name: stage }: Synthesized): Readonly<Record<string, string>> => ({
  ...OF_STAGE,
  ...Object.fromEntries(
    Object.entries(OF_LOGS).map(([alarm, metric]) => [
      alarm,
      `StrategyHub/${stage} ${metric} Sum >= 1 in 1 x 300 s`,
    ]),
  ),
  'mail quota': `AWS/SES Send Sum >= ${stage === 'prod' ? 40_000 : 160} in 1 x 86400 s`,
  ...Object.fromEntries(
    DEPLOYED.flatMap(({ name, trigger: { kind } }) => [
      ...OF_FUNCTIONS.flatMap(([suffix, figures, kinds, applies = () => true]) =>
        kinds.includes(kind) && applies(name) ? [[`${name} ${suffix}`, figures]] : [],
      ),
      ...(kind === 'http' && name !== 'events' ? [[`${name} slow`, slowOf(stage, name)]] : []),
    ]),
  ),
});

describe.each(stages)('the alarms of the stage $name', (stage) => {
  const alarms = Object.entries(
    resourcesOf<AlarmProperties>(stage.observability, 'AWS::CloudWatch::Alarm'),
  ).map(([id, { Properties }]) => {
    const name = Properties.AlarmName.replace(`strategy-hub-${stage.name}: `, '');
    return { id, name, alarm: Properties, stats: statsOf(Properties) };
  });
  /** Returns the metrics of an alarm that is split over several, as an alarm computes with ten at most. */
  const statsOfParts = (name: string): Stat[] =>
    alarms.flatMap((one) => (one.name.replace(/, \d of \d$/, '') === name ? one.stats : []));

  test('have the metric, the threshold, the periods and the meaning of missing data of their kind', () => {
    const actual = alarms.map(({ name, alarm }) => [name.replace(/, \d of \d$/, ''), figuresOf(alarm)]);
    expect(Object.fromEntries(actual)).toEqual(expectedFor(stage));
  });

  test('of a function watch that function and its queues', () => {
    for (const { name } of DEPLOYED) {
      const flat = name.replaceAll('-', '');
      for (const one of alarms.filter((alarm) =>
        OF_FUNCTIONS.some(([of]) => alarm.name === `${name} ${of}`),
      )) {
        const text = JSON.stringify(one.stats.map(({ Metric }) => Metric.Dimensions));
        const watched =
          one.stats[0]?.Metric.Namespace === 'AWS/Lambda' ? `"strategy-hub-${stage.name}-${name}"` : '';
        const queue = one.name.endsWith('dead letters') ? '(fifo)?deadletters' : 'queueQueue';
        expect([one.name, text]).toEqual([
          one.name,
          watched
            ? expect.stringContaining(watched)
            : expect.stringMatching(`GetAtt${flat}${queue}[0-9A-F]{8}`),
        ]);
      }
    }
  });

  test('over many metrics leave out no function, queue or rule', () => {
    const countOf = (...kinds: readonly Kind[]) =>
      DEPLOYED.filter(({ trigger }) => kinds.includes(trigger.kind)).length;
    const distinct = (name: string) =>
      new Set(statsOfParts(name).map(({ Metric }) => JSON.stringify(Metric))).size;
    // The bus has dead letters of its own.
    expect(distinct('dead letters wait')).toBe(countOf(...BACKGROUND) + 1);
    expect(distinct('events lost by functions')).toBe(countOf('bus', 'schedule'));
    expect(distinct('events lost by the bus')).toBe(
      Object.keys(resourcesOf(stage.events, 'AWS::Events::Rule')).length,
    );
    // Reads and writes, of the table and of its index.
    expect(distinct('table throttled')).toBe(4);
  });

  test('of a burn rate are the two windows that its composite alarm joins', () => {
    const composites = resourcesOf<{ readonly AlarmName: string; readonly AlarmRule: unknown }>(
      stage.observability,
      'AWS::CloudWatch::CompositeAlarm',
    );
    for (const { Properties } of Object.values(composites)) {
      const name = Properties.AlarmName.replace(`strategy-hub-${stage.name}: `, '');
      const windows = alarms.filter((one) => one.name.startsWith(`${name}, `)).map(({ id }) => id);
      const joined = [...JSON.stringify(Properties.AlarmRule).matchAll(/"Fn::GetAtt":\["(\w+)","Arn"\]/g)];
      expect(joined.map(([, id]) => id).sort()).toEqual(windows.sort());
      expect(windows).toHaveLength(2);
    }
  });
});
