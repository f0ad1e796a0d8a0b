import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { FUNCTIONS } from '../../../functions/manifest.ts';
import { OPERATION_GROUPS } from '../../../functions/operations.ts';
import { HEAVY_GROUPS, WAITING_GROUPS } from '../../../infra/constructs/alarms/objectives.ts';
import { LOG_METRICS } from '../../../infra/constructs/log-metrics.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { BROKER_DOUBTS } from '../../../shared/broker-orders/execution-runtime.ts';
import {
  ALARM_METRICS,
  COMPOSITE_ALARMS,
  METRICS_OF_LOGS,
  OPERATIONS,
  RELEASE_ALARM_METRICS,
} from '../../bench/costs/model.ts';
import { startHub } from '../../support/hub.ts';
import { stages } from '../complete.ts';
import { DEPLOYED, functionsOf, resourcesOf } from '../synthesized.ts';

interface AlarmProperties {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly AlarmActions?: readonly unknown[];
  readonly OKActions?: readonly unknown[];
  readonly TreatMissingData: string;
  readonly MetricName?: string;
  readonly Namespace?: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
  readonly Metrics?: readonly {
    readonly Expression?: string;
    readonly MetricStat?: {
      readonly Stat: string;
      readonly Metric: {
        readonly Namespace: string;
        readonly MetricName: string;
        readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
      };
    };
  }[];
}

interface CompositeProperties {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly AlarmRule: unknown;
  readonly AlarmActions: readonly unknown[];
}

