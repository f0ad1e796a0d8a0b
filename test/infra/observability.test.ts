import { afterAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { startHub } from '../support/hub.ts';
import { DEPLOYED, functionsOf, resourcesOf, synthesize } from './synthesized.ts';

interface AlarmProperties {
  readonly AlarmName: string;
  readonly AlarmActions: readonly unknown[];
  readonly OKActions: readonly unknown[];
  readonly TreatMissingData: string;
  readonly MetricName?: string;
  readonly Namespace?: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}

interface FilterProperties {
  readonly FilterPattern: string;
  readonly LogGroupName: { readonly Ref: string };
  readonly MetricTransformations: readonly {
    readonly MetricName: string;
    readonly MetricNamespace: string;
  }[];
}

const { stages, discard } = synthesize();
afterAll(discard);

describe.each(stages)('the stage $name', (stage) => {
  const alarms = Object.values(
    resourcesOf<AlarmProperties>(stage.observability, 'AWS::CloudWatch::Alarm'),
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
    // A queue with dead letters is that of a lane. One stays without use until no stack imports its name.
    const queues = Object.values(
      resourcesOf<{ readonly RedrivePolicy?: unknown }>(stage.events, 'AWS::SQS::Queue'),
    ).filter(({ Properties }) => !Properties?.RedrivePolicy);
    expect(names.filter((name) => name.endsWith('dead letters'))).toHaveLength(queues.length - 1);
    expect(names).toEqual(
      expect.arrayContaining([
        'API 5xx',
        'API slow',
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
    for (const { AlarmActions, OKActions } of alarms) {
      expect(AlarmActions).toEqual([{ Ref: topic }]);
      expect(OKActions).toEqual([{ Ref: topic }]);
    }
    stage.observability.resourceCountIs('AWS::SNS::Subscription', stage.name === 'prod' ? 1 : 0);
  });

  test('watches functions by their actual names', () => {
    const deployed = functionsOf(stage).map(({ properties }) => properties.FunctionName);
    const watched = alarms.flatMap(({ Namespace, Dimensions = [] }) =>
      Namespace === 'AWS/Lambda' ? Dimensions.map(({ Value }) => Value) : [],
    );
    expect([...new Set(watched)].sort()).toEqual(deployed.sort());
  });

  test('counts the figures of its alarms from the logs', () => {
    const counted = [stage.api, stage.events].flatMap((template) =>
      Object.values(resourcesOf<FilterProperties>(template, 'AWS::Logs::MetricFilter')).flatMap(
        ({ Properties }) => Properties.MetricTransformations,
      ),
    );
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
  const filters = resourcesOf<FilterProperties>(stage.api, 'AWS::Logs::MetricFilter');
  const patterns = new Set(Object.values(filters).map(({ Properties }) => Properties.FilterPattern));
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
