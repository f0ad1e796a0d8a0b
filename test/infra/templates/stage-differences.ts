import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { stages } from '../complete.ts';
import { COMPLETE_STAGES, functionsOf, resourcesOf, type Synthesized, templatesOf } from '../synthesized.ts';

interface FilterProperties {
  readonly FilterPattern: string;
  readonly MetricTransformations: readonly { readonly MetricName: string }[];
}

const configOf = ({ name }: Synthesized) => {
  const config = COMPLETE_STAGES.find(({ stage }) => stage === name);
  if (!config) throw new Error(`there is no stage ${name}`);
  return config;
};

/** Values of the environment that are the same in all stages. */
const FIXED = ['', 'off', 'on', 'internet'];

/** Lines of the logs that are counted, by metric. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  OutputMismatch: /^\{ \$\.fault = "the answer of \*" \}$/,
  RecordsDamaged: /^\{ \$\.message = "a record cannot be read" \}$/,
  DeliveryGivenUp: /^\{ \$\.message = "delivery given up" \}$/,
  LeftToSweep: /^\{ \$\.message = "messages are left to the sweep" \}$/,
  ServiceStopped: /^\{ \$\.message = "the kill switch of the service is thrown" \}$/,
  BarsInDoubt: /^\{ (\(\$\.message = "[a-z ]+"\)( \|\| )?){3} \}$/,
  BrokerOrdersInDoubt: /^\{ (\(\$\.message = "[a-z ]+"\)( \|\| )?){10} \}$/,
  Faults: /^\{ \$\.status >= 500 \}$/,
};

describe.each(stages)('the stage $name', (stage) => {
  const config = configOf(stage);
  const functions = functionsOf(stage);

  test('keeps all logs as long as its setting says', () => {
    const days = [stage.logs, stage.api].flatMap((template) =>
      Object.values(resourcesOf<{ readonly RetentionInDays: number }>(template, 'AWS::Logs::LogGroup')).map(
        ({ Properties }) => Properties.RetentionInDays,
      ),
    );
    expect([...new Set(days)]).toEqual([config.logRetentionDays]);
  });

  test('gives functions settings and references, and no secret', () => {
    const settings = JSON.stringify(config);
    const { name, address } = config.mailFrom;
    const built = [`${name} <${address}>`, `strategy-hub-${stage.name}`];
    for (const { declaration, properties } of functions) {
      for (const [setting, value] of Object.entries(properties.Environment.Variables)) {
        // References are resolved by CloudFormation. Those to secrets name the secret, and do not read it.
        const isKnown =
          typeof value === 'string'
            ? [...FIXED, ...built].includes(value) ||
              settings.includes(value) ||
              settings.includes(JSON.stringify(value).slice(1, -1))
            : !JSON.stringify(value).includes('{{resolve:');
        expect([declaration.name, setting, value, isKnown]).toEqual([declaration.name, setting, value, true]);
      }
    }
    for (const template of templatesOf(stage))
      expect(JSON.stringify(template.toJSON())).not.toContain('{{resolve:');
  });

  test('lets browsers of its own origins in, at the address of API Gateway', () => {
    stage.api.hasResourceProperties('AWS::ApiGatewayV2::Api', {
      ProtocolType: 'HTTP',
      CorsConfiguration: { AllowOrigins: config.corsOrigins, AllowCredentials: true },
      DisableExecuteApiEndpoint: false,
    });
    stage.api.hasResourceProperties('AWS::ApiGatewayV2::Stage', { AutoDeploy: true });
  });

  test('counts the lines that its functions write to the logs', () => {
    const filters = Object.values(resourcesOf<FilterProperties>(stage.logs, 'AWS::Logs::MetricFilter'));
    const metrics = filters.map(({ Properties: { FilterPattern, MetricTransformations } }) => {
      const [{ MetricName = '' } = {}] = MetricTransformations;
      const metric = MetricName.replace(/^Faults-.*/, 'Faults');
      expect(FilterPattern).toMatch(PATTERNS[metric] ?? metric);
      return metric;
    });
    expect([...new Set(metrics)].sort()).toEqual(Object.keys(PATTERNS).sort());
  });

  test('prints the addresses that operators need', () => {
    const outputs = templatesOf(stage).flatMap((template) =>
      Object.keys(template.findOutputs('*')).filter((id) => !/^(Exports|Publish)Output/.test(id)),
    );
    const deadLetters = functions.flatMap(({ template, declaration }) =>
      template === stage.events ? [`${declaration.name.replaceAll('-', '')}deadlettersurl`] : [],
    );
    expect(outputs.sort()).toEqual(
      [
        'AlarmTopicArn',
        'BusName',
        'PublicUrl',
        'SecretArn',
        'TableName',
        'busdeadlettersurl',
        ...deadLetters,
      ].sort(),
    );
  });
});

