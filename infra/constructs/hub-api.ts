import { Aws, Duration, Fn, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
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
import type { HubConfig } from '../config.ts';
import { corsFor } from '../cors.ts';
import { ApiDomain } from './api-domain.ts';

/**
 * No query string, path or user agent: they carry passwords, tokens and e-mails. No address either: API Gateway knows
 * only the whole one. The functions log it truncated, under the same request id.
 */
const ACCESS_LOG_FIELDS = {
  requestId: '$context.requestId',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLatency: '$context.responseLatency',
  integrationStatus: '$context.integrationStatus',
  integrationError: '$context.integrationErrorMessage',
};

/** Why API Gateway itself authorizes no caller of the route. */
const UNAUTHORIZED_BECAUSE: Readonly<Record<Exclude<Caller, 'integrator'>, string>> = {
  anyone: 'Open by contract: its caller has no credential yet, or presents one as a parameter.',
  user: 'The contract has user_id for the credential; the function checks it and a session that comes along.',
  deploy_key: 'The contract has keygen for the credential; the function checks it and a session.',
  session: 'The session is a cookie or a bearer token, and the function checks either.',
};

type Throttle = HubConfig['throttle']['api'];

const corsOf = ({ corsOrigins }: HubConfig) => {
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
 * The HTTP API: its stage, throttles and access log. Operations are routed to functions one by one. API Gateway
 * answers unknown paths and preflights itself: there is no `$default` route.
 */
export class HubApi extends Construct {
  readonly httpApi: HttpApi;
  /** Where clients reach it, without a trailing slash. */
  readonly url: string;
  readonly #stage: CfnStage;
  readonly #routeSettings: Record<string, unknown> = {};
  readonly #authorizers = new Map<Caller, HttpLambdaAuthorizer>();

  constructor(scope: Construct, id: string, config: HubConfig) {
    super(scope, id);
    this.httpApi = new HttpApi(this, 'HttpApi', {
      apiName: `strategy-hub-${config.stage}`,
      createDefaultStage: false,
      disableExecuteApiEndpoint: config.domain !== undefined,
      ...(config.corsOrigins.length > 0 && { corsPreflight: corsOf(config) }),
    });
    const accessLog = new LogGroup(this, 'AccessLog', {
      // Under this prefix, CloudWatch needs no resource policy per log group, of which there may be few.
      // The stack's id makes the name unique: the log outlives its stack, and must not stop it from being made again.
      logGroupName: `/aws/vendedlogs/strategy-hub-${config.stage}/access-${Fn.select(2, Fn.split('/', Aws.STACK_ID))}`,
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    const domain = config.domain && new ApiDomain(this, 'Domain', config.domain);
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
    if (!(defaultChild instanceof CfnStage)) throw new Error('the stage of an HTTP API is no CfnStage');
    this.#stage = defaultChild;
  }

  /** Bounds every one of these routes, which are there already, on its own. */
  throttle(operations: readonly Operation[], { rateLimit, burstLimit }: Throttle): void {
    for (const { routeKey } of operations) {
      this.#routeSettings[routeKey] = { ThrottlingRateLimit: rateLimit, ThrottlingBurstLimit: burstLimit };
    }
    this.#stage.routeSettings = this.#routeSettings;
  }

  /** Has a function asked before requests of a kind of caller pass. */
  authorize({ caller, cacheTtlS }: AuthorizerSource, handler: IFunction): void {
    const authorizer = new HttpLambdaAuthorizer('Authorizer', handler, {
      authorizerName: caller,
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      identitySource: ['$request.header.Authorization'],
      resultsCacheTtl: Duration.seconds(cacheTtlS),
    });
    this.#authorizers.set(caller, authorizer);
  }

  /** Routes a group's operations to its function, behind the authorizers that are there. */
  route(operations: readonly Operation[], handler: IFunction): void {
    const integration = new HttpLambdaIntegration('Integration', handler, {
      // Grants one permission per function: one per route would not fit into a function's policy. Its source ARN,
      // `<api>/*/*/*`, matches a route with a method and a path, and would not match `<api>/<stage>/$default`.
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
      // A stage with settings for a route that is not there yet is refused.
      this.#stage.node.addDependency(route);
      if (authorizer) continue;
      if (caller === 'integrator') throw new Error(`no authorizer stands in front of ${name}`);
      Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: UNAUTHORIZED_BECAUSE[caller] });
    }
  }
}
