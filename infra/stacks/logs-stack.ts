import { CrossStackReferences, ReferenceStrength, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { countInLog } from '../constructs/log-metrics.ts';
import { deployedFunctions } from '../deployed.ts';
import type { HubConfig } from '../stage.ts';

interface LogsStackProps extends StackProps {
  readonly config: HubConfig;
}

/** Log groups of the functions, and the metrics counted in them. CloudFormation takes 500 resources in a stack. */
export class LogsStack extends Stack {
  /** Log groups by function. */
  readonly groups: ReadonlyMap<string, LogGroup>;

  constructor(scope: Construct, id: string, { config, ...props }: LogsStackProps) {
    super(scope, id, props);
    this.groups = new Map(
      deployedFunctions(config).map((declaration) => {
        const logGroup = new LogGroup(this, declaration.name, {
          retention: config.logRetentionDays,
          removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
        });
        countInLog(logGroup, declaration, config);
        // CloudFormation refuses to remove an export that a function still imports, and this stack is deployed first.
        CrossStackReferences.of(logGroup).produce(ReferenceStrength.WEAK);
        return [declaration.name, logGroup];
      }),
    );
  }
}
