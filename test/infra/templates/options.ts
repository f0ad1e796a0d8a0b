import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import { FUNCTIONS } from '../../../functions/manifest.ts';
import { OPERATION_GROUPS } from '../../../functions/operations.ts';
import { cdkArguments, placeholdersOf } from '../../../infra/commands/cdk.ts';
import { requireCredentials } from '../../../infra/commands/require-credentials.ts';
import { STAGES } from '../../../infra/config.ts';
import { ACCOUNT } from '../../../infra/local/account.ts';
import { startHub } from '../../../infra/local/hub.ts';
import { LOCAL, queueName } from '../../../infra/local/lambda/environment.ts';
import { localRole } from '../../../infra/local/lambda/local-role.ts';
import { addressOf } from '../../../infra/roles/needs.ts';
import { onlySource, type RoleStatement } from '../../../infra/roles/statements.ts';
import { BadSettingError } from '../../../infra/settings-check.ts';
import { SIGN_IN_PATHS } from '../../../infra/stacks/edge-stack.ts';
import { defineStage } from '../../../infra/stage.ts';
import { EDGE_HEADER } from '../../../shared/api/edge.ts';
import * as complete from '../complete.ts';
import {
  actionsOf,
  functionsOf,
  resourcesOf,
  statementsOf,
  synthesize,
  templatesOf,
} from '../synthesized.ts';

const [dev] = STAGES;
if (!dev) throw new Error('there is no stage');

const DOMAIN = {
  name: 'api.hub.test',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/1',
};

const RESTORED = {
  name: 'restored-table',
  streamArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/restored-table/stream/2026-03-02T10:00:00.000',
};

const BACKUP_COPIES = {
  vaultArn: 'arn:aws:backup:eu-west-1:210987654321:backup-vault:strategy-hub',
  keepDays: 90,
};

const EDGE = {
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/2',
  locked: true,
  perAddress: { all: 10_000, signIn: 100 },
};

const ENGINES = [
  { source: 'acme.engine', principals: ['arn:aws:iam::123456789012:role/acme-engine'] },
  {
    source: 'zenith',
    principals: ['arn:aws:iam::210987654321:role/zenith-a', 'arn:aws:iam::210987654321:user/zenith-b'],
  },
];

const SENDER = { name: 'Hub', address: 'no-reply@mail.hub.test' };

const MARKET_DATA = [
  { name: 'coins', provider: 'binance', asset_classes: ['crypto'], exchanges: ['OTC'], display: true },
] as const;
const FEEDS = [
  {
    source: 'acme.feed',
    principals: ['arn:aws:iam::123456789012:role/feed'],
    exchanges: ['NYSE', 'NASDAQ'],
    display: false,
  },
];

const optional = synthesize([
  defineStage({
    ...dev,
    stage: 'full',
    mailFrom: { ...SENDER, identity: SENDER.address },
    region: 'eu-west-1',
    customerKey: true,
    backupCopies: BACKUP_COPIES,
    canary: { email: 'probe@hub.test', symbol: 'AAPL' },
    domain: { ...DOMAIN, zone: { id: 'Z1', name: 'hub.test' } },
    reserveConcurrency: true,
    engines: ENGINES,
    marketData: MARKET_DATA.map((feed) => ({
      ...feed,
      asset_classes: [...feed.asset_classes],
      exchanges: [...feed.exchanges],
    })),
    feeds: FEEDS,
    alarms: { email: 'ops@hub.test', latencyMs: 1000, heavyLatencyMs: 3000 },
  }),
  defineStage({
    ...dev,
    stage: 'restored',
    corsOrigins: [],
    region: 'eu-west-1',
    domain: { ...DOMAIN, zone: { id: 'Z1', name: 'hub.test' } },
    edge: { ...EDGE, locked: false, leads: false },
    restoredTable: RESTORED,
    backupCopies: BACKUP_COPIES,
  }),
  defineStage({
    ...dev,
    stage: 'moving',
    region: 'eu-west-1',
    domain: { ...DOMAIN, zone: { id: 'Z1', name: 'hub.test' } },
    edge: EDGE,
    mailFrom: { ...SENDER, identity: 'hub.test', createIdentity: true },
  }),
]);
afterAll(optional.discard);

const stages = [...complete.stages, ...optional.stages];

const stageNamed = (name: string) => {
  const stage = stages.find((one) => one.name === name);
  if (!stage) throw new Error(`there is no stage ${name}`);
  return stage;
};

interface StageProperties {
  readonly DefaultRouteSettings: Readonly<Record<string, number>>;
  readonly RouteSettings: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

test('cdk-nag finds nothing in a stage with everything', () => {
  const { app } = optional;
  expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
});

/** Names that are part of another resource, or settings of a stage. All others are of the account. */
const PART_OF_OTHERS = new Set([
  'AWS::ApiGatewayV2::Authorizer Name',
  'AWS::ApiGatewayV2::DomainName DomainName',
  'AWS::ApiGatewayV2::Stage StageName',
  'AWS::Backup::BackupSelection SelectionName',
  'AWS::CloudWatch::Alarm MetricName',
  'AWS::CodeDeploy::DeploymentGroup DeploymentConfigName',
  'AWS::Lambda::Alias Name',
  'AWS::Route53::RecordSet Name',
]);

test('stages share no name, as they share an account', () => {
  const namesIn = (type: string, properties: object): string[] =>
    Object.entries(properties).flatMap(([property, value]) => {
      const isNested = ['BackupPlan', 'BackupSelection'].includes(property);
      if (isNested && typeof value === 'object') return namesIn(type, value);
      const isName = /(Name|StatementId)$/.test(property) && !PART_OF_OTHERS.has(`${type} ${property}`);
      return isName && typeof value === 'string' ? [`${type} ${property} ${value}`] : [];
    });
  const owners = new Map<string, string[]>();
  for (const stage of stages) {
    const templates = [...templatesOf(stage), ...(stage.edge ? [stage.edge] : [])];
    const names = templates.flatMap((template) =>
      Object.values<{ readonly Type: string; readonly Properties?: object }>(
        template.toJSON().Resources,
      ).flatMap(({ Type, Properties = {} }) => namesIn(Type, Properties)),
    );
    for (const name of new Set(names)) owners.set(name, [...(owners.get(name) ?? []), stage.name]);
  }
  for (const type of ['Events::EventBusPolicy', 'CodeDeploy::DeploymentGroup', 'Backup::BackupPlan']) {
    expect([...owners.keys()].some((name) => name.startsWith(`AWS::${type} `))).toBe(true);
  }
  expect([...owners].filter(([, names]) => names.length > 1)).toEqual([]);
});

const conditionsSchema = z.record(z.string(), z.record(z.string(), z.string()));

/** Actions by which Lambda takes what invokes a function. */
const TAKES =
  /^(dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams)|sqs:(ChangeMessageVisibility|DeleteMessage|GetQueueAttributes|GetQueueUrl|ReceiveMessage))$/;
