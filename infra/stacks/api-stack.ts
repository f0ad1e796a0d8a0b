import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { OPERATION_GROUPS } from '../../functions/operations.ts';
import { HubApi } from '../constructs/hub-api.ts';
import { HubFunction, type HubFunctionContext } from '../constructs/hub-function.ts';
import { StackRelease } from '../constructs/stack-release.ts';
import { BadSettingError } from '../settings-check.ts';

interface ApiStackProps extends StackProps {
  readonly context: Omit<HubFunctionContext, 'publicUrl' | 'release' | 'probeSecret'>;
  /** Functions whose alias was pointed elsewhere than CloudFormation knows. */
  readonly moved: ReadonlySet<string>;
  /** Web ACL of the distribution in front of the API. */
  readonly webAclArn: string | undefined;
}

/** HTTP API with its functions. */
export class ApiStack extends Stack {
  /** Public address of the API. */
  readonly publicUrl: string;
  readonly apiId: string;

  constructor(scope: Construct, id: string, { context, moved, webAclArn, ...props }: ApiStackProps) {
    super(scope, id, props);
    const { config } = context;
    const api = new HubApi(this, 'Api', config, webAclArn);
    this.apiId = api.httpApi.apiId;
    // This is not a cycle: routes and integrations are separate resources that the API does not refer to.
    this.publicUrl = api.url;
    const release = new StackRelease(this, 'Release', { config, stack: 'api', moved });
    const places = { ...context, publicUrl: this.publicUrl, release, edgeSecret: api.edge?.secret };
    for (const declaration of FUNCTIONS) {
      if (declaration.trigger.kind !== 'authorizer') continue;
      api.authorize(declaration.trigger.source, new HubFunction(this, declaration, places).alias);
    }
    for (const declaration of FUNCTIONS) {
      if (declaration.trigger.kind !== 'http') continue;
      api.route(declaration.trigger.operations, new HubFunction(this, declaration, places).alias);
    }
    release.finish();
    for (const [group, throttle] of Object.entries(config.throttle.groups)) {
      const operations = OPERATION_GROUPS[group];
      if (!operations)
        throw new BadSettingError(
          `infra/config.ts: the stage ${config.stage} throttles the unknown group ${group}`,
        );
      api.throttle(operations, throttle);
    }
    new CfnOutput(this, 'PublicUrl', { value: this.publicUrl });
    if (api.edge) {
      new CfnOutput(this, 'EdgeDomainName', { value: api.edge.distribution.distributionDomainName });
    }
  }
}
