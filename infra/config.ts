import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { CoreSettings, IdentityProvider } from '../shared/settings.ts';

/** What is set per stage. */
export interface HubConfig {
  /** Part of the stacks' and the bus's names. */
  readonly stage: string;
  /**
   * Where clients reach the API when it is not API Gateway's own address, without a trailing slash. It
   * is the tokens' issuer: setting or changing it signs everybody out.
   */
  readonly publicUrl?: string;
  /** Web apps that may call the API from a browser. None: no CORS. */
  readonly corsOrigins: readonly string[];
  readonly sessionPolicy: CoreSettings['HUB_SESSION_POLICY'];
  /** The sender of mails; SES must have verified the address's domain in the account. */
  readonly mailFrom: { readonly name: string; readonly address: string };
  readonly identityProviders: readonly IdentityProvider[];
  /** Partner C's authorization server, where there is one; our client's secret there is in the secrets. */
  readonly partnerC?: {
    readonly issuer: string;
    readonly clientId: string;
    /** Separated by blanks. */
    readonly scope: string;
  };
  /** As which broker of the catalogue a connection to partner C shows. */
  readonly partnerCBroker: { readonly id: number; readonly name: string };
  /** Checks `cf_token`s: an endpoint of the siteverify protocol. */
  readonly challengeUrl: string;
  /** An endpoint of the GA4 Measurement Protocol. */
  readonly analyticsUrl: string;
  readonly measurementId: string;
  readonly logRetentionDays: RetentionDays;
  /** Requests per second that the API takes in all, and how many at one instant. */
  readonly throttle: { readonly rateLimit: number; readonly burstLimit: number };
}

const common = {
  identityProviders: [],
  partnerCBroker: { id: 103, name: 'Partner C' },
  challengeUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  analyticsUrl: 'https://www.google-analytics.com/mp/collect',
} as const;

/**
 * The stages. The domains, which are of the reserved .example, and the measurement ids are to be set to the
 * account's own before the first deployment.
 */
export const STAGES: readonly HubConfig[] = [
  {
    ...common,
    stage: 'dev',
    corsOrigins: ['http://localhost:5173'],
    sessionPolicy: 'optional',
    mailFrom: { name: 'Strategy Hub (dev)', address: 'no-reply@dev.strategy-hub.example' },
    measurementId: 'G-DEV',
    logRetentionDays: 14,
    throttle: { rateLimit: 100, burstLimit: 200 },
  },
  {
    ...common,
    stage: 'prod',
    corsOrigins: ['https://app.strategy-hub.example'],
    sessionPolicy: 'require',
    mailFrom: { name: 'Strategy Hub', address: 'no-reply@strategy-hub.example' },
    measurementId: 'G-PROD',
    logRetentionDays: 90,
    throttle: { rateLimit: 2_000, burstLimit: 4_000 },
  },
];

/** The name of a stage's event bus. */
export const busName = ({ stage }: Pick<HubConfig, 'stage'>): string => `strategy-hub-${stage}`;
