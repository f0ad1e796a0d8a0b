import { Stack, Validations } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, type Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type Alias, CfnAlias } from 'aws-cdk-lib/aws-lambda';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import type { FunctionDeclaration } from '../../functions/declaration.ts';
import { functionName, LIVE_ALIAS, type ReleasedStack, versionsParameter } from '../names.ts';
import { consumersFirst } from '../release/order.ts';
import type { HubConfig } from '../stage.ts';
import { describeAlarm } from './alarms/condition.ts';
import { logMetric, PERIOD } from './hub-metrics.ts';
import { faultMetricName } from './log-metrics.ts';
import { OwnRole } from './own-role.ts';

/** Part of a new version's requests that may fail, in percent. */
const MAX_FAULTS_PCT = 3;
/** Minimum of a denominator: three failed requests are enough if there are few. */
const MIN_REQUESTS = 100;
/**
 * Aliases that CodeDeploy shifts at the same time. A deployment fails if it exceeds the 15 calls a second that Lambda
 * allows an account for changes.
 */
const AT_ONCE = 10;
/** Runs of a consumer that must all fail. It refuses a bad event with an error by design. */
const MIN_RUNS = 5;

interface Released {
  readonly declaration: FunctionDeclaration;
  readonly version: string;
  readonly functionArn: string;
  readonly alias: Alias;
}

/** Returns the failures of one version while traffic shifts to it, and the number at which it is rolled back. */
const failuresOf = (
  config: HubConfig,
  { declaration: { name, trigger }, version }: Released,
): { readonly metric: IMetric; readonly atLeast: number } => {
  const FunctionName = functionName(config, name);
  const counted = (metricName: string): Metric =>
    new Metric({
      namespace: 'AWS/Lambda',
      metricName,
      // Lambda reports the executed version only while an alias has two. Without it, the faults of the version before
      // would roll its repair back.
      dimensionsMap: {
        FunctionName,
        Resource: `${FunctionName}:${LIVE_ALIAS}`,
        ExecutedVersion: version,
      },
      statistic: 'Sum',
      period: PERIOD,
    });
  const [errors, runs] = [counted('Errors'), counted('Invocations')];
  if (trigger.kind === 'http') {
    return {
      metric: new MathExpression({
        expression: `100 * (FILL(errors, 0) + FILL(faults, 0)) / IF(FILL(runs, 0) > ${MIN_REQUESTS}, runs, ${MIN_REQUESTS})`,
        usingMetrics: {
          errors,
          runs,
          faults: logMetric(config, faultMetricName(name)).with({
            dimensionsMap: { version },
          }),
        },
        label: 'failed requests of the new version, in percent',
        period: PERIOD,
      }),
      atLeast: MAX_FAULTS_PCT,
    };
  }
  if (trigger.kind === 'bus') {
    return {
      metric: new MathExpression({
        expression: `IF(FILL(runs, 0) >= ${MIN_RUNS}, 100 * errors / runs, 0)`,
        usingMetrics: { errors, runs },
        label: 'failed runs of the new version, in percent',
        period: PERIOD,
      }),
      atLeast: 100,
    };
  }
  return { metric: errors, atLeast: 1 };
};

/** Splits a list into as few parts of nearly the same size as a limit allows. */
const inParts = <T>(all: readonly T[], limit: number): T[][] => {
  const size = Math.ceil(all.length / Math.ceil(all.length / limit));
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
};

interface StackReleaseProps {
  readonly config: HubConfig;
  readonly stack: ReleasedStack;
  /** Functions whose alias was pointed elsewhere than CloudFormation knows, such as by a roll-back. */
  readonly moved: ReadonlySet<string>;
}

/**
 * Releases of a stack's functions: CodeDeploy shifts the alias of each to its new version, in waves, consumers first.
 * The versions that CloudFormation knows are in a parameter.
 */
