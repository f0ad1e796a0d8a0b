import { describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { FUNCTIONS } from '../../../functions/manifest.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import { RELAYED_LANES, runsInTurn } from '../../../shared/data/outbox/lanes.ts';
import { TABLE } from '../../../shared/data/table/table.ts';
import { tableInput } from '../../../shared/data/table/table-input.ts';
import { environmentNames } from '../../../shared/settings.ts';
import { app, stages } from '../complete.ts';
import {
  actionsOf,
  allStatements,
  DEPLOYED,
  functionsOf,
  invokedBy,
  logOutputOf,
  type Resource,
  resourcesOf,
  statementsOf,
  templatesOf,
} from '../synthesized.ts';

const READ = ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'];
const WRITE = [
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:DeleteItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
];
const TABLE_ACTIONS = {
  none: [],
  read: READ,
  write: [...READ, ...WRITE],
  scan: [...READ, ...WRITE, 'dynamodb:Scan'],
};

interface Mapping {
  readonly FunctionName: unknown;
  readonly EventSourceArn: { readonly 'Fn::GetAtt'?: readonly [string, string] };
  readonly StartingPosition?: string;
}

interface QueueProperties {
  readonly VisibilityTimeout?: number;
  readonly SqsManagedSseEnabled?: boolean;
  readonly FifoQueue?: boolean;
  readonly DeduplicationScope?: string;
  readonly FifoThroughputLimit?: string;
  readonly RedrivePolicy?: {
    readonly maxReceiveCount: number;
    readonly deadLetterTargetArn: { readonly 'Fn::GetAtt': readonly [string, string] };
  };
}

const mappingsOf = ({ events }: (typeof stages)[number]): Mapping[] =>
  Object.values(resourcesOf<Mapping>(events, 'AWS::Lambda::EventSourceMapping')).map(
    ({ Properties }) => Properties,
  );

test('every finding of cdk-nag is acknowledged with a reason', () => {
  const { violations } = new AwsSolutionsChecks(app).validateScope(app);
  expect(violations.map(({ ruleName }) => ruleName)).toEqual([]);
});

test('a development and a production stage exist, and production requires a session', () => {
  expect(stages.map(({ name }) => name)).toEqual(['dev', 'prod']);
  const [, prod] = stages;
  if (!prod) throw new Error('there is no production stage');
  for (const { properties } of functionsOf(prod)) {
    expect(properties.Environment.Variables.HUB_SESSION_POLICY).toBe('require');
  }
});

describe.each(stages)('the stage $name', (stage) => {
  const functions = functionsOf(stage);

  test('routes every operation once, to the function of its group', () => {
    interface Route {
      readonly RouteKey: string;
      readonly Target: {
        readonly 'Fn::Join': readonly [string, readonly ['integrations/', { readonly Ref: string }]];
      };
    }
    interface Integration {
      readonly IntegrationUri: unknown;
      readonly PayloadFormatVersion: string;
    }
    const routes = Object.values(resourcesOf<Route>(stage.api, 'AWS::ApiGatewayV2::Route'));
    const integrations = resourcesOf<Integration>(stage.api, 'AWS::ApiGatewayV2::Integration');
    const routed = routes.map(({ Properties: { RouteKey, Target } }): [string, string | undefined] => {
      const integration = integrations[Target['Fn::Join'][1][1].Ref];
      expect(integration?.Properties.PayloadFormatVersion).toBe('2.0');
      const functionId = invokedBy(stage.api, integration?.Properties.IntegrationUri);
      return [RouteKey, functions.find(({ id }) => id === functionId)?.declaration.name];
    });
    const expected = FUNCTIONS.flatMap(({ name, trigger }) =>
      trigger.kind === 'http' ? trigger.operations.map(({ routeKey }) => [routeKey, name]) : [],
    );
    expect(routed.sort()).toEqual(expected.sort());
    expect(routes).toHaveLength(OPERATIONS.length);
    const groups = FUNCTIONS.filter(({ trigger }) => trigger.kind === 'http').length;
    stage.api.resourceCountIs('AWS::ApiGatewayV2::Integration', groups);
    const authorizers = FUNCTIONS.filter(({ trigger }) => trigger.kind === 'authorizer').length;
    stage.api.resourceCountIs('AWS::Lambda::Permission', groups + authorizers);
  });

  test('asks the authorizer for every operation of integrators, and for no other', () => {
    interface Authorizer {
      readonly AuthorizerUri: unknown;
      readonly [name: string]: unknown;
    }
    interface Guarded {
      readonly RouteKey: string;
      readonly AuthorizationType?: string;
      readonly AuthorizerId?: { readonly Ref: string };
    }
    const authorizers = Object.entries(resourcesOf<Authorizer>(stage.api, 'AWS::ApiGatewayV2::Authorizer'));
    const [[id, { Properties }] = ['', { Properties: undefined }], ...others] = authorizers;
    expect(others).toEqual([]);
    expect(Properties).toMatchObject({
      AuthorizerType: 'REQUEST',
      AuthorizerPayloadFormatVersion: '2.0',
      EnableSimpleResponses: true,
      IdentitySource: ['$request.header.Authorization'],
      AuthorizerResultTtlInSeconds: 300,
    });
    const fn = functions.find(({ declaration }) => declaration.name === 'authorizer');
    expect(invokedBy(stage.api, Properties?.AuthorizerUri)).toBe(fn?.id);
    expect(fn?.declaration.table).toBe('none');

    const guarded = Object.values(resourcesOf<Guarded>(stage.api, 'AWS::ApiGatewayV2::Route')).filter(
      ({ Properties: { AuthorizationType: type = 'NONE' } }) => type !== 'NONE',
    );
    for (const { Properties: route } of guarded) {
      expect(route).toMatchObject({ AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: id } });
    }
    const ofIntegrators = OPERATIONS.filter(({ caller }) => caller === 'integrator');
    expect(guarded.map(({ Properties: { RouteKey } }) => RouteKey).sort()).toEqual(
      ofIntegrators.map(({ routeKey }) => routeKey).sort(),
    );
    const behind = OPERATIONS.filter(({ path }) => /^\/broker(\/|$)/i.test(path));
    expect(behind.map(({ routeKey }) => routeKey)).toEqual(ofIntegrators.map(({ routeKey }) => routeKey));
    // API Gateway may invoke the function only for authorizers, of which there is one.
    const permissions = resourcesOf<Record<string, unknown>>(stage.api, 'AWS::Lambda::Permission');
    const own = Object.values(permissions).filter(
      ({ Properties: one }) => invokedBy(stage.api, one.FunctionName) === fn?.id,
    );
    expect(own).toHaveLength(1);
    expect(own[0]?.Properties).toMatchObject({
      Action: 'lambda:InvokeFunction',
      Principal: 'apigateway.amazonaws.com',
    });
    expect(JSON.stringify(own[0]?.Properties.SourceArn)).toContain('/authorizers/*');
  });

  test('logs the route of a request, never its query, path, body or address', () => {
    interface StageProperties {
      readonly StageName: string;
      readonly AccessLogSettings: { readonly Format: string };
    }
    const [api] = Object.values(resourcesOf<StageProperties>(stage.api, 'AWS::ApiGatewayV2::Stage'));
    expect(api?.Properties.StageName).toBe('$default');
    const fields: unknown = JSON.parse(api?.Properties.AccessLogSettings.Format ?? '');
    expect(fields).toEqual({
      requestId: '$context.requestId',
      routeKey: '$context.routeKey',
      status: '$context.status',
      responseLatency: '$context.responseLatency',
      integrationStatus: '$context.integrationStatus',
      integrationError: '$context.integrationErrorMessage',
    });
  });

  test('has the same table as the local engine, with backups and deletion protection', () => {
    interface TableProperties {
      readonly Replicas: readonly Readonly<Record<string, unknown>>[];
      readonly [name: string]: unknown;
    }
    const [table] = Object.values(resourcesOf<TableProperties>(stage.data, 'AWS::DynamoDB::GlobalTable'));
    const { TableName, StreamSpecification, ...local } = tableInput('local');
    expect(TableName).toBe('local');
    expect(table?.Properties).toMatchObject({
      ...local,
      AttributeDefinitions: expect.arrayContaining(local.AttributeDefinitions),
      StreamSpecification: { StreamViewType: StreamSpecification.StreamViewType },
      TimeToLiveSpecification: { AttributeName: TABLE.timeToLive, Enabled: true },
    });
    expect(table?.Properties.AttributeDefinitions).toHaveLength(local.AttributeDefinitions.length);
    expect(table?.Properties.Replicas).toEqual([
      expect.objectContaining({
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
    ]);
  });

  test('gives each function the environment of its capabilities', () => {
    expect(functions.map(({ declaration }) => declaration.name).sort()).toEqual(
      DEPLOYED.map(({ name }) => name).sort(),
    );
    for (const { properties, declaration } of functions) {
      expect(Object.keys(properties.Environment.Variables).sort()).toEqual(
        [...environmentNames(declaration.uses), 'POWERTOOLS_LOG_LEVEL'].sort(),
      );
    }
  });

  test('runs each function as declared, with tracing and a log that expires', () => {
    for (const { properties, declaration } of functions) {
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: declaration.memoryMb,
        Timeout: declaration.timeoutS,
        TracingConfig: { Mode: 'Active' },
      });
      const logs = resourcesOf<{ RetentionInDays: number }>(stage.logs, 'AWS::Logs::LogGroup');
      const [, id = ''] = /^\{"Ref":"(\w+)"\}$/.exec(JSON.stringify(logOutputOf(stage, properties))) ?? [];
      expect(id).toMatch(new RegExp(`^${declaration.name.replaceAll('-', '')}[0-9A-F]{8}$`));
      expect(logs[id]?.Properties.RetentionInDays).toBeGreaterThan(0);
    }
  });

  test('grants a function only the permissions of its declaration', () => {
    for (const { template, properties, declaration } of functions) {
      const { table, uses, trigger } = declaration;
      const actions = statementsOf(template, properties.Role['Fn::GetAtt'][0]).flatMap(actionsOf);
      const streams = trigger.kind === 'stream';
      const allowed = [
        ...TABLE_ACTIONS[table],
        'logs:CreateLogStream',
        'logs:PutLogEvents',
        ...(declaration.withoutSecret ? [] : ['secretsmanager:GetSecretValue']),
        ...(uses.includes('mail') ? ['ses:GetAccount', 'ses:SendEmail'] : []),
        ...(uses.includes('sms') ? ['sns:Publish'] : []),
        ...(uses.includes('encryption') ? ['kms:Decrypt', 'kms:GenerateDataKey'] : []),
        ...(uses.includes('bus') || uses.includes('reports') ? ['events:PutEvents'] : []),
        ...(streams ? ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'] : []).map(
          (action) => `dynamodb:${action}`,
        ),
        ...(['stream', 'bus', 'schedule'].includes(trigger.kind)
          ? ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage']
          : []),
        ...(trigger.kind === 'queue'
          ? ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage']
          : []),
        'xray:PutTelemetryRecords',
        'xray:PutTraceSegments',
      ];
      expect([...new Set(actions)].sort()).toEqual(allowed.sort());
    }
  });

  test('lets only one function scan the table, and no request invokes it', () => {
    const scanning = FUNCTIONS.filter(({ table }) => table === 'scan');
    expect(scanning.map(({ name, trigger }) => [name, trigger.kind])).toEqual([['jobs', 'schedule']]);
    const granted = allStatements(stage).filter((one) => actionsOf(one).includes('dynamodb:Scan'));
    expect(granted).toHaveLength(1);
  });

  test('grants no wildcard action, and a wildcard resource only where AWS has no narrower one', () => {
    const unnamed = [
      'cloudwatch:DescribeAlarms',
      'dynamodb:ListStreams',
      'ses:GetAccount',
      'xray:PutTelemetryRecords',
      'xray:PutTraceSegments',
    ];
    for (const statement of allStatements(stage)) {
      const actions = actionsOf(statement);
      expect(actions.filter((action) => action.includes('*'))).toEqual([]);
      if (JSON.stringify(statement.Resource ?? '').includes('*')) {
        expect(actions.filter((action) => !unnamed.includes(action))).toEqual([]);
      }
      if (statement.NotResource) expect(actions).toEqual(['sns:Publish']);
    }
  });

  test('sends the stream to the functions that declare it, and failures to a queue', () => {
    const mappings = mappingsOf(stage).filter(({ StartingPosition }) => StartingPosition !== undefined);
    const expected = FUNCTIONS.flatMap(({ trigger }) => (trigger.kind === 'stream' ? [trigger.source] : []));
    expect(mappings).toHaveLength(expected.length);
    for (const { entities, batchSize, maxRetries } of expected) {
      const pattern = { eventName: ['INSERT'], dynamodb: { NewImage: { entity: { S: entities } } } };
      expect(mappings).toContainEqual(
        expect.objectContaining({
          BatchSize: batchSize,
          MaximumRetryAttempts: maxRetries,
          BisectBatchOnFunctionError: true,
          FunctionResponseTypes: ['ReportBatchItemFailures'],
          FilterCriteria: { Filters: [{ Pattern: JSON.stringify(pattern) }] },
          DestinationConfig: { OnFailure: { Destination: expect.anything() } },
        }),
      );
    }
  });

  test('has one reader of the stream, so that a second one stays free', () => {
    const readers = mappingsOf(stage).filter(({ StartingPosition }) => StartingPosition !== undefined);
    expect(readers).toHaveLength(1);
  });

  test('gives each lane a queue that outlasts its function, with dead letters and a limit of batches', () => {
    const queues = resourcesOf<QueueProperties>(stage.events, 'AWS::SQS::Queue');
    const consumers = functions.flatMap(({ id, declaration }) =>
      declaration.trigger.kind === 'queue' ? [{ id, declaration, source: declaration.trigger.source }] : [],
    );
    expect(consumers.map(({ source }) => source.lane).sort()).toEqual([...RELAYED_LANES].sort());
    const mappings = mappingsOf(stage).filter(({ StartingPosition }) => StartingPosition === undefined);
    expect(mappings).toHaveLength(consumers.length);
    for (const { id, declaration, source } of consumers) {
      const mapping = mappings.find(({ FunctionName }) => invokedBy(stage.events, FunctionName) === id);
      expect(mapping).toMatchObject({
        BatchSize: source.batchSize,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: declaration.maxConcurrency },
      });
      const queue = queues[mapping?.EventSourceArn?.['Fn::GetAtt']?.[0] ?? '']?.Properties;
      expect(queue?.VisibilityTimeout).toBeGreaterThanOrEqual(6 * declaration.timeoutS);
      expect(queue?.SqsManagedSseEnabled).toBe(true);
      expect(queue?.RedrivePolicy?.maxReceiveCount).toBe(source.maxReceives);
      const deadLetters = queues[queue?.RedrivePolicy?.deadLetterTargetArn['Fn::GetAtt'][0] ?? ''];
      expect(deadLetters?.DeletionPolicy).toBe('Retain');
      // The dead letters of a FIFO queue must be one, too.
      const fifo = runsInTurn(source.lane) ? true : undefined;
      expect([queue?.FifoQueue, deadLetters?.Properties.FifoQueue]).toEqual([fifo, fifo]);
      expect([queue?.DeduplicationScope, queue?.FifoThroughputLimit]).toEqual(
        fifo ? ['messageGroup', 'perMessageGroupId'] : [undefined, undefined],
      );
    }
  });

  test('sends events of the bus to the functions that declare them, and failures to a queue', () => {
    interface RuleProperties {
      readonly EventPattern: { readonly 'detail-type': readonly string[] };
      readonly Targets: readonly { readonly DeadLetterConfig: unknown }[];
    }
    const rules = Object.values(resourcesOf<RuleProperties>(stage.events, 'AWS::Events::Rule')).map(
      ({ Properties }) => Properties,
    );
    const expected = FUNCTIONS.flatMap(({ trigger }) =>
      trigger.kind === 'bus' ? trigger.source.subscriptions : [],
    );
    expect(rules.map(({ EventPattern }) => EventPattern['detail-type'])).toEqual(
      expected.map(({ detailTypes }) => detailTypes),
    );
    for (const { Targets } of rules) {
      for (const { DeadLetterConfig } of Targets) expect(DeadLetterConfig).toBeDefined();
    }
  });

  test('runs every job on its schedule', () => {
    interface ScheduleProperties {
      readonly ScheduleExpression: string;
      readonly ScheduleExpressionTimezone: string;
      readonly Target: { readonly Input: string; readonly DeadLetterConfig: unknown };
    }
    const fired = Object.values(
      resourcesOf<ScheduleProperties>(stage.events, 'AWS::Scheduler::Schedule'),
    ).map(({ Properties: { ScheduleExpression, ScheduleExpressionTimezone, Target } }) => {
      expect(Target.DeadLetterConfig).toBeDefined();
      return { input: Target.Input, expression: ScheduleExpression, timeZone: ScheduleExpressionTimezone };
    });
    const expected = DEPLOYED.flatMap(({ trigger }) =>
      trigger.kind === 'schedule' ? trigger.schedules : [],
    );
    expect(fired).toHaveLength(expected.length);
    expect(fired).toEqual(
      expect.arrayContaining(
        expected.map(({ job, expression, timeZone }) => ({
          input: JSON.stringify({ job }),
          expression,
          timeZone,
        })),
      ),
    );
    stage.events.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      DestinationConfig: { OnFailure: Match.anyValue() },
    });
  });

  test('keeps the table, the secrets, the logs and the dead letters when a stack or a resource goes', () => {
    const kept: Resource<unknown>[] = [
      ...Object.values(resourcesOf(stage.data, 'AWS::DynamoDB::GlobalTable')),
      ...Object.values(resourcesOf(stage.data, 'AWS::SecretsManager::Secret')),
      ...Object.values(resourcesOf(stage.data, 'AWS::KMS::Key')),
      // A queue with dead letters is that of a lane. Its messages are in the table.
      ...Object.values(resourcesOf<QueueProperties>(stage.events, 'AWS::SQS::Queue')).filter(
        ({ Properties }) => !Properties?.RedrivePolicy,
      ),
    ];
    expect(kept.length).toBeGreaterThan(2);
    for (const { DeletionPolicy, UpdateReplacePolicy } of kept) {
      expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
    }
    const logs = [stage.logs, stage.api].flatMap((template) =>
      Object.values(resourcesOf(template, 'AWS::Logs::LogGroup')),
    );
    // Each function has one, and the API that of its requests.
    expect(logs).toHaveLength(functions.length + 1);
    for (const { DeletionPolicy, UpdateReplacePolicy } of logs) {
      // The empty log of a failed creation goes.
      expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
    }
  });

  test('can be deployed again after its stacks were deleted: retained resources have no fixed names', () => {
    const names = ['LogGroupName', 'QueueName', 'TableName', 'TopicName', 'Name', 'AliasName'];
    const kept = templatesOf(stage).flatMap((template) =>
      Object.entries<Record<string, unknown>>(template.toJSON().Resources).filter(([, { DeletionPolicy }]) =>
        [undefined, 'Delete'].every((policy) => policy !== DeletionPolicy),
      ),
    );
    expect(kept.length).toBeGreaterThan(20);
    const fixed = kept.filter(([, { Properties = {} }]) =>
      Object.entries(Properties ?? {}).some(
        ([name, value]) => names.includes(name) && !JSON.stringify(value).includes('AWS::StackId'),
      ),
    );
    expect(fixed.map(([id]) => id)).toEqual([]);
  });

  test('has a bus with its name, and generated secrets', () => {
    stage.events.hasResourceProperties('AWS::Events::EventBus', { Name: `strategy-hub-${stage.name}` });
    stage.data.hasResourceProperties('AWS::SecretsManager::Secret', {
      GenerateSecretString: {
        SecretStringTemplate: '{"challenge_secret":"","analytics_secret":"","partnerc_client_secret":""}',
        GenerateStringKey: 'master',
        PasswordLength: 64,
        ExcludePunctuation: true,
      },
    });
  });
});