/** Returns the anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(' ', '-');

const RUNBOOK = [
  ...readFileSync(new URL('../../../infra/RUNBOOK.md', import.meta.url), 'utf8').matchAll(/^## (.+)$/gm),
].map(([, heading = '']) => anchorOf(heading));

interface FilterProperties {
  readonly FilterPattern: string;
  readonly LogGroupName: { readonly Ref: string };
  readonly MetricTransformations: readonly {
    readonly MetricName: string;
    readonly MetricNamespace: string;
  }[];
}

describe.each(stages)('the stage $name', (stage) => {
  const alarms = Object.values(
    resourcesOf<AlarmProperties>(stage.observability, 'AWS::CloudWatch::Alarm'),
  ).map(({ Properties }) => Properties);
  /** Alarms of new versions, which only a stage with canaries has. */
  const ofReleases = [stage.api, stage.events].flatMap((template) =>
    Object.values(resourcesOf<AlarmProperties>(template, 'AWS::CloudWatch::Alarm')).map(
      ({ Properties }) => Properties,
    ),
  );
  const composites = Object.values(
    resourcesOf<CompositeProperties>(stage.observability, 'AWS::CloudWatch::CompositeAlarm'),
  ).map(({ Properties }) => Properties);
  const names = alarms.map(({ AlarmName }) => AlarmName.replace(`strategy-hub-${stage.name}: `, ''));

  test('has alarms for the failures of each function', () => {
    for (const { name, trigger } of DEPLOYED) {
      expect(names).toContain(`${name} throttled`);
      if (trigger.kind !== 'bus') expect(names).toContain(`${name} errors`);
      if (['stream', 'queue', 'bus'].includes(trigger.kind)) expect(names).toContain(`${name} behind`);
      if (trigger.kind === 'schedule') expect(names).toContain(`${name} silent`);
    }
  });

  test('has one for every queue of dead letters, for the API, the table and the outbox', () => {
    // A queue with dead letters is that of a lane.
    const queues = Object.values(
      resourcesOf<{ readonly RedrivePolicy?: unknown }>(stage.events, 'AWS::SQS::Queue'),
    ).filter(({ Properties }) => !Properties?.RedrivePolicy);
    expect(names.filter((name) => name.endsWith('dead letters'))).toHaveLength(queues.length);
    expect(names).toEqual(
      expect.arrayContaining([
        'table throttled',
        'deliveries given up',
        'messages left to the sweep',
        'answers withheld',
      ]),
    );
  });

  test('notifies its topic when an alarm goes off, and when it is over', () => {
    const [topic, ...others] = Object.keys(resourcesOf(stage.observability, 'AWS::SNS::Topic'));
    expect(others).toEqual([]);
    for (const { AlarmName, AlarmActions, OKActions } of alarms) {
      // The windows of a burn rate notify by their composite alarm. The end of a single event tells nothing.
      const isWindow = AlarmName.includes(' burns ');
      const isMomentary = AlarmName.endsWith('dead letters');
      expect(AlarmActions).toEqual(isWindow ? undefined : [{ Ref: topic }]);
      expect(OKActions).toEqual(isWindow || isMomentary ? undefined : [{ Ref: topic }]);
    }
    for (const { AlarmActions } of composites) expect(AlarmActions).toEqual([{ Ref: topic }]);
    stage.observability.resourceCountIs('AWS::SNS::Subscription', stage.name === 'prod' ? 1 : 0);
  });

  test('watches functions by their actual names', () => {
    const deployed = functionsOf(stage).map(({ properties }) => properties.FunctionName);
    const watched = alarms.flatMap(({ Namespace, Dimensions = [], Metrics = [] }) => [
      ...(Namespace === 'AWS/Lambda' ? Dimensions.map(({ Value }) => Value) : []),
      ...Metrics.flatMap(({ MetricStat: { Metric: of } = {} }) =>
        of?.Namespace === 'AWS/Lambda' ? (of.Dimensions ?? []).map(({ Value }) => Value) : [],
      ),
    ]);
    expect([...new Set(watched)].sort()).toEqual(deployed.sort());
  });

  test('has an objective for the availability, with two windows for each rate', () => {
    expect(composites.map(({ AlarmName }) => AlarmName)).toEqual([
      `strategy-hub-${stage.name}: availability burns fast`,
      `strategy-hub-${stage.name}: availability burns slow`,
    ]);
    const windows = names.filter((name) => name.includes(' burns '));
    expect(windows).toHaveLength(4);
    for (const { AlarmRule } of composites) expect(JSON.stringify(AlarmRule)).toContain(' AND ');
  });

  test('has an objective for the latency of each group of operations that does not wait', () => {
    const groups = DEPLOYED.flatMap(({ name, trigger }) => (trigger.kind === 'http' ? [name] : []));
    for (const name of [...HEAVY_GROUPS, ...WAITING_GROUPS]) expect(groups).toContain(name);
    const slow = names.flatMap((name) => (name.endsWith(' slow') ? [name.replace(' slow', '')] : []));
    expect(slow.sort()).toEqual(groups.filter((name) => !WAITING_GROUPS.has(name)).sort());
  });

  test('has an objective for the delay of events and of each queue', () => {
    for (const { name, trigger } of DEPLOYED) {
      if (trigger.kind === 'queue') expect(names).toContain(`${name} late`);
    }
    expect(names).toEqual(expect.arrayContaining(['execution-events late', 'engine late']));
  });

  test('watches rules and schedules by their actual names', () => {
    const used = (namespace: string, dimension: string): unknown[] =>
      alarms.flatMap(({ Metrics = [] }) =>
        Metrics.flatMap(({ MetricStat: { Metric: of } = {} }) =>
          of?.Namespace === namespace
            ? (of.Dimensions ?? []).flatMap(({ Name, Value }) => (Name === dimension ? [Value] : []))
            : [],
        ),
      );
    const rules = Object.values(resourcesOf<{ readonly Name: string }>(stage.events, 'AWS::Events::Rule'));
    expect(used('AWS/Events', 'RuleName').sort()).toEqual(
      rules.map(({ Properties }) => Properties.Name).sort(),
    );
    const groups = resourcesOf<{ readonly Name: string }>(stage.events, 'AWS::Scheduler::ScheduleGroup');
    const [group, ...others] = Object.keys(groups);
    expect(others).toEqual([]);
    expect([...new Set(used('AWS/Scheduler', 'ScheduleGroup'))]).toEqual(
      Object.values(groups).map(({ Properties }) => Properties.Name),
    );
    const schedules = Object.values(
      resourcesOf<{ readonly GroupName: unknown }>(stage.events, 'AWS::Scheduler::Schedule'),
    );
    for (const schedule of schedules) expect(schedule.Properties.GroupName).toEqual({ Ref: group });
  });

  test('goes off again for the next dead letter while others wait', () => {
    const arrivals = alarms.filter(({ AlarmName }) => AlarmName.endsWith(' dead letters'));
    for (const { Metrics = [] } of arrivals) {
      expect(Metrics.map(({ Expression }) => Expression)).toContain('DIFF(FILL(waiting, 0))');
    }
    const standing = alarms.filter(({ AlarmName }) => AlarmName.includes(': dead letters wait'));
    const counted = standing.flatMap(({ Metrics = [] }) => Metrics.filter(({ MetricStat }) => MetricStat));
    expect(counted).toHaveLength(arrivals.length);
    // CloudWatch refuses an alarm over more than ten metrics.
    for (const { Metrics = [] } of alarms) {
      expect(Metrics.filter(({ MetricStat }) => MetricStat).length).toBeLessThanOrEqual(10);
    }
  });

  test('has about as many alarms and metrics as the table of costs says', () => {
    const metrics = [...alarms, ...ofReleases].map(
      ({ Metrics }) => Metrics?.filter(({ MetricStat }) => MetricStat).length ?? 1,
    );
    const counted = metrics.reduce((sum, count) => sum + count, 0);
    const expected = ALARM_METRICS + (stage.name === 'prod' ? RELEASE_ALARM_METRICS : 0);
    expect(Math.abs(counted / expected - 1)).toBeLessThan(0.1);
    expect(composites).toHaveLength(COMPOSITE_ALARMS);
    expect(Math.abs(Object.values(OPERATION_GROUPS).flat().length / OPERATIONS - 1)).toBeLessThan(0.1);
    expect(Math.abs(Object.keys(LOG_METRICS).length - METRICS_OF_LOGS)).toBeLessThan(3);
  });

  test('watches the limits of the account', () => {
    expect(names).toEqual(
      expect.arrayContaining(['account concurrency', 'mail bounces', 'mail complaints', 'mail quota']),
    );
    // The mails of any 24 hours, at 80 % of the quota of the stage.
    stage.observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: `strategy-hub-${stage.name}: mail quota`,
      Namespace: 'AWS/SES',
      MetricName: 'Send',
      Statistic: 'Sum',
      Period: 86_400,
      EvaluationPeriods: 1,
      Threshold: { dev: 160, prod: 40_000 }[stage.name],
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    });
  });

  test('has a page that explains each doubt about a broker', () => {
    const pages = ['infra/RUNBOOK.md', 'functions/execution/README.md'].map((page) =>
      readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8'),
    );
    for (const doubt of Object.values(BROKER_DOUBTS)) expect(pages.join()).toContain(`\`${doubt}\``);
  });

  test('names a part of the runbook in each alarm', () => {
    const named = [...alarms, ...ofReleases, ...composites].map(
      ({ AlarmDescription }) => / Runbook: infra\/RUNBOOK\.md#([\w-]+)$/.exec(AlarmDescription)?.[1] ?? '',
    );
    for (const anchor of named) expect(RUNBOOK).toContain(anchor);
    // No provider of market data is configured, no copies of backups and no checks from outside. Only production has
    // canaries.
    const unused = RUNBOOK.filter((anchor) => !named.includes(anchor));
    expect(unused).toEqual([
      ...(stage.name === 'prod' ? [] : ['new-version-fails']),
      'market-data-down',
      'service-checks-fail',
      'backup-copies',
    ]);
  });

  test('counts the figures of its alarms from the logs', () => {
    const counted = Object.values(
      resourcesOf<FilterProperties>(stage.logs, 'AWS::Logs::MetricFilter'),
    ).flatMap(({ Properties }) => Properties.MetricTransformations);
    const alarmed = alarms.filter(({ Namespace }) => Namespace?.startsWith('StrategyHub'));
    expect(alarmed.length).toBeGreaterThan(1);
    for (const { MetricName, Namespace } of alarmed) {
      expect(counted).toContainEqual(
        expect.objectContaining({ MetricName, MetricNamespace: Namespace, MetricValue: '1' }),
      );
    }
    const http = FUNCTIONS.filter(({ trigger }) => trigger.kind === 'http').length;
    expect(counted.filter(({ MetricName }) => MetricName === 'OutputMismatch')).toHaveLength(http);
  });

  test('has a dashboard', () => {
    stage.observability.hasResourceProperties('AWS::CloudWatch::Dashboard', {
      DashboardName: `strategy-hub-${stage.name}`,
    });
  });
});