/** Services and queues that Lambda uses for a function, and the header of a distribution, which only AWS has. */
const OF_LAMBDA = /^(logs|xray):|deadletters|EdgeSecret/;

/** Returns the text of a value of a template, with the ids of local resources instead of references. */
const localText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value);
  const [, ref] = /^\{"Ref":"([^"]+)"\}$/.exec(text) ?? [];
  const known: Readonly<Record<string, string>> = {
    'AWS::Partition': 'aws',
    'AWS::Region': 'eu-west-1',
    'AWS::AccountId': ACCOUNT,
  };
  if (ref !== undefined && known[ref] !== undefined) return known[ref];
  const join = z.object({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.unknown())]) }).safeParse(value);
  if (join.success) return join.data['Fn::Join'][1].map(localText).join('');
  const lane = FUNCTIONS.flatMap(({ name, trigger }) =>
    trigger.kind === 'queue' && text.includes(`"${name.replaceAll('-', '')}queueQueue`)
      ? [trigger.source.lane]
      : [],
  )[0];
  const local = (service: string, name: string): string => `arn:aws:${service}:eu-west-1:${ACCOUNT}:${name}`;
  if (lane) return local('sqs', queueName(lane));
  if (/ExportsOutputFnGetAttTable\w+Arn/.test(text)) return local('dynamodb', `table/${LOCAL.table}`);
  if (/ExportsOutputFnGetAttDataKey/.test(text)) return local('kms', LOCAL.dataKeyId);
  if (/ExportsOutputRefSecret/.test(text)) return local('secretsmanager', `secret:${LOCAL.secretId}`);
  if (/ProbeSecret/.test(text)) return local('secretsmanager', `secret:${LOCAL.probeSecretId}`);
  return text;
};

test('functions have the roles that the local service enforces', () => {
  for (const stage of stages) {
    for (const { template, properties, declaration } of functionsOf(stage)) {
      const { name } = declaration;
      const sender = z.string().default('').parse(properties.Environment.Variables.HUB_MAIL_FROM);
      // A stage may also send with its domain.
      const isOther = (line: string) =>
        line.includes(':identity/') && !line.includes(`/${addressOf(sender)} `);
      const lines = (all: readonly RoleStatement[]): string[] =>
        all
          .flatMap(({ actions, resources, notResources, conditions = {} }) =>
            actions.flatMap((action) =>
              [...(resources ?? []), ...(notResources ?? []).map((one) => `not ${one}`)].map(
                (resource) => `${action} on ${resource} if ${JSON.stringify(conditions)}`,
              ),
            ),
          )
          .filter((line) => !isOther(line))
          .toSorted();
      const deployed = statementsOf(template, properties.Role['Fn::GetAtt'][0]).flatMap(
        (one): RoleStatement[] => {
          const texts = (value: unknown): string[] => [value ?? []].flat().map((part) => localText(part));
          const resources = texts(one.Resource)
            .map((text) =>
              text.replace(RESTORED.name, LOCAL.table).replace(`strategy-hub-${stage.name}`, LOCAL.bus),
            )
            .filter((text) => !OF_LAMBDA.test(text));
          return [
            {
              actions: actionsOf(one).filter((action) => !TAKES.test(action) && !OF_LAMBDA.test(action)),
              ...(one.Resource !== undefined && { resources }),
              ...(one.NotResource !== undefined && { notResources: texts(one.NotResource) }),
              conditions: conditionsSchema.parse(one.Condition ?? {}),
            },
          ];
        },
      );
      const local = localRole(declaration, { AWS_REGION: 'eu-west-1', HUB_MAIL_FROM: sender });
      expect({ name, lines: lines(deployed) }).toEqual({ name, lines: lines(local) });
    }
  }
});

describe.each(STAGES)('the stage $stage', ({ stage: name, throttle, reserveConcurrency }) => {
  test('throttles the routes of each group as configured, after they are created', () => {
    const { api } = stageNamed(name);
    const [one] = Object.values(resourcesOf<StageProperties>(api, 'AWS::ApiGatewayV2::Stage'));
    const expected = Object.entries(throttle.groups).flatMap(([group, { rateLimit, burstLimit }]) =>
      (OPERATION_GROUPS[group] ?? []).map(({ routeKey }) => [
        routeKey,
        { ThrottlingRateLimit: rateLimit, ThrottlingBurstLimit: burstLimit },
      ]),
    );
    expect(one?.Properties.RouteSettings).toEqual(Object.fromEntries(expected));
    expect(one?.Properties.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: throttle.api.rateLimit,
      ThrottlingBurstLimit: throttle.api.burstLimit,
    });
    expect(one?.DependsOn).toEqual(
      expect.arrayContaining(Object.keys(resourcesOf(api, 'AWS::ApiGatewayV2::Route'))),
    );
  });

  test('reserves concurrency for functions that could use all of it, if configured', () => {
    for (const { properties, declaration } of functionsOf(stageNamed(name))) {
      expect(properties.ReservedConcurrentExecutions).toBe(
        reserveConcurrency ? declaration.maxConcurrency : undefined,
      );
    }
  });
});

test('functions that no request invokes have a limited concurrency, as do those that hash passwords', () => {
  for (const { name, trigger, maxConcurrency } of FUNCTIONS) {
    if (['stream', 'bus', 'schedule'].includes(trigger.kind) || name === 'user-access') {
      expect([name, maxConcurrency]).toEqual([name, expect.any(Number)]);
    }
  }
});

describe('a customer key', () => {
  const { data } = stageNamed('full');

  test('encrypts the table, is rotated and kept', () => {
    const keys = resourcesOf<{ readonly EnableKeyRotation: boolean }>(data, 'AWS::KMS::Key');
    // Of the table, of texts and of the backups.
    expect(Object.keys(keys)).toHaveLength(3);
    for (const { Properties, DeletionPolicy } of Object.values(keys)) {
      expect(Properties.EnableKeyRotation).toBe(true);
      expect(DeletionPolicy).toBe('Retain');
    }
    data.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      Replicas: [
        Match.objectLike({ Region: 'eu-west-1', SSESpecification: { KMSMasterKeyId: Match.anyValue() } }),
      ],
    });
  });

  test('can be used through the table only, by principals of the account', () => {
    interface KeyProperties {
      readonly KeyPolicy: {
        readonly Statement: readonly { readonly Principal: unknown; readonly Condition?: unknown }[];
      };
    }
    const [key] = Object.entries(resourcesOf<KeyProperties>(data, 'AWS::KMS::Key')).flatMap(([id, one]) =>
      id.startsWith('TableKey') ? [one] : [],
    );
    const open = key?.Properties.KeyPolicy.Statement.filter(
      ({ Principal }) => !JSON.stringify(Principal).includes(':root'),
    );
    expect(open).toEqual([
      expect.objectContaining({
        Principal: { AWS: '*' },
        Condition: {
          StringEquals: {
            'kms:CallerAccount': { Ref: 'AWS::AccountId' },
            'kms:ViaService': 'dynamodb.eu-west-1.amazonaws.com',
          },
        },
      }),
    ]);
  });

  test('is set and unset in one deployment, as no other stack and no role names it', () => {
    const { api, events, observability } = stageNamed('full');
    for (const template of [api, events, observability]) {
      expect(JSON.stringify(template)).not.toContain('TableKey');
    }
  });
});

