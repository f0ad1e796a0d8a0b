import { Aws, Duration, Fn, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnAuthorizer,
  CfnIntegration,
  CfnStage,
  CorsHttpMethod,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { AuthorizerSource } from '../../functions/declaration.ts';
import type { Caller, Operation } from '../../shared/api/operation.ts';
import { corsFor } from '../cors.ts';
import type { HubConfig } from '../stage.ts';
import { ApiDomain } from './api-domain.ts';
import { EdgeDistribution } from './edge-distribution.ts';
import { permissionsIn, permitFirst } from './permit-first.ts';

/**
 * Fields of the access log. The query string, the path and the user agent are left out, as they can hold passwords,
 * tokens and e-mail addresses. The caller's address is left out, as API Gateway cannot truncate it; the functions log
 * it truncated with the same request id.
 */
const ACCESS_LOG_FIELDS = {
  requestId: '$context.requestId',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLatency: '$context.responseLatency',
  integrationStatus: '$context.integrationStatus',
  integrationError: '$context.integrationErrorMessage',
};

/** Reasons for routes without an authorizer, by caller. */
const UNAUTHORIZED_BECAUSE: Readonly<Record<Exclude<Caller, 'integrator'>, string>> = {
  anyone: 'Open by contract: the caller has no credential yet or sends it as a parameter.',
  user: 'By contract, user_id is the credential. The function checks it, and a session if one is sent.',
  deploy_key: 'By contract, keygen is the credential. The function checks it, and a session if one is sent.',
  session: 'The session is a cookie or a bearer token. The function checks both.',
};

type Throttle = HubConfig['throttle']['api'];

const corsPreflightOf = ({ corsOrigins }: HubConfig) => {
  const { allowOrigins, allowMethods, allowHeaders, exposeHeaders, allowCredentials, maxAgeS } =
    corsFor(corsOrigins);
  return {
    allowOrigins: [...allowOrigins],
    allowMethods: allowMethods.map((method) => CorsHttpMethod[method]),
    allowHeaders: [...allowHeaders],
    exposeHeaders: [...exposeHeaders],
    allowCredentials,
    maxAge: Duration.seconds(maxAgeS),
  };
};

/**
 * HTTP API with its stage, throttles and access log. Each operation has a route to its function. Without a `$default`
 * route, API Gateway itself answers unknown paths and preflights.
 */
export class HubApi extends Construct {
  readonly httpApi: HttpApi;
  /** Public address without a trailing slash. */
  readonly url: string;
  /** Distribution in front of the API. */
  readonly edge: EdgeDistribution | undefined;
  readonly #stage: CfnStage;
  readonly #routeSettings: Record<string, unknown> = {};
  readonly #authorizers = new Map<Caller, HttpLambdaAuthorizer>();

  /** @param webAclArn web ACL of the distribution, if the stage has one. */
  constructor(scope: Construct, id: string, config: HubConfig, webAclArn?: string) {
    super(scope, id);
    this.httpApi = new HttpApi(this, 'HttpApi', {
      apiName: `strategy-hub-${config.stage}`,
      createDefaultStage: false,
      // The distribution reaches the API by this address.
      disableExecuteApiEndpoint: config.domain !== undefined && config.edge === undefined,
      ...(config.corsOrigins.length > 0 && { corsPreflight: corsPreflightOf(config) }),
    });
    const accessLog = new LogGroup(this, 'AccessLog', {
      // With this prefix, CloudWatch needs no resource policy per log group; their number is limited.
      // The stack's id makes the name unique. The log group is retained when the stack is deleted, so a fixed name
      // would block creating the stack again.
      logGroupName: `/aws/vendedlogs/strategy-hub-${config.stage}/access-${Fn.select(2, Fn.split('/', Aws.STACK_ID))}`,
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    this.edge =
      config.edge && config.domain && webAclArn !== undefined
        ? new EdgeDistribution(this, 'Edge', {
            stage: config.stage,
            edge: config.edge,
            domainName: config.domain.name,
            apiId: this.httpApi.apiId,
            webAclArn,
          })
        : undefined;
    const domain =
      config.domain &&
      new ApiDomain(this, 'Domain', {
        ...config.domain,
        distribution: config.edge?.leads ? this.edge?.distribution : undefined,
      });
    this.url = config.domain
      ? `https://${config.domain.name}`
      : (config.publicUrl ?? this.httpApi.apiEndpoint);
    const stage = new HttpStage(this, 'Stage', {
      httpApi: this.httpApi,
      stageName: '$default',
      autoDeploy: true,
      throttle: config.throttle.api,
      ...(domain && { domainMapping: { domainName: domain.domainName } }),
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_FIELDS)),
      },
    });
    const { defaultChild } = stage.node;
    if (!(defaultChild instanceof CfnStage)) throw new Error('the stage of an HTTP API is not a CfnStage');
    this.#stage = defaultChild;
  }

  /** Sets a throttle for each of these routes. The routes must exist. */
  throttle(operations: readonly Operation[], { rateLimit, burstLimit }: Throttle): void {
    for (const { routeKey } of operations) {
      this.#routeSettings[routeKey] = { ThrottlingRateLimit: rateLimit, ThrottlingBurstLimit: burstLimit };
    }
    this.#stage.routeSettings = this.#routeSettings;
  }

  /** Makes a function the authorizer for a kind of caller. */
  authorize({ caller, cacheTtlS }: AuthorizerSource, handler: IFunction): void {
    const authorizer = new HttpLambdaAuthorizer('Authorizer', handler, {
      authorizerName: caller,
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      identitySource: ['$request.header.Authorization'],
      resultsCacheTtl: Duration.seconds(cacheTtlS),
    });
    this.#authorizers.set(caller, authorizer);
  }

  /** Routes the operations of a group to its function. Call {@link authorize} first. */
  route(operations: readonly Operation[], handler: IFunction): void {
    const integration = new HttpLambdaIntegration('Integration', handler, {
      // Grants one permission per function, as one per route would exceed the size of a function's policy. Its source
      // ARN `<api>/*/*/*` matches routes with a method and a path, but not `<api>/<stage>/$default`.
      scopePermissionToRoute: false,
    });
    for (const { name, method, path, caller } of operations) {
      const authorizer = this.#authorizers.get(caller);
      const route = new HttpRoute(this, name, {
        httpApi: this.httpApi,
        routeKey: HttpRouteKey.with(path, HttpMethod[method]),
        integration,
        ...(authorizer && { authorizer }),
      });
      // CloudFormation refuses a stage with settings for a route that does not exist yet.
      this.#stage.node.addDependency(route);
      this.#permitIntegration(route);
      if (authorizer) {
        this.#permitAuthorizers();
        continue;
      }
      if (caller === 'integrator') throw new Error(`${name} has no authorizer`);
      Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: UNAUTHORIZED_BECAUSE[caller] });
    }
  }

  /** Permits the integration of a group, which its first route holds, before it invokes the function. */
  #permitIntegration(route: HttpRoute): void {
    const integration = route.node.findAll().find((part) => part instanceof CfnIntegration);
    if (integration) permitFirst(permissionsIn(route)[0], integration);
  }

  /** Permits the authorizers, which the API holds, before they invoke the function. */
  #permitAuthorizers(): void {
    const authorizer = this.httpApi.node.findAll().find((part) => part instanceof CfnAuthorizer);
    const sourceArn = Stack.of(this).formatArn({
      service: 'execute-api',
      resource: this.httpApi.apiId,
      resourceName: 'authorizers/*',
    });
    permitFirst(permissionsIn(this.httpApi)[0], authorizer, sourceArn);
  }
}