export class StackRelease extends Construct {
  readonly #props: StackReleaseProps;
  readonly #application: LambdaApplication;
  readonly #role: Role;
  readonly #released: Released[] = [];

  constructor(scope: Construct, id: string, props: StackReleaseProps) {
    super(scope, id);
    this.#props = props;
    const { config, stack } = props;
    this.#application = new LambdaApplication(this, 'Application', {
      applicationName: `strategy-hub-${config.stage}-${stack}`,
    });
    this.#role = new OwnRole(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    if (config.shift === 'canary') {
      this.#role.addToPolicy(
        new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }),
      );
      Validations.of(this.#role).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'CodeDeploy lists alarms to read their states.',
      });
    }
  }

  /** Adds a function. Call {@link finish} after the last one. */
  add(released: Released): void {
    this.#released.push(released);
    const { config, moved } = this.#props;
    const { declaration, alias } = released;
    const isGradual = config.shift === 'canary' && !declaration.atOnce;
    const alarms = isGradual ? [this.#alarm(released)] : [];
    const { functionArn } = released;
    this.#role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'],
        resources: [functionArn, `${functionArn}:${LIVE_ALIAS}`],
      }),
    );
    const group = new LambdaDeploymentGroup(alias, 'Shift', {
      application: this.#application,
      deploymentGroupName: functionName(config, declaration.name),
      alias,
      // Its policy names the functions. The managed one that the construct adds would allow every function.
      role: this.#role.withoutPolicyUpdates(),
      deploymentConfig: isGradual
        ? LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES
        : LambdaDeploymentConfig.ALL_AT_ONCE,
      alarms,
      autoRollback: { failedDeployment: true, deploymentInAlarm: isGradual },
    });
    group.node.addDependency(this.#role);
    // The alarm watches the new version before the first request reaches it.
    if (alarms.length > 0) cfnAliasOf(alias).node.addDependency(...alarms);
    // CodeDeploy shifts from the version that CloudFormation knows. CloudFormation alone sets the version as it should be.
    if (moved.has(declaration.name)) delete cfnAliasOf(alias).cfnOptions.updatePolicy;
  }

  /** Orders the functions, and stores the versions that their aliases point to in the end. */
  finish(): void {
    const waves = consumersFirst(this.#released.map((one) => ({ ...one, trigger: one.declaration.trigger })));
    const steps = waves.flatMap((wave) => inParts(wave, AT_ONCE));
    for (const [index, step] of steps.entries()) {
      for (const { alias } of step) {
        for (const before of steps[index - 1] ?? []) {
          cfnAliasOf(alias).addResourceDependency(cfnAliasOf(before.alias));
        }
      }
    }
    const { config, stack } = this.#props;
    const versions = this.#released.map(({ declaration: { name }, version }) => [name, version]);
    const parameter = new StringParameter(this, 'Versions', {
      parameterName: versionsParameter(config, stack),
      description: 'Versions of functions that CloudFormation knows. npm run roll-back compares them.',
      stringValue: Stack.of(this).toJsonString(Object.fromEntries(versions)),
    });
    for (const { alias } of this.#released) parameter.node.addDependency(cfnAliasOf(alias));
  }

  /** The release command and CloudFormation report this alarm, so it notifies nobody. */
  #alarm(released: Released): Alarm {
    const { config } = this.#props;
    const { name } = released.declaration;
    const { metric, atLeast } = failuresOf(config, released);
    return new Alarm(released.alias, 'Failures', {
      alarmName: `strategy-hub-${config.stage}: ${name} new version fails`,
      alarmDescription: describeAlarm(config, {
        about: 'The new version fails while a tenth of the traffic goes to it. CodeDeploy rolls it back.',
        runbook: 'new-version-fails',
      }),
      metric,
      threshold: atLeast,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}

const cfnAliasOf = ({ node: { defaultChild } }: Alias): CfnAlias => {
  if (!(defaultChild instanceof CfnAlias)) throw new Error('an alias is not a CfnAlias');
  return defaultChild;
};