describe('backup copies', () => {
  const { data, observability } = stageNamed('full');

  test('are made each day of the table, and kept in a vault of another account', () => {
    interface Plan {
      readonly BackupPlan: { readonly BackupPlanRule: readonly unknown[] };
    }
    const [plan] = Object.values(resourcesOf<Plan>(data, 'AWS::Backup::BackupPlan'));
    expect(plan?.Properties.BackupPlan.BackupPlanRule).toEqual([
      expect.objectContaining({
        ScheduleExpression: 'cron(30 1 * * ? *)',
        Lifecycle: { DeleteAfterDays: 7 },
        CopyActions: [
          { DestinationBackupVaultArn: BACKUP_COPIES.vaultArn, Lifecycle: { DeleteAfterDays: 90 } },
        ],
      }),
    ]);
    interface Selection {
      readonly BackupSelection: { readonly Resources: readonly unknown[] };
    }
    const [selection] = Object.values(resourcesOf<Selection>(data, 'AWS::Backup::BackupSelection'));
    const [tableId] = Object.keys(resourcesOf(data, 'AWS::DynamoDB::GlobalTable'));
    expect(selection?.Properties.BackupSelection.Resources).toEqual([{ 'Fn::GetAtt': [tableId, 'Arn'] }]);
  });

  test('are encrypted by a key that the other account may use, and nobody else', () => {
    const [vault] = Object.values(
      resourcesOf<{ readonly EncryptionKeyArn: { readonly 'Fn::GetAtt': readonly [string, string] } }>(
        data,
        'AWS::Backup::BackupVault',
      ),
    );
    expect(vault?.DeletionPolicy).toBe('Retain');
    interface KeyProperties {
      readonly KeyPolicy: { readonly Statement: readonly { readonly Principal: unknown }[] };
    }
    const keys = resourcesOf<KeyProperties>(data, 'AWS::KMS::Key');
    const key = keys[vault?.Properties.EncryptionKeyArn['Fn::GetAtt'][0] ?? ''];
    const principals = JSON.stringify(key?.Properties.KeyPolicy.Statement.map(({ Principal }) => Principal));
    expect(principals).toContain('210987654321');
    expect(principals).not.toContain('"*"');
  });

  test('ring if a backup or a copy fails, and if no copy arrives for 30 hours', () => {
    interface RuleProperties {
      readonly Name: string;
      readonly EventPattern: { readonly detail: Readonly<Record<string, unknown>> };
      readonly Targets: readonly { readonly Arn: unknown }[];
    }
    const rules = Object.values(resourcesOf<RuleProperties>(data, 'AWS::Events::Rule')).map(
      ({ Properties }) => Properties,
    );
    const [vaultId = ''] = Object.keys(resourcesOf(data, 'AWS::Backup::BackupVault'));
    const own = [{ 'Fn::GetAtt': [vaultId, 'BackupVaultArn'] }];
    expect(rules.map(({ Name, EventPattern: { detail } }) => [Name, detail])).toEqual([
      [
        'strategy-hub-full-backup-copied',
        {
          state: ['COMPLETED'],
          sourceBackupVaultArn: own,
          destinationBackupVaultArn: [BACKUP_COPIES.vaultArn],
        },
      ],
      [
        'strategy-hub-full-backup-failed',
        {
          state: expect.arrayContaining(['FAILED', 'ABORTED', 'EXPIRED']),
          $or: [{ backupVaultArn: own }, { sourceBackupVaultArn: own }],
        },
      ],
    ]);
    // A rule counts only if it invokes something. The log may be written by rules.
    const [logId = ''] = Object.keys(resourcesOf(data, 'AWS::Logs::LogGroup'));
    for (const { Targets } of rules) expect(JSON.stringify(Targets)).toContain(`{"Ref":"${logId}"}`);
    const policies = JSON.stringify(data.findResources('AWS::Logs::ResourcePolicy'));
    expect(policies).toContain(logId);
    expect(policies).toContain('events.amazonaws.com');
    const watching = (RuleName: string, more: object) =>
      observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
        Namespace: 'AWS/Events',
        MetricName: 'Invocations',
        Dimensions: [{ Name: 'RuleName', Value: RuleName }],
        AlarmActions: [Match.anyValue()],
        AlarmDescription: Match.stringLikeRegexp('infra/RUNBOOK\\.md#backup-copies$'),
        ...more,
      });
    watching('strategy-hub-full-backup-failed', {
      Threshold: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    });
    watching('strategy-hub-full-backup-copied', {
      Threshold: 1,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
      Period: 3600,
      EvaluationPeriods: 30,
    });
  });

  test('are made only if configured, and of a restored table that replaces the own one', () => {
    for (const { stage: name } of STAGES) {
      stageNamed(name).data.resourceCountIs('AWS::Backup::BackupPlan', 0);
      expect(JSON.stringify(stageNamed(name).observability)).not.toContain('backup copy missing');
    }
    const { data: restored } = stageNamed('restored');
    const selections = JSON.stringify(restored.findResources('AWS::Backup::BackupSelection'));
    expect(selections).toContain(`:table/${RESTORED.name}"`);
  });
});

test('with a domain of its own, clients reach the API only there', () => {
  const { api } = stageNamed('full');
  api.hasResourceProperties('AWS::ApiGatewayV2::DomainName', { DomainName: 'api.hub.test' });
  api.hasResourceProperties('AWS::ApiGatewayV2::ApiMapping', { Stage: '$default' });
  api.hasResourceProperties('AWS::Route53::RecordSet', { Name: 'api.hub.test.', Type: 'A' });
  api.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: true });
  api.hasOutput('PublicUrl', { Value: 'https://api.hub.test' });
  for (const { properties } of functionsOf(stageNamed('full'))) {
    expect(properties.Environment.Variables.HUB_PUBLIC_URL).toBe('https://api.hub.test');
  }
});

