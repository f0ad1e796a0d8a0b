import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { deployedFunctions } from '../../deployed.ts';
import { apiMetric, functionMetric, queueAge, type Watched } from '../hub-metrics.ts';
import type { Condition, Conditions } from './condition.ts';

/** Part of the requests that must be answered without a fault over 30 days, in percent. */
const AVAILABILITY_PCT = 99.9;
/** Part of the requests that must be answered within the limit of their class, in percent. */
const IN_TIME_PCT = 99;
/** Longest age of events and of messages for users at which they still count as in time. */
const EVENT_DELAY_MS = 10_000;
const DELIVERY_DELAY_S = 30;

/** Groups of operations that hash passwords or compute backtests. */
export const HEAVY_GROUPS: ReadonlySet<string> = new Set(['user-access', 'backtests']);
/** Groups of operations that wait for events on purpose, so that their time says nothing. */
export const WAITING_GROUPS: ReadonlySet<string> = new Set(['events']);

/**
 * Rates at which the month's budget of faults burns, with the windows that must both be over the rate: the long one
 * shows that it matters, the short one that it still goes on. From "The Site Reliability Workbook", chapter 5: 14.4
 * uses 2 % of the budget in an hour, 6 uses 5 % in six hours.
 */
const BURN_RATES = [
  { name: 'fast', rate: 14.4, windows: [Duration.hours(1), Duration.minutes(5)] },
  { name: 'slow', rate: 6, windows: [Duration.hours(6), Duration.minutes(30)] },
] as const;

/** Minimum of a denominator, as one fault in a few requests would be a large part. */
const MIN_REQUESTS = 100;

/** Alarm that goes off if all its conditions hold. */
export interface BurnRate {
  readonly name: string;
  readonly about: string;
  readonly runbook: string;
  /** Conditions by the length of their window. */
  readonly windows: Readonly<Record<string, Condition>>;
}

const faultsPct = ({ apiId }: Watched, period: Duration): MathExpression =>
  new MathExpression({
    expression: `100 * faults / IF(requests > ${MIN_REQUESTS}, requests, ${MIN_REQUESTS})`,
    usingMetrics: {
      faults: apiMetric(apiId, '5xx').with({ period }),
      requests: apiMetric(apiId, 'Count').with({ period }),
    },
    label: '5xx in percent',
    period,
  });

/** Returns the burn rates of the availability: the part of the requests that was answered with 5xx. */
export const availabilityBurnRates = (watched: Watched): readonly BurnRate[] =>
  BURN_RATES.map(({ name, rate, windows }) => {
    const atLeast = rate * (100 - AVAILABILITY_PCT);
    const about =
      `The month's budget of faults (${AVAILABILITY_PCT} % of the requests without 5xx) burns ${rate} times as fast as ` +
      `planned, for ${windows[0].toHumanString()} and still in the last ${windows[1].toHumanString()}. Fewer than ` +
      `${MIN_REQUESTS} requests count as ${MIN_REQUESTS}.`;
    return {
      name: `availability burns ${name}`,
      about,
      runbook: 'availability',
      windows: Object.fromEntries(
        windows.map((period) => [
          period.toHumanString(),
          { metric: faultsPct(watched, period), about, runbook: 'availability', atLeast },
        ]),
      ),
    };
  });

const HOUR = Duration.hours(1);

/** Returns the limit of the duration of a group's requests. */
const limitOf = ({ config }: Watched, group: string): number =>
  HEAVY_GROUPS.has(group) ? config.alarms.heavyLatencyMs : config.alarms.latencyMs;

const latency = (watched: Watched): Conditions =>
  Object.fromEntries(
    deployedFunctions(watched.config).flatMap(({ name, trigger }): [string, Condition][] => {
      if (trigger.kind !== 'http' || WAITING_GROUPS.has(name)) return [];
      const limit = limitOf(watched, name);
      const of = (what: string, statistic: string) =>
        functionMetric(watched.config, name, what, { statistic }).with({ period: HOUR });
      return [
        [
          `${name} slow`,
          {
            metric: new MathExpression({
              expression: `IF(requests >= ${MIN_REQUESTS}, 100 - in_time, 0)`,
              usingMetrics: {
                requests: of('Invocations', Stats.SUM),
                in_time: of('Duration', Stats.percentileRank(limit)),
              },
              label: `slower than ${limit} ms, in percent`,
              period: HOUR,
            }),
            about: `More than ${100 - IN_TIME_PCT} % of the requests of an hour took longer than ${limit} ms.`,
            runbook: 'slow',
            atLeast: 100 - IN_TIME_PCT,
          },
        ],
      ];
    }),
  );

/** Twelve periods of five minutes. */
const PERIODS_OF_AN_HOUR = 12;
/** Bad periods of an hour that use up two days' part of a month's budget of 1 %. */
const BAD_PERIODS = 3;

/** Returns the alarms for objectives other than availability. */
export const objectiveConditions = (watched: Watched): Conditions => {
  const often = { periods: PERIODS_OF_AN_HOUR, breaching: BAD_PERIODS } as const;
  const { config, queues } = watched;
  const events = deployedFunctions(config).flatMap(({ name, trigger }): [string, Condition][] =>
    trigger.kind === 'bus' && trigger.source.subscriptions.some(({ senders }) => senders !== 'hub')
      ? [
          [
            `${name} late`,
            {
              metric: functionMetric(config, name, 'AsyncEventAge', { statistic: Stats.p(99) }),
              about: `In ${BAD_PERIODS * 5} minutes of the last hour, one event in a hundred was older than ${EVENT_DELAY_MS / 1000} s when it was processed.`,
              runbook: 'behind',
              atLeast: EVENT_DELAY_MS,
              ...often,
            },
          ],
        ]
      : [],
  );
  const deliveries = Object.entries(queues).map(([name, queue]): [string, Condition] => [
    `${name} late`,
    {
      metric: queueAge(queue, name),
      about: `In ${BAD_PERIODS * 5} minutes of the last hour, messages waited longer than ${DELIVERY_DELAY_S} s for their delivery.`,
      runbook: 'behind',
      atLeast: DELIVERY_DELAY_S,
      ...often,
    },
  ]);
  return { ...latency(watched), ...Object.fromEntries([...events, ...deliveries]) };
};
