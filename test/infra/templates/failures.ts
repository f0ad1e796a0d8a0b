import { describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { stages } from '../complete.ts';
import { functionsOf, invokedBy, resourcesOf, type Statement } from '../synthesized.ts';

interface Arn {
  readonly 'Fn::GetAtt': readonly [string, 'Arn'];
}

interface QueueProperties {
  readonly SqsManagedSseEnabled?: boolean;
  readonly MessageRetentionPeriod?: number;
  readonly RedrivePolicy?: unknown;
}

interface QueuePolicy {
  readonly Queues: readonly { readonly Ref: string }[];
  readonly PolicyDocument: { readonly Statement: readonly Statement[] };
}

interface InvokeConfig {
  readonly FunctionName: { readonly Ref: string };
  readonly Qualifier: unknown;
  readonly MaximumRetryAttempts: number;
  readonly MaximumEventAgeInSeconds: number;
  readonly DestinationConfig: { readonly OnFailure: { readonly Destination: Arn } };
}

interface RuleProperties {
  readonly State: string;
  readonly Targets: readonly {
    readonly Arn: unknown;
    readonly DeadLetterConfig: { readonly Arn: Arn };
    readonly RetryPolicy: unknown;
  }[];
}

interface ScheduleProperties {
  readonly State?: string;
  readonly FlexibleTimeWindow: unknown;
  readonly Target: {
    readonly Arn: unknown;
    readonly DeadLetterConfig: { readonly Arn: Arn };
    readonly RetryPolicy: unknown;
  };
}

const DAY_S = 86_400;
const HOUR_S = 3_600;

/** Refuses all that does not come over TLS. */
const ONLY_TLS = { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } };

describe.each(stages)('failures in the stage $name', (stage) => {
  const { events } = stage;
  const functions = functionsOf(stage).filter(({ template }) => template === events);
  const queues = resourcesOf<QueueProperties>(events, 'AWS::SQS::Queue');
  const nameOf = (id: string | undefined): string | undefined =>
    functions.find((one) => one.id === id)?.declaration.name;
  /** Tells whether a queue has the dead letters of a function. */
  const areDeadLettersOf = (name: string | undefined, { 'Fn::GetAtt': [id] }: Arn): boolean =>
    queues[id]?.Properties.RedrivePolicy === undefined &&
    new RegExp(`^${name?.replaceAll('-', '')}(fifo)?deadletters[0-9A-F]{8}$`).test(id);

  test('stay in queues that are encrypted, refuse plain HTTP and hold dead letters for 14 days', () => {
    const policies = Object.values(resourcesOf<QueuePolicy>(events, 'AWS::SQS::QueuePolicy'));
    for (const [id, { Properties }] of Object.entries(queues)) {
      expect([id, Properties.SqsManagedSseEnabled, Properties.MessageRetentionPeriod]).toEqual([
        id,
        true,
        // Messages of lanes are in the table, too, and a job sweeps it.
        Properties.RedrivePolicy ? DAY_S : 14 * DAY_S,
      ]);
      const statements = policies.flatMap(({ Properties: policy }) =>
        policy.Queues.some(({ Ref }) => Ref === id) ? policy.PolicyDocument.Statement : [],
      );
      expect(statements).toContainEqual(expect.objectContaining({ ...ONLY_TLS, Action: 'sqs:*' }));
    }
    stage.observability.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: { Statement: Match.arrayWith([Match.objectLike(ONLY_TLS)]) },
    });
  });

  test('of events and jobs are tried again, and end in the dead letters of their function', () => {
    const configs = Object.values(resourcesOf<InvokeConfig>(events, 'AWS::Lambda::EventInvokeConfig'));
    const asynchronous = functions.filter(({ declaration: { trigger } }) =>
      ['bus', 'schedule'].includes(trigger.kind),
    );
    // That of the alias, and that of events which came before there was one.
    expect(configs).toHaveLength(2 * asynchronous.length);
    for (const { id, declaration } of asynchronous) {
      const { name, trigger } = declaration;
      for (const { Properties } of configs.filter((one) => one.Properties.FunctionName.Ref === id)) {
        expect(Properties).toMatchObject(
          trigger.kind === 'bus'
            ? { MaximumRetryAttempts: trigger.source.maxRetries, MaximumEventAgeInSeconds: 6 * HOUR_S }
            : { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: HOUR_S },
        );
        const { Destination } = Properties.DestinationConfig.OnFailure;
        expect([name, areDeadLettersOf(name, Destination)]).toEqual([name, true]);
      }
    }
  });

  test('to deliver an event or to start a job are tried again, and end there, too', () => {
    const rules = Object.values(resourcesOf<RuleProperties>(events, 'AWS::Events::Rule'));
    for (const { Properties } of rules) {
      const [target, ...others] = Properties.Targets;
      const name = nameOf(invokedBy(events, target?.Arn));
      expect([Properties.State, others, target?.RetryPolicy]).toEqual([
        'ENABLED',
        [],
        { MaximumRetryAttempts: 24 },
      ]);
      expect([name, target && areDeadLettersOf(name, target.DeadLetterConfig.Arn)]).toEqual([name, true]);
    }
    const schedules = Object.values(resourcesOf<ScheduleProperties>(events, 'AWS::Scheduler::Schedule'));
    for (const { Properties } of schedules) {
      const { Arn, RetryPolicy, DeadLetterConfig } = Properties.Target;
      const name = nameOf(invokedBy(events, Arn));
      expect([Properties.State ?? 'ENABLED', Properties.FlexibleTimeWindow, RetryPolicy]).toEqual([
        'ENABLED',
        { Mode: 'OFF' },
        { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: HOUR_S },
      ]);
      expect([name, areDeadLettersOf(name, DeadLetterConfig.Arn)]).toEqual([name, true]);
    }
  });

  test('of the bus to deliver at all end in its own dead letters', () => {
    const [bus] = Object.values(
      resourcesOf<{ readonly DeadLetterConfig: { readonly Arn: Arn } }>(events, 'AWS::Events::EventBus'),
    );
    const [id = ''] = bus?.Properties.DeadLetterConfig.Arn['Fn::GetAtt'] ?? [];
    expect(id).toMatch(/^BusDeadLetters/);
    expect(queues[id]).toBeDefined();
  });

  test('of records and messages end in the dead letters of their function', () => {
    const mappings = resourcesOf<{
      readonly FunctionName: unknown;
      readonly StartingPosition?: string;
      readonly DestinationConfig?: { readonly OnFailure: { readonly Destination: Arn } };
      readonly EventSourceArn: Arn;
    }>(events, 'AWS::Lambda::EventSourceMapping');
    for (const { Properties } of Object.values(mappings)) {
      const name = nameOf(invokedBy(events, Properties.FunctionName));
      const isStream = name === 'relay';
      // Items from before the mapping are delivered, too.
      expect(Properties.StartingPosition).toBe(isStream ? 'TRIM_HORIZON' : undefined);
      const lane = queues[Properties.EventSourceArn['Fn::GetAtt']?.[0] ?? '']?.Properties;
      const redrive = JSON.stringify(lane?.RedrivePolicy ?? Properties.DestinationConfig);
      const [, id = ''] = /"Fn::GetAtt":\["(\w+)","Arn"\]/.exec(redrive) ?? [];
      expect([name, areDeadLettersOf(name, { 'Fn::GetAtt': [id, 'Arn'] })]).toEqual([name, true]);
    }
  });
});