test('an answer that does not fit its output is logged as the filter expects it', async () => {
  const [stage] = stages;
  if (!stage) throw new Error('there is no stage');
  const filters = resourcesOf<FilterProperties>(stage.logs, 'AWS::Logs::MetricFilter');
  const patterns = new Set(
    Object.values(filters).flatMap(({ Properties: { FilterPattern, MetricTransformations } }) =>
      MetricTransformations.some(({ MetricName }) => MetricName === 'OutputMismatch') ? [FilterPattern] : [],
    ),
  );
  const [pattern] = patterns;
  const [, field = '', beginning = ''] = /^\{ \$\.(\w+) = "(.+)\*" \}$/.exec(pattern ?? '') ?? [];
  expect(patterns.size).toBe(1);
  const answer = z.object({ count: z.number() });
  const misfit = defineOperation({
    method: 'GET',
    path: '/misfit',
    name: 'misfit',
    summary: 'Answers what it did not declare',
    caller: 'anyone',
    input: {},
    output: answer,
    errors: [],
    table: 'none',
    handler: async () => ({ count: Number.NaN }),
  });
  const hub = await startHub([misfit]);
  try {
    expect((await hub.call('GET /misfit')).status).toBe(500);
    const [line] = hub.log.filter(({ level }) => level === 'error');
    expect(String(line?.extra[field]).startsWith(beginning)).toBe(true);
  } finally {
    await hub.close();
  }
});
