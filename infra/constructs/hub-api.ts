import { Duration, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CorsHttpMethod,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Caller, Operation } from '../../shared/api/operation.ts';
import type { HubConfig } from '../config.ts';
import { corsFor } from '../cors.ts';

/** No query string, path, user agent or address: they carry passwords, tokens and e-mails. */
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
  session: 'The session is a cookie or a bearer token, and the function checks either.',
};

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

/** The HTTP API: its stage, throttle and access log. Operations are routed to functions one by one. */
export class HubApi extends Construct {
  readonly httpApi: HttpApi;

  constructor(scope: Construct, id: string, config: HubConfig) {
    super(scope, id);
    this.httpApi = new HttpApi(this, 'HttpApi', {
      apiName: `strategy-hub-${config.stage}`,
      createDefaultStage: false,
      ...(config.corsOrigins.length > 0 && { corsPreflight: corsOf(config) }),
    });
    const accessLog = new LogGroup(this, 'AccessLog', {
      // Under this prefix, CloudWatch needs no resource policy per log group, of which there may be few.
      logGroupName: `/aws/vendedlogs/strategy-hub-${config.stage}/access`,
      retention: config.logRetentionDays,
    });
    new HttpStage(this, 'Stage', {
      httpApi: this.httpApi,
      stageName: '$default',
      autoDeploy: true,
      throttle: config.throttle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_FIELDS)),
      },
    });
  }

  /** Routes a group's operations to its function. */
  route(operations: readonly Operation[], handler: IFunction): void {
    const integration = new HttpLambdaIntegration('Integration', handler, {
      // One permission per function: one per route would not fit into a function's policy.
      scopePermissionToRoute: false,
    });
    for (const { name, method, path, caller } of operations) {
      if (caller === 'integrator') throw new Error(`no authorizer stands in front of ${name}`);
      const route = new HttpRoute(this, name, {
        httpApi: this.httpApi,
        routeKey: method === 'ANY' ? HttpRouteKey.DEFAULT : HttpRouteKey.with(path, HttpMethod[method]),
        integration,
      });
      Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: UNAUTHORIZED_BECAUSE[caller] });
    }
  }
}