describe('a distribution in front of the API', () => {
  const { api, edge, events } = stageNamed('moving');
  if (!edge) throw new Error('the stage has no web ACL');
  interface Behaviour {
    readonly PathPattern?: string;
    readonly CachePolicyId: { readonly Ref: string };
    readonly ViewerProtocolPolicy: string;
  }
  interface DistributionProperties {
    readonly DistributionConfig: {
      readonly Aliases: readonly string[];
      readonly WebACLId: unknown;
      readonly Logging?: unknown;
      readonly DefaultCacheBehavior: Behaviour & { readonly OriginRequestPolicyId: string };
      readonly CacheBehaviors: readonly Behaviour[];
      readonly CustomErrorResponses: readonly Readonly<Record<string, number>>[];
      readonly Origins: readonly {
        readonly DomainName: unknown;
        readonly OriginCustomHeaders: readonly {
          readonly HeaderName: string;
          readonly HeaderValue: unknown;
        }[];
        readonly CustomOriginConfig: Readonly<Record<string, unknown>>;
      }[];
    };
  }
  const [found] = Object.values(resourcesOf<DistributionProperties>(api, 'AWS::CloudFront::Distribution'));
  if (!found) throw new Error('there is no distribution');
  const { DistributionConfig: distribution } = found.Properties;

  test('has the name of the service, and the web ACL of the other region', () => {
    expect(distribution.Aliases).toEqual([DOMAIN.name]);
    const [output] = Object.keys(edge.findOutputs('*', {}));
    expect(distribution.WebACLId).toEqual({
      'Fn::GetStackOutput': expect.objectContaining({
        OutputName: output,
        Region: 'us-east-1',
        StackName: 'strategy-hub-moving-edge',
      }),
    });
    const records = Object.values(
      resourcesOf<{ readonly Type: string; readonly AliasTarget: unknown }>(api, 'AWS::Route53::RecordSet'),
    );
    expect(records.map(({ Properties }) => Properties.Type).sort()).toEqual(['A', 'AAAA']);
    for (const { Properties } of records)
      expect(JSON.stringify(Properties.AliasTarget)).toContain('EdgeDistribution');
  });

  test('still answers after the name has left it, and the stage tells which it is', () => {
    const { api: left } = stageNamed('restored');
    const [record, ...others] = Object.values(
      resourcesOf<{ readonly AliasTarget: unknown }>(left, 'AWS::Route53::RecordSet'),
    );
    expect(others).toEqual([]);
    expect(JSON.stringify(record?.Properties.AliasTarget)).toContain('RegionalDomainName');
    left.resourceCountIs('AWS::CloudFront::Distribution', 1);
    left.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: false });
    left.hasResourceProperties('AWS::SSM::Parameter', { Name: '/strategy-hub/restored/edge', Value: 'left' });
    api.hasResourceProperties('AWS::SSM::Parameter', { Name: '/strategy-hub/moving/edge', Value: 'leads' });
  });

  test('proves to the functions that requests come through it, by a secret that no template holds', () => {
    const [origin] = distribution.Origins;
    const [header, ...others] = origin?.OriginCustomHeaders ?? [];
    expect(others).toEqual([]);
    expect(header?.HeaderName).toBe(EDGE_HEADER);
    expect(JSON.stringify(header?.HeaderValue)).toMatch(
      /\{\{resolve:secretsmanager:.*:SecretString:edge_key::\}\}/,
    );
    const readers = [...functionsOf(stageNamed('moving'))].flatMap(
      ({ properties, declaration, template }) => {
        const { HUB_EDGE, HUB_EDGE_SECRET_ID } = properties.Environment.Variables;
        const statements = statementsOf(template, properties.Role['Fn::GetAtt'][0]);
        const reads = JSON.stringify(statements).includes('EdgeSecret');
        expect([HUB_EDGE, HUB_EDGE_SECRET_ID !== '']).toEqual(reads ? ['locked', true] : ['off', false]);
        return reads ? [declaration.trigger.kind] : [];
      },
    );
    expect(new Set(readers)).toEqual(new Set(['http', 'authorizer']));
    expect(readers).toHaveLength(
      FUNCTIONS.filter(({ trigger }) => ['http', 'authorizer'].includes(trigger.kind)).length,
    );
    // It reaches the API by this address.
    api.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: false });
    expect(origin?.CustomOriginConfig).toMatchObject({
      OriginProtocolPolicy: 'https-only',
      OriginReadTimeout: 35,
    });
  });

  test('keeps files only, never mixes the answers of two callers, and keeps no error', () => {
    interface PolicyProperties {
      readonly CachePolicyConfig: {
        readonly MaxTTL: number;
        readonly DefaultTTL: number;
        readonly ParametersInCacheKeyAndForwardedToOrigin: {
          readonly CookiesConfig: { readonly CookieBehavior: string };
          readonly QueryStringsConfig: { readonly QueryStringBehavior: string };
          readonly HeadersConfig: { readonly Headers?: readonly string[] };
        };
      };
    }
    const policies = resourcesOf<PolicyProperties>(api, 'AWS::CloudFront::CachePolicy');
    const policyOf = ({ CachePolicyId }: Behaviour) =>
      policies[CachePolicyId.Ref]?.Properties.CachePolicyConfig;
    const answers = policyOf(distribution.DefaultCacheBehavior);
    expect(answers).toMatchObject({
      DefaultTTL: 0,
      MaxTTL: 1,
      ParametersInCacheKeyAndForwardedToOrigin: {
        CookiesConfig: { CookieBehavior: 'all' },
        QueryStringsConfig: { QueryStringBehavior: 'all' },
        HeadersConfig: { Headers: expect.arrayContaining(['Authorization', 'Accept', 'Origin']) },
      },
    });
    expect(distribution.CacheBehaviors.map(({ PathPattern }) => PathPattern)).toEqual([
      '/console/*',
      '/docs/*',
    ]);
    for (const behaviour of distribution.CacheBehaviors) {
      expect(policyOf(behaviour)).toMatchObject({ DefaultTTL: 0, MaxTTL: 365 * 86_400 });
    }
    for (const { ErrorCachingMinTTL } of distribution.CustomErrorResponses)
      expect(ErrorCachingMinTTL).toBe(0);
    const kept = distribution.CustomErrorResponses.map(({ ErrorCode }) => ErrorCode);
    expect(kept).toEqual(expect.arrayContaining([400, 403, 404, 405, 414, 500, 501, 502, 503, 504]));
  });

  test('limits the requests of an address, more so where passwords and codes are checked', () => {
    for (const path of [
      '/login',
      '/register_login',
      '/send_otp_password_reset',
      '/reset_password',
      '/validate_sms_otp',
    ]) {
      expect(SIGN_IN_PATHS).toContain(path);
    }
    interface Acl {
      readonly Scope: string;
      readonly Rules: readonly {
        readonly Name: string;
        readonly Action?: unknown;
        readonly OverrideAction?: unknown;
        readonly Statement: {
          readonly RateBasedStatement?: { readonly Limit: number; readonly ScopeDownStatement?: unknown };
        };
      }[];
    }
    const [acl] = Object.values(resourcesOf<Acl>(edge, 'AWS::WAFv2::WebACL'));
    expect(acl?.Properties.Scope).toBe('CLOUDFRONT');
    const [signIn, all, reputation, common] = acl?.Properties.Rules ?? [];
    expect(signIn?.Statement.RateBasedStatement?.Limit).toBe(100);
    expect(JSON.stringify(signIn?.Statement.RateBasedStatement?.ScopeDownStatement)).toContain('/login|');
    expect(all?.Statement.RateBasedStatement).toMatchObject({ Limit: 10_000, AggregateKeyType: 'IP' });
    expect(reputation?.OverrideAction).toEqual({ None: {} });
    expect(common?.OverrideAction).toEqual({ Count: {} });
  });

  test('records no query string', () => {
    expect(distribution.Logging).toBeUndefined();
    edge.resourceCountIs('AWS::WAFv2::LoggingConfiguration', 0);
    const acl = JSON.stringify(edge.findResources('AWS::WAFv2::WebACL'));
    expect(acl).not.toContain('"SampledRequestsEnabled":true');
    expect(acl).toContain('{"Action":"SUBSTITUTION","Field":{"FieldType":"QUERY_STRING"}}');
  });

  test('is not in a stage without it', () => {
    for (const { stage: name } of STAGES) {
      const stage = stageNamed(name);
      expect(stage.edge).toBeUndefined();
      stage.api.resourceCountIs('AWS::CloudFront::Distribution', 0);
    }
    expect(JSON.stringify(events.toJSON())).not.toContain('EdgeSecret');
  });
});

