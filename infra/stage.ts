import * as z from 'zod';
import { pulledSource } from '../shared/domain/candles/pulled-bars.ts';
import { HUB_SOURCES } from '../shared/domain/deployments/event-source.ts';
import { problemsOf } from '../shared/domain/issue-texts.ts';
import { pulledFeeds, rateLimits } from '../shared/settings.ts';
import { isOrigin } from './cors.ts';
import { unknownExchanges } from './exchanges.ts';
import { canSend } from './mail-identity.ts';
import { BadSettingError } from './settings-check.ts';

/** Retention times that CloudWatch Logs supports. */
const LOG_RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

const throttle = z.strictObject({
  /** Requests per second. */
  rateLimit: z.int().positive(),
  /** Requests at one instant. */
  burstLimit: z.int().positive(),
});

const address = z.url({ protocol: /^https$/ }).refine((text) => !text.endsWith('/'), {
  error: 'an address must not end with a slash',
});

const source = z
  .string()
  .regex(/^[A-Za-z0-9._/-]{1,128}$/)
  .refine((name) => !HUB_SOURCES.includes(name) && !name.startsWith('aws.'), {
    error: `the sources ${HUB_SOURCES.join(' and ')} and those that begin with aws. are not for others`,
  });

/** IAM roles or users that put events on the bus. */
const principals = z.array(z.string().regex(/^arn:aws[a-z-]*:iam::\d{12}:(role|user)\/./)).min(1);

/** Execution engine: the source of its events, and its principals. */
const engine = z.strictObject({ source, principals });

/** Feed of bars: the source of its events, its principals, and the exchanges whose instruments it may price. */
const feed = z.strictObject({
  source: source.refine((name) => !name.startsWith(pulledSource({ name: '' })), {
    error: `sources that begin with ${pulledSource({ name: '' })} are those of marketData`,
  }),
  principals,
  exchanges: z.array(z.string().min(1).max(64)).min(1),
  /** True if the licence allows showing the candles to users. */
  display: z.boolean(),
});

