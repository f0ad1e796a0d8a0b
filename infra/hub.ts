import { createRequire } from 'node:module';
import { App, ReferenceStrength, Stack, Stage, Tags, Validations } from 'aws-cdk-lib';
import { FAIL_SYNTH_ON_VALIDATION_ERRORS_CONTEXT } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Construct } from 'constructs';
import { hasOwnAddress, requireComplete } from './complete-stages.ts';
import { STAGES } from './config.ts';
import { ApiStack } from './stacks/api-stack.ts';
import { DataStack } from './stacks/data-stack.ts';
import { EdgeStack } from './stacks/edge-stack.ts';
import { EventsStack } from './stacks/events-stack.ts';
import { LogsStack } from './stacks/logs-stack.ts';
import { ObservabilityStack } from './stacks/observability-stack.ts';
import type { HubConfig } from './stage.ts';

const require = createRequire(import.meta.url);
const recommendedFlags: Record<string, unknown> = require('aws-cdk-lib/recommended-feature-flags.json');

/**
 * One deployment of the service. Stacks in the order of deployment: data, logs, events, API, observability. Without an address
 * of its own, the stage's events need that of its API, so the API comes before them.
 */
class Hub extends Stage {
  /** Web ACL, if the stage has a distribution in front of the API. */
  readonly edge: EdgeStack | undefined;
  readonly data: DataStack;
  readonly logs: LogsStack;
  readonly api: ApiStack;
  readonly events: EventsStack;
  readonly observability: ObservabilityStack;

  constructor(scope: Construct, config: HubConfig, bundleDir: string, moved: ReadonlySet<string>) {
    super(scope, config.stage, config.region === undefined ? {} : { env: { region: config.region } });
    const named = (part: string) => ({
      stackName: `strategy-hub-${config.stage}-${part}`,
      terminationProtection: part === 'data',
    });
    this.data = new DataStack(this, 'data', { ...named('data'), config });
    const { table, secret, dataKey } = this.data;
    this.logs = new LogsStack(this, 'logs', { ...named('logs'), config });
    const context = { config, table, secret, dataKey, bundleDir, logGroups: this.logs.groups };
    this.edge =
      config.edge &&
      new EdgeStack(this, 'edge', {
        ...named('edge'),
        // AWS WAF takes web ACLs of CloudFront in this region only.
        env: { region: 'us-east-1' },
        stage: config.stage,
        edge: config.edge,
      });
    const webAclArn =
      // Read at deployment, as exports do not reach another region.
      this.edge && Stack.consumeReference(this.edge.webAclArn, ReferenceStrength.WEAK);
    this.api = new ApiStack(this, 'api', { ...named('api'), context, moved, webAclArn });
    if (this.edge) this.api.addStackDependency(this.edge);
    const { publicUrl, apiId } = this.api;
    this.events = new EventsStack(this, 'events', {
      ...named('events'),
      context: { ...context, publicUrl },
      moved,
    });
    // A weak reference does not order stacks.
    for (const stack of [this.api, this.events]) stack.addStackDependency(this.logs);
    // Consumers of messages and events before their producers.
    if (hasOwnAddress(config)) this.api.addStackDependency(this.events);
    this.observability = new ObservabilityStack(this, 'observability', {
      ...named('observability'),
      watched: {
        config,
        apiId,
        table,
        deadLetters: this.events.deadLetters,
        queues: this.events.laneQueues,
      },
    });
    Tags.of(this).add('service', 'strategy-hub');
    Tags.of(this).add('stage', config.stage);
  }
}

interface AppOptions {
  /** Directory with a folder per function, which has an `index.mjs`. */
  readonly bundleDir: string;
  readonly outdir?: string;
  readonly stages?: readonly HubConfig[];
  /** Functions whose alias was pointed elsewhere than CloudFormation knows. It points them without CodeDeploy. */
  readonly moved?: readonly string[];
}

/**
 * Creates the CDK app with all stages. Its synthesis fails for a finding of cdk-nag that is not acknowledged.
 *
 * @throws BadSettingError for an incomplete production stage.
 */
export const createApp = ({ bundleDir, outdir, stages = STAGES, moved = [] }: AppOptions) => {
  requireComplete(stages);
  const app = new App({
    ...(outdir !== undefined && { outdir }),
    analyticsReporting: false,
    // Use all recommended feature flags, as no older deployment needs the previous behaviour.
    context: {
      ...recommendedFlags,
      '@aws-cdk/core:target-partitions': ['aws'],
      // CloudFormation then refuses to delete a table that functions use.
      '@aws-cdk/core:defaultCrossStackReferences': 'strong',
    },
    // The CLI turns this off and reports only the findings of the selected stacks.
    postCliContext: { [FAIL_SYNTH_ON_VALIDATION_ERRORS_CONTEXT]: true },
  });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { app, hubs: stages.map((config) => new Hub(app, config, bundleDir, new Set(moved))) };
};
