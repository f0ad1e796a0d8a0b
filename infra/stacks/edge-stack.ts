import { Stack, type StackProps } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { OPERATIONS } from '../../functions/operations.ts';
import type { HubConfig } from '../stage.ts';

interface EdgeStackProps extends StackProps {
  readonly stage: string;
  readonly edge: NonNullable<HubConfig['edge']>;
}

/** Seconds over which requests of an address are counted. */
const WINDOW_S = 300;
/** Longest expression that AWS WAF takes. */
const MAX_REGEX = 512;

/** Errors of operations that check a password or a code, or send a code. */
const GUESSED: ReadonlySet<string> = new Set([
  'too_many_attempts',
  'too_many_codes',
  'credentials_invalid',
  'code_invalid',
]);

/** Paths at which passwords and codes can be guessed, or messages be caused. */
export const SIGN_IN_PATHS: readonly string[] = [
  ...new Set(
    OPERATIONS.flatMap(({ path, errors }) => (errors.some((code) => GUESSED.has(code)) ? [path] : [])),
  ),
].sort();

/** Shows counts only. Samples of requests would hold query strings, in which the contract has passwords and tokens. */
const counted = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});

/** Refuses as the service does beyond a quota. */
const tooMany: CfnWebACL.RuleActionProperty = {
  block: {
    customResponse: {
      responseCode: 429,
      responseHeaders: [{ name: 'retry-after', value: String(WINDOW_S) }],
      customResponseBodyKey: 'too-many',
    },
  },
};

const perAddress = (
  limit: number,
  scopeDownStatement?: CfnWebACL.StatementProperty,
): CfnWebACL.StatementProperty => ({
  rateBasedStatement: {
    limit,
    evaluationWindowSec: WINDOW_S,
    aggregateKeyType: 'IP',
    ...(scopeDownStatement && { scopeDownStatement }),
  },
});

const managed = (name: string): CfnWebACL.StatementProperty => ({
  managedRuleGroupStatement: { vendorName: 'AWS', name },
});

const isSignIn = (): CfnWebACL.StatementProperty => {
  const regexString = `^(${SIGN_IN_PATHS.join('|')})$`;
  if (regexString.length > MAX_REGEX) throw new Error('the paths of sign-ins do not fit into one rule');
  return {
    regexMatchStatement: {
      regexString,
      fieldToMatch: { uriPath: {} },
      // The gateway decodes paths, too.
      textTransformations: [{ priority: 0, type: 'URL_DECODE' }],
    },
  };
};

/** Web ACL of the distribution. It must be in us-east-1. */
export class EdgeStack extends Stack {
  readonly webAclArn: string;

  constructor(scope: Construct, id: string, { stage, edge, ...props }: EdgeStackProps) {
    super(scope, id, props);
    const { all, signIn } = edge.perAddress;
    const acl = new CfnWebACL(this, 'WebAcl', {
      name: `strategy-hub-${stage}`,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: counted('all'),
      customResponseBodies: {
        'too-many': {
          contentType: 'APPLICATION_JSON',
          content: JSON.stringify({
            detail: 'Too many requests. Wait, and send fewer at a time.',
            code: 'rate_limited',
          }),
        },
      },
      // For the case that somebody turns logs or samples on.
      dataProtectionConfig: {
        dataProtections: [
          { field: { fieldType: 'QUERY_STRING' }, action: 'SUBSTITUTION' },
          { field: { fieldType: 'BODY' }, action: 'SUBSTITUTION' },
          {
            field: { fieldType: 'SINGLE_HEADER', fieldKeys: ['authorization', 'cookie'] },
            action: 'SUBSTITUTION',
          },
        ],
      },
      rules: [
        {
          name: 'sign-in-per-address',
          priority: 0,
          statement: perAddress(signIn, isSignIn()),
          action: tooMany,
          visibilityConfig: counted('sign-in-per-address'),
        },
        {
          name: 'all-per-address',
          priority: 1,
          statement: perAddress(all),
          action: tooMany,
          visibilityConfig: counted('all-per-address'),
        },
        {
          name: 'reputation',
          priority: 2,
          statement: managed('AWSManagedRulesAmazonIpReputationList'),
          overrideAction: { none: {} },
          visibilityConfig: counted('reputation'),
        },
        {
          // Counts only: rules, strategies and passwords look like what it refuses.
          name: 'common',
          priority: 3,
          statement: managed('AWSManagedRulesCommonRuleSet'),
          overrideAction: { count: {} },
          visibilityConfig: counted('common'),
        },
      ],
    });
    this.webAclArn = acl.attrArn;
  }
}