const stageSchema = z
  .strictObject({
    /** Part of the names of stacks, functions, the bus and alarms. */
    stage: z.string().regex(/^[a-z][a-z0-9-]{0,15}$/),
    /**
     * True if real users and money depend on the stage. Then synthesis fails without `alarms.email`, `engines`,
     * `mailFrom.dailyQuota`, and `domain` or `publicUrl`.
     */
    production: z.boolean(),
    /** AWS region; by default the region of the AWS profile that deploys. */
    region: z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+)+-\d$/)
      .optional(),
    /**
     * Public address if clients reach the API through your own proxy, and not by `domain` or the address of API
     * Gateway. It is the issuer of tokens: setting or changing it signs all users out.
     */
    publicUrl: address.optional(),
    /**
     * Custom domain of the API, with a certificate in the same region. With `zone`, the DNS record is created as well.
     * Like `publicUrl`, it is the issuer of tokens. The address of API Gateway is disabled.
     */
    domain: z
      .strictObject({
        name: z.hostname(),
        certificateArn: z.string().regex(/^arn:aws:acm:/),
        zone: z.strictObject({ id: z.string().min(1), name: z.hostname() }).optional(),
      })
      .optional(),
    /**
     * CloudFront with a web ACL in front of the API (infra/DEPLOY.md, Edge). Needs `region` and `domain`, whose name then
     * leads to the distribution.
     */
    edge: z
      .strictObject({
        /** Certificate of the domain in us-east-1. */
        certificateArn: z.string().regex(/^arn:aws:acm:us-east-1:/),
        /** Raise it after a new version of the header's secret, so that CloudFormation hands it to the distribution. */
        revision: z.int().positive().default(1),
        /** Refuses requests around the distribution. Begin with false, until the domain leads to it everywhere. */
        locked: z.boolean(),
        /**
         * The name leads to the distribution. Deploy once with false before you unset `edge`: with `domain.zone`, the name
         * then leads to the API, while the distribution still answers those who have the old address.
         */
        leads: z.boolean().default(true),
        /** Requests of one address in five minutes: all, and those that check a password or send a code. */
        perAddress: z.strictObject({ all: z.int().min(10), signIn: z.int().min(10) }),
      })
      .optional(),
    /** Origins of web apps that may call the API from a browser. Empty: no CORS. */
    corsOrigins: z.array(
      z.string().refine(isOrigin, { error: 'an origin has the form https://app.example.com' }),
    ),
    /** With `require`, an operation of a user needs a session, not only the user_id. */
    sessionPolicy: z.enum(['optional', 'require']),
    /** Sender of e-mails, and the identity of SES that proves it. */
    mailFrom: z
      .strictObject({
        name: z.string().min(1),
        address: z.email(),
        /** Verified identity: the domain of the address (by default), a parent domain, or the address. */
        identity: z.string().optional(),
        /**
         * True if the stack creates the identity; one stage of an account can. By default it has to exist. It stays
         * when the stack is deleted.
         */
        createIdentity: z.boolean().optional(),
        /** Mails in 24 hours that SES allows the account in the region. An alarm goes off at 80 %. */
        dailyQuota: z.int().positive().optional(),
      })
      .refine(({ address, identity }) => identity === undefined || canSend(identity, address), {
        error: 'identity must be the address, its domain or a parent domain',
      }),
    /** OpenID providers for `/auth/idp`, in the format of HUB_IDENTITY_PROVIDERS. */
    identityProviders: z.array(z.record(z.string(), z.unknown())),
    /** Other issuers whose access tokens integrators may use, in the format of HUB_TRUSTED_ISSUERS. */
    trustedIssuers: z.array(z.record(z.string(), z.unknown())),
    /** Authorization server of partner C. The client secret is in the secret of the service. */
    partnerC: z
      .strictObject({
        issuer: z.url(),
        clientId: z.string().min(1),
        /** Scopes separated by spaces. */
        scope: z.string(),
      })
      .optional(),
    /** Broker of the catalogue that represents a connection to partner C. */
    partnerCBroker: z.strictObject({ id: z.int().positive(), name: z.string().min(1) }),
    /** Endpoint of the siteverify protocol that verifies `cf_token`. */
    challengeUrl: z.url(),
    /** Endpoint of the GA4 Measurement Protocol. */
    analyticsUrl: z.url(),
    measurementId: z.string().min(1),
    /** Trading API of Alpaca: of live accounts, and of paper accounts. */
    alpacaUrl: address,
    alpacaPaperUrl: address,
    /** Spot API of Binance: of live accounts, and of the testnet. */
    binanceUrl: address,
    binancePaperUrl: address,
    /** Firebase Cloud Messaging and the endpoint for its access tokens. */
    fcmUrl: z.url(),
    fcmTokenUrl: z.url(),
    /** Contact for web push services: a `mailto:` or https address. */
    webPushSubject: z.url({ protocol: /^(mailto|https)$/ }),
    /**
     * Encrypts the table with a KMS key of the account instead of one that DynamoDB owns. CloudTrail then records uses
     * of the key, and disabling the key makes the table unreadable. Needs `region`.
     */
    customerKey: z.boolean(),
    /** Restored table that replaces the table of the stage (infra/RESTORE.md, Restore). */
    restoredTable: z
      .strictObject({
        name: z.string().min(3),
        streamArn: z.string().regex(/^arn:aws:dynamodb:.+\/stream\//),
      })
      .optional(),
    /**
     * Copies a backup of the table each day to a vault of another account of the organization, which this account
     * cannot delete (infra/RESTORE.md, Backups in another account).
     */
    backupCopies: z
      .strictObject({
        vaultArn: z.string().regex(/^arn:aws:backup:[a-z0-9-]+:\d{12}:backup-vault:[A-Za-z0-9_-]+$/),
        /** Days for which the other account keeps a copy. */
        keepDays: z.int().min(7),
      })
      .optional(),
    /**
     * User that checks the service from outside every three minutes (infra/OPERATE.md, Canary). It is registered at the
     * first check, with a password that the stack generates. Nobody should know the address: wrong passwords for it lock
     * the checks out. Without it, only users notice that the service cannot be reached.
     */
    canary: z
      .strictObject({
        email: z.email(),
        /** Symbol with daily candles, for a backtest each hour. */
        symbol: z.string().min(1).optional(),
      })
      .optional(),
    /**
     * Execution engines of the stage. Events of other sources are ignored, and only the principals of an engine can use
     * its source.
     */
    engines: z.array(engine),
    /**
     * Feeds of bars. Bars of other sources are ignored, and so are those of a feed for instruments of other exchanges
     * than it names. Empty: bars come from the hub's own functions only.
     */
    feeds: z.array(feed),
    /**
     * Feeds that the hub pulls from providers of market data, in the format of HUB_MARKET_DATA
     * (functions/jobs/market-data/README.md). Without any, no provider is called and the function is not deployed.
     */
    marketData: pulledFeeds(),
    /** Sources of the candles that track records are made of, never those of an author's broker; `hub-feed.*`: all pulled feeds. */
    referenceSources: z.array(z.string().regex(/^[^,]+$/)).default(['hub-feed.*']),
    /** Exchanges of your catalogue that the hub does not know, so that feeds may name them. */
    ownExchanges: z.array(z.string().min(1).max(64)).default([]),
    logRetentionDays: z.literal(LOG_RETENTION_DAYS),
    throttle: z.strictObject({
      /** Limit for all requests together. */
      api: throttle,
      /** Limits for each route of a group, by group. Routes of other groups have only the limit `api`. */
      groups: z.record(z.string(), throttle),
    }),
    /**
     * Limits of one caller, in the format of HUB_RATE_LIMITS. Each instance of a function counts alone, so a caller
     * whose requests reach several may send a multiple. Without it, only `throttle` holds.
     */
    rateLimits: rateLimits().optional(),
    /** Shows the times of the parts of an answer in Server-Timing, also to strangers. */
    serverTiming: z.boolean(),
    /**
     * Reserves the concurrency of the manifest for each function. A new AWS account has a quota of ten concurrent
     * executions and cannot reserve any, so raise the quota first.
     */
    reserveConcurrency: z.boolean(),
    alarms: z.strictObject({
      /** E-mail address that alarms are sent to. It must confirm the subscription. Without it, the topic has no subscriber. */
      email: z.email().optional(),
      /** Milliseconds in which 99 % of the requests of a group of operations must be answered. */
      latencyMs: z.int().positive(),
      /** The same for groups that hash passwords or run backtests. */
      heavyLatencyMs: z.int().positive(),
      /** Address of the folder with this project's pages, for links to the runbook. Without it, alarms name the page. */
      pages: z
        .url({ protocol: /^https$/ })
        .transform((folder) => (folder.endsWith('/') ? folder : `${folder}/`))
        .optional(),
    }),
    /**
     * Shift of traffic to a new version of a function: `canary` gives it a tenth for five minutes and rolls it back if
     * it fails, `at_once` gives it everything.
     */
    shift: z.enum(['canary', 'at_once']),
    /** Log level of the functions. The log metrics of alarms need warnings. */
    logLevel: z.enum(['DEBUG', 'INFO', 'WARN']),
  })
  .refine(({ publicUrl, domain }) => publicUrl === undefined || domain === undefined, {
    error: 'publicUrl and domain exclude each other',
  })
  .refine(
    ({ engines, feeds }) =>
      new Set([...engines, ...feeds].map((one) => one.source)).size === engines.length + feeds.length,
    { error: 'a source is listed twice' },
  )
  .refine(({ edge, region, domain }) => !edge || (region !== undefined && domain !== undefined), {
    error: 'edge needs the region and the domain',
  })
  .superRefine((stage, context) => {
    for (const issue of unknownExchanges(stage)) {
      context.addIssue({ code: 'custom', ...issue, path: [...issue.path] });
    }
  })
  .refine(({ edge }) => !edge?.locked || edge.leads, {
    error: 'edge.locked must be false, and deployed, before edge.leads is false',
  })
  .refine(({ production, sessionPolicy }) => !production || sessionPolicy === 'require', {
    path: ['sessionPolicy'],
    error: 'a production stage requires sessions: a user_id in an address is no credential',
  })
  .refine(({ customerKey, region }) => !customerKey || region !== undefined, {
    error: 'customerKey needs the region',
  });