interface BusPolicy {
  readonly Statement: {
    readonly Effect: string;
    readonly Action: string;
    readonly Principal: unknown;
    readonly Condition: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}

describe('the bus', () => {
  const { events } = stageNamed('full');
  const statements = Object.values(resourcesOf<BusPolicy>(events, 'AWS::Events::EventBusPolicy')).map(
    ({ Properties }) => Properties.Statement,
  );
  const denied = (source: string) =>
    statements.filter(
      ({ Effect, Principal, Condition }) =>
        Effect === 'Deny' &&
        JSON.stringify(Principal) === '{"AWS":"*"}' &&
        Condition['ForAnyValue:StringEquals']?.['events:source'] === source,
    );

  test('accepts the events of the listed engines and feeds, of the hub, and of SES', () => {
    const rules = resourcesOf<{
      readonly EventPattern: { readonly source: readonly string[]; readonly detail?: object };
    }>(events, 'AWS::Events::Rule');
    const sources = Object.values(rules).map(({ Properties }) => Properties.EventPattern.source);
    expect(sources).toEqual([
      ['strategy-hub', 'strategy-hub.alpaca', 'strategy-hub.binance', 'acme.engine', 'zenith'],
      ['strategy-hub'],
      ['strategy-hub'],
      ['strategy-hub'],
      ['strategy-hub', 'acme.feed'],
      ['strategy-hub'],
      ['strategy-hub'],
      ['aws.ses'],
    ]);
    const details = Object.values(rules).flatMap(({ Properties }) => Properties.EventPattern.detail ?? []);
    // Each adapter gets its own requests only.
    expect(details).toEqual(expect.arrayContaining([{ adapter: ['alpaca'] }, { adapter: ['binance'] }]));
  });

  test.each([...ENGINES, ...FEEDS])(
    'lets the principals of $source use that source, and nobody else',
    (engine) => {
      const allowed = statements.filter(
        ({ Effect, Condition }) =>
          Effect === 'Allow' &&
          Condition['ForAllValues:StringEquals']?.['events:source'] === engine.source &&
          Condition.Null?.['events:source'] === 'false',
      );
      expect(allowed.map(({ Principal }) => Principal)).toEqual([
        { AWS: engine.principals.length === 1 ? engine.principals[0] : engine.principals },
      ]);
      expect(denied(engine.source).map(({ Condition }) => Condition.ArnNotEquals)).toEqual([
        { 'aws:PrincipalArn': engine.principals },
      ]);
    },
  );

  test('gives the exchanges of the feeds to the function that takes bars', () => {
    const engine = functionsOf(stageNamed('full')).find(({ declaration }) => declaration.name === 'engine');
    expect(JSON.parse(String(engine?.properties.Environment.Variables.HUB_FEEDS))).toEqual([
      { source: 'acme.feed', exchanges: ['NYSE', 'NASDAQ'], display: false },
    ]);
  });

  test.each([
    ['strategy-hub', 'bus', undefined],
    ['strategy-hub.alpaca', 'reports', 'alpaca'],
    ['strategy-hub.binance', 'reports', 'binance'],
  ] as const)('lets only the functions that need it use the source %s', (source, capability, adapter) => {
    const putting = functionsOf(stageNamed('full')).filter(
      ({ declaration }) =>
        declaration.uses.includes(capability) && (!adapter || declaration.adapter === adapter),
    );
    expect(denied(source).map(({ Condition }) => Condition.ArnNotEquals)).toEqual([
      { 'aws:PrincipalArn': putting.map(({ properties }) => properties.Role) },
    ]);
    for (const { template, properties } of putting) {
      const statement = statementsOf(template, properties.Role['Fn::GetAtt'][0]).find(
        ({ Action }) => Action === 'events:PutEvents',
      );
      expect(statement?.Condition).toEqual(onlySource(source));
    }
  });
});

describe('the checks from outside', () => {
  const { events, observability } = stageNamed('full');
  const canary = functionsOf(stageNamed('full')).find(({ declaration }) => declaration.name === 'canary');
  if (!canary) throw new Error('the function is missing');

  test('have a user whose password is generated, kept, and readable by their function only', () => {
    const secrets = resourcesOf<{ readonly Description: string; readonly GenerateSecretString: unknown }>(
      events,
      'AWS::SecretsManager::Secret',
    );
    const [[id = '', secret] = []] = Object.entries(secrets).filter(([, { Properties }]) =>
      Properties.Description.startsWith('Password of the user'),
    );
    expect(secret?.DeletionPolicy).toBe('RetainExceptOnCreate');
    expect(secret?.Properties.GenerateSecretString).toMatchObject({ GenerateStringKey: 'probe_password' });
    const readers = functionsOf(stageNamed('full')).filter(({ template, properties }) =>
      JSON.stringify(statementsOf(template, properties.Role['Fn::GetAtt'][0])).includes(id),
    );
    expect(readers.map(({ declaration }) => declaration.name)).toEqual(['canary']);
  });

  test('can be taken away, as the stack of data exports nothing for them', () => {
    // CloudFormation refuses to delete an export that a stack imports, and the stack of data is deployed first.
    const exports = stageNamed('full').data.findOutputs('*', { Export: Match.anyValue() });
    expect(JSON.stringify(exports)).toContain('Secret');
    expect(JSON.stringify(exports)).not.toContain('Probe');
  });

  test('reach neither the keys nor the table of the service', () => {
    const { template, properties } = canary;
    const actions = statementsOf(template, properties.Role['Fn::GetAtt'][0]).flatMap(actionsOf);
    expect(actions.filter((action) => action.startsWith('dynamodb:'))).toEqual([]);
    const secrets = statementsOf(template, properties.Role['Fn::GetAtt'][0]).filter((statement) =>
      actionsOf(statement).includes('secretsmanager:GetSecretValue'),
    );
    expect(secrets).toHaveLength(1);
    expect(properties.Environment.Variables).toMatchObject({
      HUB_PROBE_EMAIL: 'probe@hub.test',
      HUB_PROBE_SYMBOL: 'AAPL',
    });
  });

  test('run every three minutes, and ring if none passes for ten minutes or none runs', () => {
    for (const [job, ScheduleExpression] of [
      ['check-service', 'rate(3 minutes)'],
      ['check-backtest', 'rate(1 hour)'],
    ]) {
      events.hasResourceProperties('AWS::Scheduler::Schedule', {
        ScheduleExpression,
        Target: { Input: JSON.stringify({ job }) },
      });
    }
    const alarmOf = (name: string, operation: string, Period: number) =>
      observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
        AlarmName: `strategy-hub-full: ${name}`,
        Namespace: 'StrategyHub',
        MetricName: 'ChecksPassed',
        Dimensions: [
          { Name: 'operation', Value: operation },
          { Name: 'service', Value: 'strategy-hub-full' },
        ],
        ComparisonOperator: 'LessThanThreshold',
        TreatMissingData: 'breaching',
        EvaluationPeriods: 2,
        Period,
        AlarmDescription: Match.stringLikeRegexp('infra/RUNBOOK\\.md#service-checks-fail$'),
      });
    alarmOf('service checks fail', 'check-service', 300);
    alarmOf('backtest checks fail', 'check-backtest', 3600);
    observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'strategy-hub-full: canary silent',
    });
    expect(JSON.stringify(observability.findResources('AWS::CloudWatch::Dashboard'))).toContain(
      'Checks from outside',
    );
  });

  test('cost nothing where they are not configured, and a production stage without them says so', () => {
    for (const { stage: name } of STAGES) {
      const stage = stageNamed(name);
      expect(functionsOf(stage).map(({ declaration }) => declaration.name)).not.toContain('canary');
      stage.data.resourceCountIs('AWS::SecretsManager::Secret', 1);
      stage.events.resourceCountIs('AWS::SecretsManager::Secret', 0);
      expect(JSON.stringify(stage.observability.toJSON())).not.toContain('ChecksPassed');
    }
    const production = { ...dev, production: true, sessionPolicy: 'require' } as const;
    expect(placeholdersOf(defineStage(production)).join()).toContain('canary is not set');
    const checked = defineStage({ ...production, canary: { email: 'probe@hub.test' } });
    expect(placeholdersOf(checked).join()).not.toContain('canary');
  });
});

