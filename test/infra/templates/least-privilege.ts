import { describe, expect, test } from '@jest/globals';
import { stages } from '../complete.ts';
import {
  actionsOf,
  allStatements,
  functionsOf,
  resourcesOf,
  type Statement,
  statementsOf,
  templatesOf,
} from '../synthesized.ts';

/** Resource types of a stage. Review a new type before adding it here. */
const KNOWN_TYPES = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Authorizer',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::DynamoDB::GlobalTable',
  'AWS::Events::EventBus',
  'AWS::Events::EventBusPolicy',
  'AWS::Events::Rule',
  'AWS::IAM::Role',
  'AWS::KMS::Key',
  'AWS::Lambda::Alias',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Version',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::SES::ConfigurationSet',
  'AWS::SES::ConfigurationSetEventDestination',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
  'AWS::Scheduler::Schedule',
  'AWS::Scheduler::ScheduleGroup',
  'AWS::SSM::Parameter',
  'AWS::SecretsManager::Secret',
];

/** A statement of a resource policy, for any principal. */
interface ResourceStatement extends Statement {
  readonly Principal?: unknown;
}

interface PolicyDocument {
  readonly Statement: readonly ResourceStatement[];
}

/** Returns the resources of a statement; references as their words, separated by blanks. */
const target = ({ Resource, NotResource }: Statement): string =>
  JSON.stringify(Resource ?? { not: NotResource })
    .replaceAll(/[^\w*:/.-]+/g, ' ')
    .replaceAll(' : ', ' ')
    .trim();

