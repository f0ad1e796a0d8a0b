import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { stages } from '../complete.ts';
import {
  actionsOf,
  COMPLETE_STAGES,
  DEPLOYED,
  functionsOf,
  invokedBy,
  resourcesOf,
  type Synthesized,
  statementsOf,
  synthesize,
  templatesOf,
} from '../synthesized.ts';

interface AliasProperties {
  readonly Name: string;
  readonly FunctionName: { readonly Ref: string };
  readonly FunctionVersion: { readonly 'Fn::GetAtt': readonly [string, 'Version'] };
}

interface GroupProperties {
  readonly DeploymentGroupName: string;
  readonly DeploymentConfigName: string;
  readonly AlarmConfiguration?: {
    readonly Enabled: boolean;
    readonly Alarms: readonly { readonly Name: { readonly Ref: string } }[];
  };
  readonly AutoRollbackConfiguration: { readonly Enabled: boolean; readonly Events: readonly string[] };
}

interface AlarmProperties {
  readonly AlarmDescription: string;
  readonly Dimensions?: readonly unknown[];
  readonly Metrics?: readonly unknown[];
}

const RUNBOOK = readFileSync(new URL('../../../infra/RUNBOOK.md', import.meta.url), 'utf8');

/** Returns the aliases of a stack by the name of their function. */
const aliasesOf = (stage: Synthesized, template: Template) =>
  Object.entries(resourcesOf<AliasProperties>(template, 'AWS::Lambda::Alias')).map(([id, alias]) => {
    const found = functionsOf(stage).find((one) => one.id === alias.Properties.FunctionName.Ref);
    if (!found) throw new Error(`${id} is the alias of no function`);
    return { id, alias, declaration: found.declaration };
  });

/** Returns the groups of a stack by the full name of their function. */
const groupsOf = (template: Template) =>
  new Map(
    Object.values(resourcesOf<GroupProperties>(template, 'AWS::CodeDeploy::DeploymentGroup')).map(
      ({ Properties }) => [Properties.DeploymentGroupName, Properties],
    ),
  );

/** Returns the ids of the versions of all functions. */
const versionsOf = (stage: Synthesized): string[] =>
  templatesOf(stage).flatMap((template) => Object.keys(resourcesOf(template, 'AWS::Lambda::Version')));