describe('feeds that the hub pulls', () => {
  test('have a function with a schedule, the right to put events of the hub, and alarms', () => {
    const { events, observability } = stageNamed('full');
    const found = functionsOf(stageNamed('full')).find(
      ({ declaration }) => declaration.name === 'market-data',
    );
    if (!found) throw new Error('the function is missing');
    const { HUB_MARKET_DATA } = found.properties.Environment.Variables;
    expect(JSON.parse(String(HUB_MARKET_DATA))).toMatchObject(MARKET_DATA);
    const roleId = found.properties.Role['Fn::GetAtt'][0];
    expect(statementsOf(events, roleId)).toContainEqual(
      expect.objectContaining({
        Action: 'events:PutEvents',
        Condition: onlySource('strategy-hub'),
      }),
    );
    events.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'rate(1 minute)',
      Target: { Input: '{"job":"pull-candles"}' },
    });
    // Others may not put events with the source of the hub.
    const policies = JSON.stringify(events.findResources('AWS::Events::EventBusPolicy'));
    expect(policies).toContain(roleId);
    for (const name of ['market-data silent', 'market-data errors', 'market data down']) {
      observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
        AlarmName: `strategy-hub-full: ${name}`,
      });
    }
  });

  test('take nothing if none is configured', () => {
    for (const { stage: name } of STAGES) {
      const stage = stageNamed(name);
      expect(functionsOf(stage).map(({ declaration }) => declaration.name)).not.toContain('market-data');
      expect(JSON.stringify(stage.observability.toJSON())).not.toMatch(/market.data/i);
    }
  });
});

test('alarms are sent to an e-mail address', () => {
  stageNamed('full').observability.hasResourceProperties('AWS::SNS::Subscription', {
    Protocol: 'email',
    Endpoint: 'ops@hub.test',
  });
});

test('without origins there is no CORS', () => {
  stageNamed('restored').api.hasResourceProperties('AWS::ApiGatewayV2::Api', {
    CorsConfiguration: Match.absent(),
  });
});

describe('a restored table', () => {
  const stage = stageNamed('restored');

  test('replaces the stage’s own table for every function, with its stream', () => {
    for (const { template, properties, declaration } of functionsOf(stage)) {
      expect(properties.Environment.Variables.HUB_TABLE).toBe(RESTORED.name);
      const statements = JSON.stringify(statementsOf(template, properties.Role['Fn::GetAtt'][0]));
      expect(statements).not.toContain('ExportsOutputFnGetAttTable');
      if (declaration.table !== 'none') expect(statements).toContain(`:table/${RESTORED.name}"`);
    }
    stage.events.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: RESTORED.streamArn,
    });
  });

  test('keeps the own table, exported as before', () => {
    const plain = stageNamed('dev').data.toJSON();
    const { Resources, Outputs } = stage.data.toJSON();
    expect(Object.keys(Resources)).toEqual(expect.arrayContaining(Object.keys(plain.Resources)));
    expect(Object.keys(Outputs).sort()).toEqual(Object.keys(plain.Outputs).sort());
  });
});

