import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { EDGE_HEADER } from '../../shared/api/edge.ts';
import { type EdgeState, edgeParameter } from '../names.ts';
import type { HubConfig } from '../stage.ts';

interface EdgeDistributionProps {
  readonly stage: string;
  readonly edge: NonNullable<HubConfig['edge']>;
  /** Public name of the service. */
  readonly domainName: string;
  readonly apiId: string;
  /** Web ACL, which is in us-east-1. */
  readonly webAclArn: string;
}

/**
 * Errors that CloudFront keeps for ten seconds otherwise, for all requests with the same key. An error depends on the
 * caller and the moment.
 */
const ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504] as const;
/** Longer than the 30 seconds after which the gateway gives up. */
const READ_TIMEOUT = Duration.seconds(35);

/** CloudFront in front of the API, with the web ACL. Keeps only the files of the console and of the documentation. */
export class EdgeDistribution extends Construct {
  readonly distribution: Distribution;
  /** Secret of the header that proves the way. */
  readonly secret: Secret;

  constructor(scope: Construct, id: string, props: EdgeDistributionProps) {
    super(scope, id);
    const { stage, edge, domainName, apiId, webAclArn } = props;
    this.secret = new Secret(this, 'Secret', {
      description: 'Header by which requests through the distribution are known',
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'edge_key',
        passwordLength: 48,
        excludePunctuation: true,
      },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'CloudFront takes a new value only with a deployment, so an operator decides when.',
    });
    const state: EdgeState = edge.leads ? 'leads' : 'left';
    new StringParameter(this, 'State', {
      parameterName: edgeParameter({ stage }),
      description: 'Whether the name of the service leads to the distribution. A release reads it.',
      stringValue: state,
    });
    const { region, urlSuffix } = Stack.of(this);
    const origin = new HttpOrigin(`${apiId}.execute-api.${region}.${urlSuffix}`, {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      readTimeout: READ_TIMEOUT,
      // CloudFormation puts the value in; the template has a reference.
      customHeaders: { [EDGE_HEADER]: this.secret.secretValueFromJson('edge_key').unsafeUnwrap() },
    });
    const files: BehaviorOptions = {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      cachePolicy: new CachePolicy(this, 'Files', {
        comment: 'Files for as long as their Cache-Control says',
        minTtl: Duration.seconds(0),
        defaultTtl: Duration.seconds(0),
        maxTtl: Duration.days(365),
        enableAcceptEncodingGzip: true,
      }),
    };
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `Strategy Hub ${stage}, revision ${edge.revision}`,
      domainNames: [domainName],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', edge.certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      webAclId: webAclArn,
      // Logs would hold query strings, in which the contract has passwords and tokens.
      enableLogging: false,
      defaultBehavior: {
        origin,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        // Nearly all answers say no-store. Requests that wait for the same answer share it, so the key has all that
        // answers depend on; a policy without caching would have the path only.
        cachePolicy: new CachePolicy(this, 'Answers', {
          comment: 'Answers of one caller are never those of another',
          minTtl: Duration.seconds(0),
          defaultTtl: Duration.seconds(0),
          maxTtl: Duration.seconds(1),
          queryStringBehavior: CacheQueryStringBehavior.all(),
          cookieBehavior: CacheCookieBehavior.all(),
          headerBehavior: CacheHeaderBehavior.allowList(
            'Authorization',
            'Accept',
            'Origin',
            'Sec-Fetch-Site',
            'Last-Event-ID',
          ),
          enableAcceptEncodingGzip: true,
        }),
      },
      additionalBehaviors: { '/console/*': files, '/docs/*': files },
      errorResponses: ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    Validations.of(this.distribution).acknowledge(
      { id: 'AwsSolutions-CFR1', reason: 'The service is for users of all countries.' },
      {
        id: 'AwsSolutions-CFR3',
        reason:
          'Logs would hold query strings, in which the contract has passwords and tokens. Functions log requests.',
      },
    );
  }
}