describe.each(stages)('a release of the stage $name', (stage) => {
  const parts = [stage.api, stage.events];

  test('publishes a version of each function, keeps the ones before, and shifts an alias to it', () => {
    const aliases = parts.flatMap((template) =>
      aliasesOf(stage, template).map((one) => ({ ...one, template })),
    );
    expect(aliases.map(({ declaration }) => declaration.name).sort()).toEqual(
      DEPLOYED.map(({ name }) => name).sort(),
    );
    for (const { alias, declaration, template } of aliases) {
      expect(alias.Properties.Name).toBe('live');
      const [version] = alias.Properties.FunctionVersion['Fn::GetAtt'];
      expect(resourcesOf(template, 'AWS::Lambda::Version')[version]).toMatchObject({
        Properties: { FunctionName: alias.Properties.FunctionName },
        // The version of a failed deployment goes, as Lambda publishes the same code only once.
        DeletionPolicy: 'RetainExceptOnCreate',
      });
      const groups = resourcesOf<GroupProperties>(template, 'AWS::CodeDeploy::DeploymentGroup');
      const [group] = Object.entries(groups).flatMap(([id, { Properties }]) =>
        Properties.DeploymentGroupName === `strategy-hub-${stage.name}-${declaration.name}` ? [id] : [],
      );
      expect(alias.UpdatePolicy).toMatchObject({
        CodeDeployLambdaAliasUpdate: { DeploymentGroupName: { Ref: group } },
      });
    }
  });

  test('reaches all callers, because each of them invokes the alias', () => {
    const callers = parts.flatMap((template) => {
      const of = (type: string, target: (properties: Record<string, unknown>) => unknown): unknown[] =>
        Object.values(resourcesOf<Record<string, unknown>>(template, type)).map(({ Properties }) =>
          invokedBy(template, target(Properties)),
        );
      return [
        ...of('AWS::ApiGatewayV2::Integration', ({ IntegrationUri }) => IntegrationUri),
        ...of('AWS::ApiGatewayV2::Authorizer', ({ AuthorizerUri }) => AuthorizerUri),
        ...of('AWS::Lambda::Permission', ({ FunctionName }) => FunctionName),
        ...of('AWS::Lambda::EventSourceMapping', ({ FunctionName }) => FunctionName),
        ...of('AWS::Events::Rule', ({ Targets }) => (Array.isArray(Targets) ? Targets[0].Arn : undefined)),
        ...of('AWS::Scheduler::Schedule', ({ Target }) => JSON.parse(JSON.stringify(Target)).Arn),
      ];
    });
    expect(callers).not.toContain(undefined);
    // Every function has a caller.
    expect(new Set(callers)).toEqual(new Set(functionsOf(stage).map(({ id }) => id)));
  });

  test('lets no caller invoke an alias before it may', () => {
    for (const template of parts) {
      const permissions = resourcesOf<{ readonly FunctionName: unknown }>(
        template,
        'AWS::Lambda::Permission',
      );
      for (const [type, target] of [
        ['AWS::ApiGatewayV2::Integration', 'IntegrationUri'],
        ['AWS::ApiGatewayV2::Authorizer', 'AuthorizerUri'],
        ['AWS::Events::Rule', 'Targets'],
      ] as const) {
        const invoking = resourcesOf<Record<string, unknown>>(template, type);
        for (const { Properties, DependsOn = [] } of Object.values(invoking)) {
          const permitted = DependsOn.flatMap((id) => permissions[id]?.Properties.FunctionName ?? []);
          expect(permitted.map((name) => invokedBy(template, name))).toEqual([
            invokedBy(template, Properties[target]),
          ]);
        }
      }
    }
    const configs = resourcesOf(stage.events, 'AWS::Lambda::EventInvokeConfig');
    for (const type of ['AWS::Events::Rule', 'AWS::Scheduler::Schedule']) {
      for (const { DependsOn = [] } of Object.values(resourcesOf(stage.events, type))) {
        expect(DependsOn.filter((id) => configs[id])).toHaveLength(1);
      }
    }
  });

  test('lets schedules invoke aliases only', () => {
    const aliases = resourcesOf(stage.events, 'AWS::Lambda::Alias');
    const invoked = Object.keys(resourcesOf(stage.events, 'AWS::IAM::Role'))
      .flatMap((id) => statementsOf(stage.events, id))
      .flatMap((one) => (actionsOf(one).includes('lambda:InvokeFunction') ? [one.Resource] : []));
    const ids = invoked.map((one) => /^\{"Ref":"(\w+)"\}$/.exec(JSON.stringify(one))?.[1]);
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) expect(aliases[id ?? 'a function']).toBeDefined();
  });

  test('shifts consumers of messages and events before their producers', () => {
    const order = ['queue', 'stream', 'bus', 'schedule'];
    const aliases = aliasesOf(stage, stage.events);
    const waveOf = (kind: string | undefined): string[] =>
      aliases.flatMap(({ id, declaration }) => (declaration.trigger.kind === kind ? [id] : []));
    for (const { alias, declaration } of aliases) {
      const earlier = order[order.indexOf(declaration.trigger.kind) - 1];
      const waits = (alias.DependsOn ?? []).filter((id) => aliases.some((one) => one.id === id));
      expect(waits.sort()).toEqual(waveOf(earlier).sort());
    }
    // The address of an API is known only after its deployment, unless the stage has one of its own.
    expect(stage.first).toBe(stage.name === 'dev' ? 'api' : 'events');
  });

  test('shifts at most ten aliases at a time, as Lambda limits the calls for changes', () => {
    for (const template of parts) {
      const aliases = aliasesOf(stage, template);
      const ids = new Set(aliases.map(({ id }) => id));
      // Aliases that wait for the same ones shift together.
      const steps = Map.groupBy(aliases, ({ alias }) =>
        (alias.DependsOn ?? [])
          .filter((id) => ids.has(id))
          .sort()
          .join(),
      );
      expect(Math.max(...[...steps.values()].map(({ length }) => length))).toBeLessThanOrEqual(10);
      expect(steps.size).toBe(template === stage.api ? 2 : 4);
    }
  });

  test('gives a tenth of the traffic to a new version and rolls it back if that one fails', () => {
    for (const template of parts) {
      const groups = groupsOf(template);
      const alarms = resourcesOf<AlarmProperties>(template, 'AWS::CloudWatch::Alarm');
      for (const { id, alias, declaration } of aliasesOf(stage, template)) {
        const group = groups.get(`strategy-hub-${stage.name}-${declaration.name}`);
        const isGradual = stage.name === 'prod' && declaration.name !== 'console';
        expect(group?.DeploymentConfigName).toBe(
          isGradual ? 'CodeDeployDefault.LambdaCanary10Percent5Minutes' : 'CodeDeployDefault.LambdaAllAtOnce',
        );
        expect(group?.AutoRollbackConfiguration.Enabled).toBe(true);
        const watched = group?.AlarmConfiguration?.Alarms ?? [];
        expect(watched).toHaveLength(isGradual ? 1 : 0);
        for (const { Name } of watched) {
          expect(group?.AutoRollbackConfiguration.Events).toContain('DEPLOYMENT_STOP_ON_ALARM');
          const alarm = alarms[Name.Ref]?.Properties;
          // Faults of the version before must not roll its repair back.
          const counted = JSON.stringify(alarm?.Metrics ?? alarm);
          const version = { Name: 'ExecutedVersion', Value: alias.Properties.FunctionVersion };
          expect(counted).toContain(JSON.stringify(version).replace(/^\{|\}$/g, ''));
          expect(counted).not.toContain(`"${id}"`);
          expect(alias.DependsOn).toContain(Name.Ref);
          const [, anchor = ''] = / Runbook: .*#([\w-]+)$/.exec(alarm?.AlarmDescription ?? '') ?? [];
          expect(RUNBOOK).toContain(
            `\n## ${anchor.replaceAll('-', ' ').replace(/^./, (a) => a.toUpperCase())}\n`,
          );
        }
      }
    }
  });

  test('stores the versions that CloudFormation knows after all aliases point to them', () => {
    for (const [stack, template] of [
      ['api', stage.api],
      ['events', stage.events],
    ] as const) {
      const [parameter, ...others] = Object.values(
        resourcesOf<{ readonly Name: string; readonly Value: unknown }>(template, 'AWS::SSM::Parameter'),
      );
      expect(others).toEqual([]);
      expect(parameter?.Properties.Name).toBe(`/strategy-hub/${stage.name}/versions/${stack}`);
      const text = JSON.stringify(parameter?.Properties.Value);
      for (const { id, alias, declaration } of aliasesOf(stage, template)) {
        expect(text).toContain(`\\"${declaration.name}\\"`);
        expect(text).toContain(JSON.stringify(alias.Properties.FunctionVersion));
        expect(parameter?.DependsOn).toContain(id);
      }
    }
  });

  test('leaves room below the limit of 500 resources in a stack', () => {
    for (const template of templatesOf(stage)) {
      expect(Object.keys(template.toJSON().Resources).length).toBeLessThan(450);
    }
  });
});

describe('a later release', () => {
  const [base] = stages;
  const [dev] = COMPLETE_STAGES;
  if (!base || !dev) throw new Error('there is no stage');
  const later = synthesize(
    [{ ...dev, logRetentionDays: 30, throttle: { ...dev.throttle, groups: {} } }],
    ['users', 'relay'],
  );
  afterAll(later.discard);
  const [same] = later.stages;
  if (!same) throw new Error('there is no stage');

  test('publishes no version of a function that did not change', () => {
    // The id of a version holds a hash of its function. Another id publishes another version.
    expect(versionsOf(same)).toEqual(versionsOf(base));
    expect(versionsOf(same)).toHaveLength(DEPLOYED.length);
  });

  test('leaves CodeDeploy out for functions that were rolled back, as it expects the released version', () => {
    const direct = [same.api, same.events].flatMap((template) =>
      aliasesOf(same, template).flatMap(({ alias, declaration }) =>
        alias.UpdatePolicy === undefined ? [declaration.name] : [],
      ),
    );
    expect(direct.sort()).toEqual(['relay', 'users']);
  });
});