describe.each(stages)('the stage $name', (stage) => {
  const functions = functionsOf(stage);

  test('gives each function its own role, which only Lambda may assume', () => {
    const roles = functions.map(({ properties }) => properties.Role['Fn::GetAtt'][0]);
    expect(new Set(roles).size).toBe(functions.length);
    for (const template of templatesOf(stage)) {
      const shifting = Object.values(
        resourcesOf<{ readonly ServiceRoleArn: { readonly 'Fn::GetAtt': readonly [string, string] } }>(
          template,
          'AWS::CodeDeploy::DeploymentGroup',
        ),
      ).map(({ Properties }) => Properties.ServiceRoleArn['Fn::GetAtt'][0]);
      for (const [id, { Properties }] of Object.entries(
        resourcesOf<{
          readonly AssumeRolePolicyDocument: PolicyDocument;
          readonly ManagedPolicyArns?: readonly unknown[];
          readonly Policies: readonly unknown[];
        }>(template, 'AWS::IAM::Role'),
      )) {
        const [trust, ...others] = Properties.AssumeRolePolicyDocument.Statement;
        expect(others).toEqual([]);
        const service = roles.includes(id) ? 'lambda' : shifting.includes(id) ? 'codedeploy' : 'scheduler';
        expect(trust?.Principal).toEqual({ Service: `${service}.amazonaws.com` });
        expect(Properties.ManagedPolicyArns).toBeUndefined();
        expect(Properties.Policies).toHaveLength(1);
      }
      // No policy is for several roles.
      for (const type of ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy']) {
        expect(resourcesOf(template, type)).toEqual({});
      }
    }
  });

  test('lets schedules start their jobs and releases move aliases, and nothing else', () => {
    const roles = [stage.api, stage.events].flatMap((template) =>
      Object.keys(resourcesOf(template, 'AWS::IAM::Role')).map((id) => ({ template, id })),
    );
    const own = functions.map(({ properties }) => properties.Role['Fn::GetAtt'][0]);
    const others = roles.filter(({ id }) => !own.includes(id));
    for (const { template, id } of others) {
      const actions = statementsOf(template, id).flatMap(actionsOf).sort();
      expect([id, actions]).toEqual([
        id,
        /schedulesRole[0-9A-F]{8}$/.test(id)
          ? ['lambda:InvokeFunction', 'sqs:SendMessage']
          : [
              // Releases with canaries look at their alarms.
              ...(stage.name === 'prod' ? ['cloudwatch:DescribeAlarms'] : []),
              'lambda:GetAlias',
              'lambda:GetProvisionedConcurrencyConfig',
              'lambda:UpdateAlias',
            ],
      ]);
    }
    expect(others.length).toBe(
      2 + functions.filter(({ declaration }) => declaration.trigger.kind === 'schedule').length,
    );
  });

  test('lets a function reach its own resources, and of the others only those it declares', () => {
    const table = /^Fn::ImportValue \S+ExportsOutputFnGetAttTable\w+Arn\w+$/;
    const index = /^Fn::Join Fn::ImportValue \S+ExportsOutputFnGetAttTable\w+Arn\w+ \/index\/due$/;
    const stream = /^Fn::ImportValue \S+ExportsOutputFnGetAttTable\w+StreamArn\w+$/;
    for (const { template, properties, declaration } of functions) {
      const { name, trigger, uses } = declaration;
      const own = name.replaceAll('-', '');
      const logs = new RegExp(
        `^Fn::GetStackOutput StackName \\S+-logs .* OutputName PublishOutputFnGetAtt${own}[0-9A-F]{8}Arn\\w+$`,
      );
      const places: Record<string, readonly RegExp[]> = {
        logs: [logs],
        secretsmanager: [/ExportsOutputRefSecret/],
        xray: [/^\*$/],
        dynamodb: [
          table,
          ...(trigger.kind === 'schedule' ? [index] : []),
          ...(trigger.kind === 'stream' ? [stream, /^\*$/] : []),
        ],
        sqs: [
          ...(['stream', 'bus', 'schedule'].includes(trigger.kind)
            ? [new RegExp(`^Fn::GetAtt ${own}deadletters\\w+ Arn$`)]
            : []),
          ...(trigger.kind === 'queue' ? [new RegExp(`^Fn::GetAtt ${own}queueQueue\\w+ Arn$`)] : []),
          ...(uses.includes('queues') ? [/^(Fn::GetAtt \w+queueQueue\w+ Arn ?)+$/] : []),
        ],
        ses: uses.includes('mail')
          ? [
              new RegExp(
                ` :configuration-set/strategy-hub-${stage.name}( Fn::Join [^/]+ :identity/(no-reply )?[\\w.-]+)+$`,
              ),
              // Of reading the quota alone.
              /^\*$/,
            ]
          : [],
        sns: uses.includes('sms') ? [/^not Fn::Join .+ :sns:\*:\*:\*$/] : [],
        events:
          uses.includes('bus') || uses.includes('reports')
            ? [new RegExp(` :event-bus/strategy-hub-${stage.name}$`)]
            : [],
        kms: uses.includes('encryption') ? [/ExportsOutputFnGetAttDataKey/] : [],
      };
      const statements = statementsOf(template, properties.Role['Fn::GetAtt'][0]);
      expect(statements.length).toBeGreaterThan(1);
      for (const statement of statements) {
        expect(statement.Effect).toBe('Allow');
        for (const action of actionsOf(statement)) {
          const service = action.split(':')[0] ?? '';
          const allowed = places[service]?.some((place) => place.test(target(statement)));
          expect([name, action, target(statement), allowed]).toEqual([name, action, target(statement), true]);
        }
      }
    }
  });

  test('sends mail only from its own address', () => {
    const sending = allStatements(stage).filter((one) => actionsOf(one).includes('ses:SendEmail'));
    expect(sending.length).toBeGreaterThan(0);
    for (const { Condition } of sending) {
      expect(Condition).toEqual({
        StringEquals: { 'ses:FromAddress': expect.stringMatching(/^no-reply@/) },
      });
    }
  });

  test('has no resource that could be public, except the API', () => {
    const types = templatesOf(stage).flatMap((template) =>
      Object.values<{ readonly Type: string }>(template.toJSON().Resources).map(({ Type }) => Type),
    );
    expect([...new Set(types)].filter((type) => !KNOWN_TYPES.includes(type))).toEqual([]);
  });

  test('lets only AWS services in by resource policies, each for the resource it serves', () => {
    for (const template of templatesOf(stage)) {
      for (const type of ['AWS::SQS::QueuePolicy', 'AWS::SNS::TopicPolicy']) {
        const policies = resourcesOf<{ readonly PolicyDocument: PolicyDocument }>(template, type);
        for (const { Properties } of Object.values(policies)) {
          for (const { Effect, Principal, Condition } of Properties.PolicyDocument.Statement) {
            if (Effect === 'Deny') continue;
            expect(Principal).toEqual({
              Service: expect.stringMatching(/^(events|cloudwatch)\.amazonaws\.com$/),
            });
            expect(JSON.stringify(Condition)).toMatch(/aws:Source(Arn|Account)/);
          }
        }
      }
      const keys = resourcesOf<{ readonly KeyPolicy: PolicyDocument }>(template, 'AWS::KMS::Key');
      for (const { Properties } of Object.values(keys)) {
        for (const { Principal } of Properties.KeyPolicy.Statement) {
          expect(JSON.stringify(Principal)).toContain(':root');
        }
      }
      const permissions = resourcesOf<{ readonly Principal: string; readonly SourceArn?: unknown }>(
        template,
        'AWS::Lambda::Permission',
      );
      for (const { Properties } of Object.values(permissions)) {
        expect(['apigateway.amazonaws.com', 'events.amazonaws.com']).toContain(Properties.Principal);
        expect(Properties.SourceArn).toBeDefined();
      }
    }
  });
});
