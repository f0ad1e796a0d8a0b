import { join } from 'node:path';
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, type Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import {
  Architecture,
  Code,
  type EventInvokeConfigOptions,
  FunctionBase,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IConstruct } from 'constructs';
import type { FunctionDeclaration } from '../../functions/declaration.ts';
import { environmentFor } from '../environment.ts';
import { functionName, LIVE_ALIAS } from '../names.ts';
import { type RoleStatement, roleStatements } from '../roles/statements.ts';
import type { HubConfig } from '../stage.ts';
import type { HubTable } from './hub-table.ts';
import { OwnRole } from './own-role.ts';
import type { StackRelease } from './stack-release.ts';

/** Dependencies that all functions of a stage share. */
export interface HubFunctionContext {
  readonly config: HubConfig;
  readonly table: HubTable;
  readonly secret: Secret;
  /** Secret of the header of requests through the distribution, for functions that get requests. */
  readonly edgeSecret?: Secret | undefined;
  /** Secret with the password of the probe user. */
  readonly probeSecret?: Secret | undefined;
  /** KMS key that encrypts data keys. */
  readonly dataKey: Key;
  readonly publicUrl: string;
  /** Queues by lane, for functions that send to them. */
  readonly queues?: Readonly<Record<string, IQueue>>;
  /** Log groups by function. */
  readonly logGroups: ReadonlyMap<string, LogGroup>;
  /** Directory with a folder per function, which has an `index.mjs`. */
  readonly bundleDir: string;
  /** Shifts the aliases of the stack's functions to new versions. */
  readonly release: StackRelease;
}

const policyStatement = ({ actions, resources, notResources, conditions }: RoleStatement): PolicyStatement =>
  new PolicyStatement({
    actions: [...actions],
    ...(resources && { resources: [...resources] }),
    ...(notResources && { notResources: [...notResources] }),
    ...(conditions && { conditions }),
  });

/** Function of the manifest with the environment and the permissions of its declaration. */
export class HubFunction extends Construct {
  readonly lambda: LambdaFunction;
  /** Points to the released version. All callers invoke it, so that none reaches a version that is not released. */
  readonly alias: FunctionBase;
  readonly role: Role;

  constructor(scope: Construct, declaration: FunctionDeclaration, context: HubFunctionContext) {
    super(scope, declaration.name);
    const { name, uses, memoryMb, timeoutS, maxConcurrency } = declaration;
    const { config, queues = {} } = context;
    const { partition, region, account } = Stack.of(this);
    const logGroup = context.logGroups.get(name);
    if (!logGroup) throw new Error(`the function ${name} has no log group`);
    this.role = new OwnRole(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    for (const statement of [
      new PolicyStatement({
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [logGroup.logGroupArn],
      }),
      ...roleStatements(declaration, config, {
        partition,
        region,
        account,
        tableArn: context.table.tableArn,
        secretArn: context.secret.secretArn,
        dataKeyArn: context.dataKey.keyArn,
        edgeSecretArn: context.edgeSecret?.secretArn,
        probeSecretArn: context.probeSecret?.secretArn,
        queueArns: Object.values(queues).map(({ queueArn }) => queueArn),
      }).map(policyStatement),
    ]) {
      this.role.addToPolicy(statement);
    }
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName: functionName(config, name),
      description: `Strategy Hub ${config.stage}: ${name}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(join(context.bundleDir, name)),
      memorySize: memoryMb,
      timeout: Duration.seconds(timeoutS),
      environment: {
        POWERTOOLS_LOG_LEVEL: config.logLevel,
        ...environmentFor(uses, config, {
          tableName: context.table.tableName,
          secretId: context.secret.secretArn,
          edgeSecretId: context.edgeSecret?.secretArn ?? '',
          probeSecretId: context.probeSecret?.secretArn ?? '',
          dataKeyId: context.dataKey.keyArn,
          publicUrl: context.publicUrl,
          queueUrls: Object.fromEntries(
            Object.entries(queues).map(([lane, { queueUrl }]) => [lane, queueUrl]),
          ),
        }),
      },
      role: this.role,
      logGroup,
      tracing: Tracing.ACTIVE,
      ...(config.reserveConcurrency &&
        maxConcurrency !== undefined && { reservedConcurrentExecutions: maxConcurrency }),
      // Keeps the versions of earlier releases, to roll back to. That of a failed deployment goes: Lambda would refuse
      // to publish the same code once more.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    });
    const alias = this.lambda.addAlias(LIVE_ALIAS);
    context.release.add({
      declaration,
      functionArn: this.lambda.functionArn,
      version: this.lambda.currentVersion.version,
      alias,
    });
    // The optional fields of its own type do not compile where a function is wanted.
    const invoked: IConstruct = alias;
    if (!(invoked instanceof FunctionBase)) throw new Error('an alias is not a function');
    this.alias = invoked;
    Validations.of(this.role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'The actions of X-Ray, and reading the quota of SES, support no resource other than *.',
    });
  }

  /** Sets what becomes of events that fail, before the alias gets any. */
  configureAsyncInvoke(options: EventInvokeConfigOptions): IConstruct {
    // Events that arrived before the function had an alias are still tried again, for six hours. A stage can deploy two
    // versions within that time, so a version later than the next one drops this.
    this.lambda.configureAsyncInvoke(options);
    this.alias.configureAsyncInvoke(options);
    return this.alias.node.findChild('EventInvokeConfig');
  }
}
