import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { STAGES } from '../../infra/config.ts';
import { createApp } from '../../infra/hub.ts';
import { defineStage, type HubConfig } from '../../infra/stage.ts';
import { emptyBundles, PRODUCTION } from './inputs.ts';

/** A resource of a template. */
export interface Resource<P> {
  readonly Properties: P;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly UpdatePolicy?: unknown;
  readonly DependsOn?: readonly string[];
}

export interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource?: unknown;
  readonly NotResource?: unknown;
  readonly Condition?: unknown;
}

/** Reference to an output of another stack. */
interface StackOutput {
  readonly 'Fn::GetStackOutput': { readonly OutputName: string };
}

export interface FunctionProperties {
  readonly Description: string;
  readonly FunctionName: string;
  readonly Runtime: string;
  readonly Architectures: readonly string[];
  readonly Handler: string;
  readonly MemorySize: number;
  readonly Timeout: number;
  readonly ReservedConcurrentExecutions?: number;
  readonly TracingConfig: { readonly Mode: string };
  readonly LoggingConfig: { readonly LogGroup: StackOutput };
  readonly Role: { readonly 'Fn::GetAtt': readonly [string, string] };
  readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
}

interface RoleProperties {
  readonly Policies: readonly { readonly PolicyDocument: { readonly Statement: readonly Statement[] } }[];
}

/** The stages of the configuration, with complete settings of production stages. */
export const COMPLETE_STAGES: readonly HubConfig[] = STAGES.map((stage) =>
  stage.production ? defineStage({ ...stage, ...PRODUCTION }) : stage,
);

/** Functions of the stages of the configuration: those that need no further setting. */
export const DEPLOYED = FUNCTIONS.filter(({ onlyWith }) => onlyWith === undefined);

/** Synthesizes all stages, or the given ones. Call `discard` when done. */
export const synthesize = (
  configs: readonly HubConfig[] = COMPLETE_STAGES,
  moved: readonly string[] = [],
) => {
  const bundleDir = emptyBundles();
  const outdir = mkdtempSync(join(tmpdir(), 'hub-assembly-'));
  const { app, hubs } = createApp({ bundleDir, outdir, stages: configs, moved });
  const stages = hubs.map((hub) => ({
    name: hub.stageName,
    edge: hub.edge && Template.fromStack(hub.edge),
    data: Template.fromStack(hub.data),
    logs: Template.fromStack(hub.logs),
    api: Template.fromStack(hub.api),
    events: Template.fromStack(hub.events),
    observability: Template.fromStack(hub.observability),
    /** Tells which of the stacks with functions is deployed first. */
    first: hub.api.dependencies.includes(hub.events)
      ? 'events'
      : hub.events.dependencies.includes(hub.api)
        ? 'api'
        : 'any',
  }));
  const discard = (): void => {
    for (const dir of [bundleDir, outdir]) rmSync(dir, { recursive: true });
  };
  return { app, stages, discard };
};

export type Synthesized = ReturnType<typeof synthesize>['stages'][number];

/** Returns the templates of a stage's stacks. */
export const templatesOf = ({ data, logs, api, events, observability }: Synthesized): readonly Template[] => [
  data,
  logs,
  api,
  events,
  observability,
];

/** Returns the resources of a type by logical id. */
export const resourcesOf = <P>(template: Template, type: string): Record<string, Resource<P>> =>
  Object.fromEntries(
    Object.entries(template.findResources(type)).map(
      ([id, { Properties, DeletionPolicy, UpdateReplacePolicy, UpdatePolicy, DependsOn }]) => [
        id,
        { Properties, DeletionPolicy, UpdateReplacePolicy, UpdatePolicy, DependsOn },
      ],
    ),
  );

/** Returns a stage's functions with the declarations that they come from. */
export const functionsOf = (stage: Synthesized) =>
  [stage.api, stage.events].flatMap((template) =>
    Object.entries(resourcesOf<FunctionProperties>(template, 'AWS::Lambda::Function')).map(
      ([id, { Properties: properties }]) => {
        const name = properties.Description.split(': ')[1];
        const declaration = FUNCTIONS.find((candidate) => candidate.name === name);
        if (!declaration) throw new Error(`no function is declared for ${properties.Description}`);
        return { id, template, properties, declaration };
      },
    ),
  );

/** Returns the output of the stack with the logs to which a function's log group refers, such as its name. */
export const logOutputOf = (
  { logs }: Synthesized,
  { LoggingConfig }: Pick<FunctionProperties, 'LoggingConfig'>,
): unknown => logs.toJSON().Outputs[LoggingConfig.LogGroup['Fn::GetStackOutput'].OutputName]?.Value;

/** Returns the id of the function whose alias a property names, or undefined if it names none, such as a function itself. */
export const invokedBy = (template: Template, target: unknown): string | undefined => {
  const aliases = resourcesOf<{ readonly FunctionName: { readonly Ref: string } }>(
    template,
    'AWS::Lambda::Alias',
  );
  const [, id = ''] =
    /"Ref":"(\w+)"/.exec(JSON.stringify(target)?.replaceAll(/\{"Ref":"AWS::\w+"\}/g, '')) ?? [];
  return aliases[id]?.Properties.FunctionName.Ref;
};

/** Returns the permissions of the role of a function or another resource. */
export const statementsOf = (template: Template, roleId: string): readonly Statement[] =>
  Object.entries(resourcesOf<RoleProperties>(template, 'AWS::IAM::Role'))
    .filter(([id]) => id === roleId)
    .flatMap(([, { Properties }]) => Properties.Policies)
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);

/** Every statement of every role of a stage. */
export const allStatements = (stage: Synthesized): readonly Statement[] =>
  templatesOf(stage).flatMap((template) =>
    Object.keys(resourcesOf(template, 'AWS::IAM::Role')).flatMap((id) => statementsOf(template, id)),
  );

export const actionsOf = ({ Action }: Statement): readonly string[] =>
  typeof Action === 'string' ? [Action] : Action;