/** Properties and settings by which production differs from development, by type. */
const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGatewayV2::Api': ['CorsConfiguration'],
  'AWS::ApiGatewayV2::Stage': ['DefaultRouteSettings', 'RouteSettings'],
  // Limits of the latency and of mails. A canary release watches the new versions.
  'AWS::CloudWatch::Alarm': ['AlarmDescription', 'Metrics', 'Threshold', 'only in prod'],
  'AWS::CodeDeploy::DeploymentGroup': [
    'AlarmConfiguration',
    'AutoRollbackConfiguration',
    'DeploymentConfigName',
  ],
  // Events of the engines that production names.
  'AWS::Events::Rule': ['EventPattern'],
  // Sends mail with another identity, and looks at the alarms of canary releases.
  'AWS::IAM::Role': ['Policies'],
  'AWS::Lambda::Function': [
    'HUB_ANALYTICS_MEASUREMENT_ID',
    'HUB_CORS_ORIGINS',
    'HUB_MAIL_FROM',
    'HUB_PUBLIC_URL',
    'HUB_SESSION_POLICY',
    'HUB_STAGE',
    'HUB_WEB_PUSH_SUBJECT',
    'ReservedConcurrentExecutions',
  ],
  'AWS::Logs::LogGroup': ['RetentionInDays'],
  'AWS::SNS::Subscription': ['only in prod'],
};

/** Types whose ids have the name of the stage. */
const NAMED_BY_STAGE = ['AWS::Events::EventBusPolicy', 'AWS::Lambda::Permission'];

const resources = z.record(
  z.string(),
  z.object({
    Type: z.string(),
    Properties: z
      .looseObject({
        Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }).optional(),
      })
      .transform(
        ({ Environment, ...rest }): Readonly<Record<string, unknown>> => ({
          ...rest,
          ...Environment?.Variables,
        }),
      )
      .default({}),
  }),
);

/** Returns the resources of a stage by id, without its name, tags and the hashes of versions. */
const resourcesWithoutName = (stage: Synthesized) =>
  Object.fromEntries(
    templatesOf(stage).flatMap((template, index) => {
      const text = JSON.stringify(template.toJSON().Resources)
        .replaceAll(/(CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, '$1')
        .replaceAll(new RegExp(`([sS]trategy[- ]?[hH]ub[-/ ])${stage.name}`, 'g'), '$1<stage>');
      const parsed: unknown = JSON.parse(text, (name, value) =>
        name === 'Tags' || name === 'Sid' ? undefined : value,
      );
      return Object.entries(resources.parse(parsed)).map(([id, one]) => [`${index} ${id}`, one] as const);
    }),
  );

test('production differs from development in what its settings say, and in nothing else', () => {
  const [dev, prod] = stages.map(resourcesWithoutName);
  if (!dev || !prod) throw new Error('there are no two stages');
  const different = new Map<string, Set<string>>();
  const note = (type: string, name: string) => {
    different.set(type, (different.get(type) ?? new Set()).add(name));
  };
  for (const id of new Set([...Object.keys(dev), ...Object.keys(prod)])) {
    const [one, other] = [dev[id], prod[id]];
    const type = (one ?? other)?.Type ?? '';
    if (NAMED_BY_STAGE.includes(type)) continue;
    if (!one || !other) {
      note(type, `only in ${one ? 'dev' : 'prod'}`);
      continue;
    }
    for (const name of new Set([...Object.keys(one.Properties), ...Object.keys(other.Properties)])) {
      const values = [one, other].map(({ Properties }) => JSON.stringify(Properties[name]));
      if (values[0] !== values[1]) note(type, name);
    }
  }
  const found = [...different].map(([type, names]) => [type, [...names].sort()]);
  expect(Object.fromEntries(found)).toEqual(DIFFERENT);
});