describe('the identity of mails', () => {
  const sendingIn = (name: string) =>
    functionsOf(stageNamed(name))
      .flatMap(({ template, properties }) => statementsOf(template, properties.Role['Fn::GetAtt'][0]))
      .filter(({ Action }) => Action === 'ses:SendEmail');

  test.each([
    ['dev', 'a domain', ['no-reply@dev.strategy-hub.example', 'dev.strategy-hub.example']],
    ['moving', 'a parent domain', ['no-reply@mail.hub.test', 'mail.hub.test', 'hub.test']],
    ['full', 'an address', ['no-reply@mail.hub.test']],
  ])('of the stage %s is %s: it and more specific ones may be used, and no others', (name, _, identities) => {
    const statements = sendingIn(name);
    expect(statements.length).toBeGreaterThan(0);
    for (const { Resource, Condition } of statements) {
      expect(Condition).toEqual({ StringEquals: { 'ses:FromAddress': identities[0] } });
      const resources = z
        .array(z.unknown())
        .parse(Resource)
        .map((one) => JSON.stringify(one));
      const named = resources.map((one) => /:((?:configuration-set|identity)\/[^"]+)"/.exec(one)?.[1]);
      expect(named.toSorted()).toEqual(
        [`configuration-set/strategy-hub-${name}`, ...identities.map((one) => `identity/${one}`)].toSorted(),
      );
    }
  });

  test('is created by the stack if the stage says so, and stays when the stack is deleted', () => {
    const created = resourcesOf<{ readonly EmailIdentity: string }>(
      stageNamed('moving').events,
      'AWS::SES::EmailIdentity',
    );
    expect(Object.values(created)).toMatchObject([
      { Properties: { EmailIdentity: 'hub.test' }, DeletionPolicy: 'RetainExceptOnCreate' },
    ]);
    stageNamed('moving').events.hasOutput('MailDnsRecord3', {});
    for (const name of ['dev', 'full']) {
      expect(resourcesOf(stageNamed(name).events, 'AWS::SES::EmailIdentity')).toEqual({});
    }
  });

  test('has a configuration set that reports bounces and complaints', () => {
    const { events } = stageNamed('dev');
    events.hasResourceProperties('AWS::SES::ConfigurationSet', {
      Name: 'strategy-hub-dev',
      SuppressionOptions: { SuppressedReasons: [] },
    });
    events.hasResourceProperties('AWS::SES::ConfigurationSetEventDestination', {
      EventDestination: { Enabled: true, MatchingEventTypes: ['BOUNCE', 'COMPLAINT'] },
    });
  });
});

test.each(['https://pages.hub.test/main', 'https://pages.hub.test/main/'])(
  'links alarms to pages: %s',
  (pages) => {
    const { alarms } = defineStage(Object.assign({ ...dev }, { alarms: { ...dev?.alarms, pages } }));
    expect(alarms.pages).toBe('https://pages.hub.test/main/');
  },
);

describe('a stage that does not fit', () => {
  test.each([
    ['an origin with a slash', { corsOrigins: ['https://app.hub.test/'] }],
    ['a public address with a slash', { publicUrl: 'https://hub.test/' }],
    ['a public address without TLS', { publicUrl: 'http://hub.test' }],
    ['a sender that is no address', { mailFrom: { name: 'Hub', address: 'hub' } }],
    ['an identity of another domain', { mailFrom: { ...SENDER, identity: 'mail.test' } }],
    ['an identity of a part of a label', { mailFrom: { ...SENDER, identity: 'ub.test' } }],
    ['an identity of a whole top-level domain', { mailFrom: { ...SENDER, identity: 'test' } }],
    ['an identity of another address', { mailFrom: { ...SENDER, identity: 'b@mail.hub.test' } }],
    ['an identity with a wildcard', { mailFrom: { ...SENDER, identity: '*.hub.test' } }],
    ['a retention that CloudWatch does not know', { logRetentionDays: 15 }],
    ['a distribution without a domain', { region: 'eu-west-1', edge: EDGE }],
    [
      'a name that leaves a locked distribution',
      { region: 'eu-west-1', domain: DOMAIN, edge: { ...EDGE, leads: false } },
    ],
    ['a distribution without a region', { domain: DOMAIN, edge: EDGE }],
    [
      'a certificate of a distribution in another region',
      { region: 'eu-west-1', domain: DOMAIN, edge: { ...EDGE, certificateArn: DOMAIN.certificateArn } },
    ],
    ['two addresses', { publicUrl: 'https://hub.test', domain: DOMAIN }],
    ['a customer key in no region', { customerKey: true }],
    ['an engine with the source of the hub', { engines: [{ ...ENGINES[0], source: 'strategy-hub' }] }],
    ['an engine with a source of AWS', { engines: [{ ...ENGINES[0], source: 'aws.events' }] }],
    ['an engine without principals', { engines: [{ source: 'acme.engine', principals: [] }] }],
    ['an engine listed twice', { engines: [ENGINES[0], ENGINES[0]] }],
    ['a feed of an unknown provider', { marketData: [{ ...MARKET_DATA[0], provider: 'nobody' }] }],
    ['a feed listed twice', { marketData: [MARKET_DATA[0], MARKET_DATA[0]] }],
    ['a feed without TLS', { marketData: [{ ...MARKET_DATA[0], url: 'http://binance.test' }] }],
    ['a feed with the source of an engine', { feeds: [{ ...FEEDS[0], source: 'zenith' }], engines: ENGINES }],
    ['a feed with the source of a pulled one', { feeds: [{ ...FEEDS[0], source: 'hub-feed.coins' }] }],
    [
      'a feed that does not say whether its candles may be shown',
      { feeds: [{ ...FEEDS[0], display: undefined }] },
    ],
    ['a feed without exchanges', { feeds: [{ ...FEEDS[0], exchanges: [] }] }],
    ['a feed with a source of AWS', { feeds: [{ ...FEEDS[0], source: 'aws.events' }] }],
    ['no word on feeds', { feeds: undefined }],
    ['a backup vault without an account', { backupCopies: { vaultArn: 'arn:aws:backup:::v', keepDays: 90 } }],
    ['a setting that does not exist', { colour: 'red' }],
  ])('is refused: %s', (_, change) => {
    expect(() => defineStage(Object.assign({ ...dev }, change))).toThrow();
  });

  test('is refused with the stage, the setting and the reason', () => {
    const change = { publicUrl: 'https://hub.test/', logLevel: 'TRACE' };
    expect(() => defineStage(Object.assign({ ...dev }, change))).toThrow(
      new BadSettingError(
        [
          'infra/config.ts, stage dev: publicUrl: an address must not end with a slash.',
          "infra/config.ts, stage dev: logLevel: value is not a valid enumeration member; permitted: 'DEBUG', 'INFO', 'WARN'.",
        ].join('\n'),
      ),
    );
  });

  test('is refused if a feed names an unknown exchange, with the known ones', () => {
    const exchanges = ['NYSE', 'NADSAQ'];
    const change = {
      feeds: [{ ...FEEDS[0], exchanges }],
      marketData: [{ ...MARKET_DATA[0], exchanges: ['Own'] }],
    };
    const defining = () => defineStage(Object.assign({ ...dev }, change));
    expect(defining).toThrow(
      /stage dev: feeds\.0\.exchanges: the exchange NADSAQ is unknown\. Known are .*NASDAQ, .*\n.*marketData\.0\.exchanges: the exchange Own is/,
    );
    Object.assign(change, { ownExchanges: ['NADSAQ', 'Own'] });
    expect(defining().ownExchanges).toHaveLength(2);
  });

  test('lets feeds name every exchange of the shipped catalogue', async () => {
    const folder = fileURLToPath(new URL('../../../infra/catalogue/data/', import.meta.url));
    const files = (await readdir(folder)).filter((name) => name.endsWith('.csv'));
    const rows = await Promise.all(
      files.map(async (name) => {
        const parsed: Record<string, string>[] = parse(await readFile(`${folder}${name}`), { columns: true });
        return parsed;
      }),
    );
    const exchanges = [...new Set(rows.flat().map(({ exchange = '' }) => exchange))];
    expect(exchanges).toContain('CBOT');
    const change = { feeds: [{ ...FEEDS[0], exchanges }] };
    expect(defineStage(Object.assign({ ...dev }, change)).feeds).toHaveLength(1);
  });

  test('is refused at synthesis: a group that does not exist, settings that functions cannot read', () => {
    const limits = { rateLimit: 1, burstLimit: 1 };
    const groups = defineStage({ ...dev, throttle: { api: limits, groups: { nobody: limits } } });
    expect(() => synthesize([groups])).toThrow(
      new BadSettingError('infra/config.ts: the stage dev throttles the unknown group nobody'),
    );
    const providers = defineStage({ ...dev, identityProviders: [{ provider: 'idp' }] });
    expect(() => synthesize([providers])).toThrow(/HUB_IDENTITY_PROVIDERS\.0\.issuer/);
    const partnerC = defineStage({
      ...dev,
      partnerC: { issuer: 'http://hub.test', clientId: 'hub', scope: 'openid' },
    });
    expect(() => synthesize([partnerC])).toThrow(/HUB_PARTNERC_ISSUER/);
  });
});

test.each([
  ['HUB_IDENTITY_PROVIDERS', '[{'],
  ['HUB_IDENTITY_PROVIDERS', '[{"provider":"idp"}]'],
  ['HUB_SESSION_POLICY', 'sometimes'],
  ['HUB_MARKET_DATA', '[{"name":"coins"}]'],
  ['HUB_PARTNERC_ISSUER', 'http://partner.test'],
])('the local engine does not start with %s=%s', async (name, value) => {
  const bundles = new Map(FUNCTIONS.map((one) => [one.name, { file: 'none' }]));
  const build = async () => ({ functions: FUNCTIONS, bundles });
  const starting = startHub({ environment: { [name]: value }, build, demoData: false });
  await expect(starting).rejects.toThrow(new RegExp(`^${name}`));
});

test.each([
  ['HUB_MARKET_DATA', { name: 'coins', provider: 'binance', asset_classes: ['crypto'], display: true }],
  ['HUB_FEEDS', { source: 'acme.feed', display: true }],
])('the local engine knows the exchanges of %s, as synthesis does', async (name, feed) => {
  const bundles = new Map(FUNCTIONS.map((one) => [one.name, { file: 'none' }]));
  const starting = startHub({
    environment: { [name]: JSON.stringify([{ ...feed, exchanges: ['NYSE', 'BINNANCE'] }]) },
    build: async () => ({ functions: FUNCTIONS, bundles }),
    demoData: false,
  });
  await expect(starting).rejects.toThrow(
    new RegExp(`^${name}\\.0\\.exchanges: the exchange BINNANCE is unknown\\. .* in ownExchanges$`),
  );
});

describe('npm run deploy and diff', () => {
  test('say once that there are no credentials of AWS', async () => {
    const env = { PATH: process.env.PATH, HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true' };
    const command = ['infra/commands/cdk.ts', 'diff', '--stage', 'dev', '--profile', 'nobody'];
    await expect(promisify(execFile)(process.execPath, command, { env })).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^AWS: there are no credentials\. Set AWS_PROFILE, .*\n$/),
    });
  });

  test('take the credentials of a profile', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hub-profile-'));
    const file = join(folder, 'credentials');
    await writeFile(file, '[release]\naws_access_key_id = a\naws_secret_access_key = b\n');
    const { AWS_SHARED_CREDENTIALS_FILE: before } = process.env;
    process.env.AWS_SHARED_CREDENTIALS_FILE = file;
    try {
      for (const named of [['--profile', 'release'], ['--profile=release']]) {
        await requireCredentials(['diff', 'dev/*', ...named, '--verbose']);
      }
    } finally {
      if (before === undefined) delete process.env.AWS_SHARED_CREDENTIALS_FILE;
      else process.env.AWS_SHARED_CREDENTIALS_FILE = before;
      await rm(folder, { recursive: true });
    }
  });

  test('name all stacks of a stage to the CDK CLI, and pass further arguments on', () => {
    expect(cdkArguments(['diff', '--stage', 'dev']).args).toEqual(['diff', 'dev/*']);
    expect(cdkArguments(['deploy', '--stage=prod', '--require-approval', 'never', '-v']).args).toEqual([
      'deploy',
      'prod/*',
      '--require-approval',
      'never',
      '-v',
    ]);
  });

  test('keep the arguments of the smoke test after a deployment from the CDK CLI', () => {
    const given = ['--sink', 'http://sink.test', '--stage', 'dev', '--symbol=SPY', '--no-smoke', '-v'];
    const { args, smoke } = cdkArguments(['deploy', ...given]);
    expect(args).toEqual(['deploy', 'dev/*', '-v']);
    expect(smoke).toEqual({
      url: undefined,
      origin: undefined,
      sink: 'http://sink.test',
      symbol: 'SPY',
      isLeftOut: true,
    });
  });

  test('synth covers all stages if none is named', () => {
    expect(cdkArguments(['synth', '--stage', 'dev']).args).toEqual(['synth', 'dev/*', '--quiet']);
    expect(cdkArguments(['synth'])).toMatchObject({ stage: undefined, args: ['synth', '**', '--quiet'] });
    expect(() => cdkArguments(['synth', '--stage', 'nowhere'])).toThrow(/--stage NAME/);
  });

  test.each([[['deploy']], [['deploy', '--stage', 'nowhere']], [['destroy', '--stage', 'dev']]])(
    'refuse %j',
    (args) => {
      expect(() => cdkArguments(args)).toThrow(/--stage NAME, where NAME is dev or prod/);
    },
  );

  test('report settings that still have their example values', () => {
    const real = {
      mailFrom: { name: 'Hub', address: 'hub@hub.test' },
      corsOrigins: ['https://app.hub.test'],
    };
    expect(placeholdersOf(defineStage({ ...dev, ...real }))).toEqual([]);
    const example = { ...real, corsOrigins: ['https://app.hub.example'] };
    expect(placeholdersOf(defineStage({ ...dev, ...example }))).toHaveLength(1);
  });
});