/** Configuration of a stage. */
export type HubConfig = Readonly<z.output<typeof stageSchema>>;

/**
 * Validates the configuration of a stage.
 *
 * @throws BadSettingError with all invalid settings.
 *
 * @example
 * defineStage({
 *   ...common,
 *   stage: 'test',
 *   production: false,
 *   corsOrigins: ['http://localhost:5173'],
 *   sessionPolicy: 'optional',
 *   mailFrom: { name: 'Strategy Hub (test)', address: 'no-reply@test.strategy-hub.example' },
 *   measurementId: 'G-TEST',
 *   webPushSubject: 'mailto:operations@test.strategy-hub.example',
 *   logRetentionDays: 14,
 *   logLevel: 'INFO',
 *   shift: 'at_once',
 *   throttle: { api: { rateLimit: 100, burstLimit: 200 }, groups: {} },
 *   reserveConcurrency: false,
 *   alarms: { latencyMs: 2_000, heavyLatencyMs: 5_000 },
 * });
 */
export const defineStage = (settings: z.input<typeof stageSchema>): HubConfig => {
  const { data, error } = stageSchema.safeParse(settings);
  if (data) return data;
  const problems = problemsOf(error, settings).map(
    (problem) => `infra/config.ts, stage ${settings.stage}: ${problem}.`,
  );
  throw new BadSettingError(problems.join('\n'));
};
