import {
  Alarm,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { FunctionDeclaration, Schedule } from '../../../functions/declaration.ts';
import { TABLE } from '../../../shared/data/table/table.ts';
import { deployedFunctions } from '../../deployed.ts';
import type { HubConfig } from '../../stage.ts';
import { functionMetric, logMetric, PERIOD, queueAge, tableMetric, type Watched } from '../hub-metrics.ts';
import { accountConditions } from './account-conditions.ts';
import { backupConditions } from './backup-conditions.ts';
import { canaryConditions } from './canary-conditions.ts';
import { type Condition, type Conditions, describeAlarm } from './condition.ts';
import { lossConditions } from './loss-conditions.ts';
import { availabilityBurnRates, type BurnRate, objectiveConditions } from './objectives.ts';

interface HubAlarmsProps extends Watched {
  readonly topic: ITopic;
}

const MAX_AGE_MS = 60_000;
/** Jobs queue up behind the reserved concurrency. */
const MAX_WAIT_MS = 15 * 60_000;
const MAX_THROTTLED = 10;

const everyFewMinutes = ({ expression }: Schedule): boolean => /^rate\([1-5] minutes?\)$/.test(expression);

/** Returns the alarm conditions of a function, which depend on its trigger. */
const functionConditions = (
  { config, queues }: Watched,
  { name, trigger }: FunctionDeclaration,
): Conditions => ({
  [`${name} throttled`]: {
    runbook: 'throttled',
    metric: functionMetric(config, name, 'Throttles'),
    about: 'Invocations were throttled. The function or the account has reached its concurrency limit.',
    // Asynchronous events are retried after a short throttle; synchronous requests fail.
    ...(['bus', 'stream', 'queue', 'schedule'].includes(trigger.kind) && { periods: 3 }),
  },
  // A bus consumer refuses an event with an error by design. Its dead letters have an alarm.
  ...(trigger.kind !== 'bus' && {
    [`${name} errors`]: {
      runbook: 'errors',
      metric: functionMetric(config, name, 'Errors'),
      about: 'Invocations threw, crashed or timed out. The log has the reason.',
    },
  }),
  ...(trigger.kind === 'stream' && {
    [`${name} behind`]: {
      runbook: 'behind',
      metric: functionMetric(config, name, 'IteratorAge', { statistic: 'Maximum' }),
      about: 'Stream records are older than a minute when they are processed.',
      atLeast: MAX_AGE_MS,
      periods: 2,
    },
  }),
  ...(queues[name] && {
    [`${name} behind`]: {
      runbook: 'behind',
      metric: queueAge(queues[name], name),
      about: 'Messages wait in the queue for more than a minute. The sweeping job takes them meanwhile.',
      atLeast: MAX_AGE_MS / 1000,
      periods: 2,
    },
  }),
  ...(trigger.kind === 'bus' && {
    [`${name} behind`]: {
      runbook: 'behind',
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
        runbook: 'silent',
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

const apiConditions = ({ config }: Watched): Conditions => ({
  'answers withheld': {
    runbook: 'answers-withheld',
    metric: logMetric(config, 'OutputMismatch'),
    about:
      'Answers did not match their output schema and were not sent. The log names the operation and the field.',
  },
});

const dataConditions = ({ config, table }: Watched): Conditions => {
  const throttled = [undefined, ...TABLE.indexes.map(({ name }) => name)].flatMap((index) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => tableMetric(table.tableName, name, index)),
  );
  return {
    'table throttled': {
      runbook: 'table-throttled',
      metric: new MathExpression({
        expression: throttled.map((_, n) => `FILL(m${n}, 0)`).join(' + '),
        usingMetrics: Object.fromEntries(throttled.map((metric, n) => [`m${n}`, metric])),
        label: 'throttled requests',
        period: PERIOD,
      }),
      about: 'DynamoDB throttles requests. A partition or the table has reached its limit.',
      atLeast: MAX_THROTTLED,
    },
    'records damaged': {
      runbook: 'records-damaged',
      metric: logMetric(config, 'RecordsDamaged'),
      about:
        'Records of the table cannot be read. Lists leave them out and jobs pass them by. The log names each, and the attributes at fault.',
    },
    'deliveries given up': {
      runbook: 'deliveries-given-up',
      metric: logMetric(config, 'DeliveryGivenUp'),
      about: 'Messages were moved to the dead letters of the outbox. npm run dead-letters lists them.',
    },
    'messages left to the sweep': {
      runbook: 'messages-left-to-the-sweep',
      metric: logMetric(config, 'LeftToSweep'),
      about:
        'The relay could not hand messages to the queue of their lane. The sweeping jobs deliver them minutes later. The log of the relay names the lane and the reason.',
    },
    'service stopped': {
      runbook: 'service-stopped',
      metric: logMetric(config, 'ServiceStopped'),
      about:
        'The kill switch of the service is thrown: no order leaves. npm run kill-switch -- --all --status shows by whom and why.',
    },
    'broker orders in doubt': {
      runbook: 'broker-orders-in-doubt',
      metric: logMetric(config, 'BrokerOrdersInDoubt'),
      about:
        'Orders or positions at a broker differ from those of the hub: an order is not in hand, is not found, was replaced, its account is not connected, a position has no stop, or it differs from the books. The logs of broker-orders and execution-jobs, or of binance-orders and binance-jobs, name them.',
    },
    'bars in doubt': {
      runbook: 'bars-in-doubt',
      metric: logMetric(config, 'BarsInDoubt'),
      about:
        'Bars of feeds were held, dropped or refused. The log of the function engine names them and the reason. npm run held-bars shows the held ones.',
    },
  };
};

const marketDataConditions = ({ config }: Watched): Conditions =>
  config.marketData.length === 0
    ? {}
    : {
        'market data down': {
          runbook: 'market-data-down',
          metric: logMetric(config, 'MarketDataDown'),
          about:
            'A provider of market data has not answered for ten minutes. The log of the function market-data names it, with the reason and the next attempt. Gaps are filled afterwards.',
          periods: 2,
        },
      };

/** Alarms of a stage. Each function of the manifest gets its own. */
export class HubAlarms extends Construct {
  readonly #action: SnsAction;
  readonly #config: HubConfig;

  constructor(scope: Construct, id: string, { topic, ...watched }: HubAlarmsProps) {
    super(scope, id);
    this.#action = new SnsAction(topic);
    this.#config = watched.config;
    const conditions: Conditions = {
      ...apiConditions(watched),
      ...dataConditions(watched),
      ...marketDataConditions(watched),
      ...Object.assign(
        {},
        ...deployedFunctions(watched.config).map((declared) => functionConditions(watched, declared)),
      ),
      ...lossConditions(watched),
      ...objectiveConditions(watched),
      ...accountConditions(watched.config),
      ...backupConditions(watched),
      ...canaryConditions(watched),
    };
    for (const [name, condition] of Object.entries(conditions)) {
      const alarm = this.#alarm(name, condition);
      alarm.addAlarmAction(this.#action);
      if (!condition.momentary) alarm.addOkAction(this.#action);
    }
    for (const burnRate of availabilityBurnRates(watched)) this.#addBurnRate(burnRate);
  }

  #alarm(name: string, condition: Condition): Alarm {
    const { metric, atLeast = 1, periods = 1, breaching, more } = condition;
    return new Alarm(this, name, {
      alarmName: this.#nameOf(name),
      alarmDescription: describeAlarm(this.#config, condition),
      metric,
      threshold: atLeast,
      evaluationPeriods: periods,
      ...(breaching !== undefined && { datapointsToAlarm: breaching }),
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // No data means that nothing happened.
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...more,
    });
  }

  /** Adds an alarm for each window, which notify nobody, and one that goes off if all of them do. */
  #addBurnRate({ name, windows, ...texts }: BurnRate): void {
    const parts = Object.entries(windows).map(([window, condition]) =>
      this.#alarm(`${name}, ${window}`, condition),
    );
    const alarm = new CompositeAlarm(this, name, {
      compositeAlarmName: this.#nameOf(name),
      alarmDescription: describeAlarm(this.#config, texts),
      alarmRule: AlarmRule.allOf(...parts.map((part) => AlarmRule.fromAlarm(part, AlarmState.ALARM))),
    });
    alarm.addAlarmAction(this.#action);
    alarm.addOkAction(this.#action);
  }

  #nameOf(name: string): string {
    return `strategy-hub-${this.#config.stage}: ${name}`;
  }
}
