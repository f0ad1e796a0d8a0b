import * as z from 'zod';
import { HUB_SOURCE } from '../shared/domain/deployments/event-source.ts';
import { isOrigin } from './cors.ts';
import { BadSetting } from './settings-check.ts';

/** What CloudWatch Logs can keep a log for. */
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
  error: 'an address has no slash at its end',
});

/** An execution engine: the source of its events, and the roles or users that put them on the bus. */
const engine = z.strictObject({
  source: z
    .string()
    .regex(/^[A-Za-z0-9._/-]{1,128}$/)
    .refine((source) => source !== HUB_SOURCE && !source.startsWith('aws.'), {
      error: `an engine cannot use the source ${HUB_SOURCE} or one that begins with aws.`,
    }),
  principals: z.array(z.string().regex(/^arn:aws[a-z-]*:iam::\d{12}:(role|user)\/./)).min(1),
});

const stageSchema = z
  .strictObject({
    /** Part of the names of the stacks, the functions, the bus and the alarms. */
    stage: z.string().regex(/^[a-z][a-z0-9-]{0,15}$/),
    /**
     * Whether real users and money depend on the stage. Then it needs an address for alarms, engines, and an address
     * of its own: synthesis fails without.
     */
    production: z.boolean(),
    /** Where the stage is deployed; unset, the region of whoever deploys it. */
    region: z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+)+-\d$/)
      .optional(),
    /**
     * Where clients reach the API when it is neither API Gateway's own address nor `domain`: a proxy of your
     * own. It is the tokens' issuer: setting or changing it signs everybody out.
     */
    publicUrl: address.optional(),
    /**
     * A domain of your own for the API, with its certificate in the same region. With the hosted zone, its
     * records are made as well. The tokens' issuer, like `publicUrl`; API Gateway's own address is closed.
     */
    domain: z
      .strictObject({
        name: z.hostname(),
        certificateArn: z.string().regex(/^arn:aws:acm:/),
        zone: z.strictObject({ id: z.string().min(1), name: z.hostname() }).optional(),
      })
      .optional(),
    /** Web apps that may call the API from a browser. None: no CORS. */
    corsOrigins: z.array(z.string().refine(isOrigin, { error: 'an origin is like https://app.example.com' })),
    /** `require`: a user-scoped operation needs a session, not only the user_id. */
    sessionPolicy: z.enum(['optional', 'require']),
    /** The sender of mails; SES must have verified the address's domain in the account. */
    mailFrom: z.strictObject({ name: z.string().min(1), address: z.email() }),
    /** OpenID providers for `/auth/idp`, in the form of HUB_IDENTITY_PROVIDERS. */
    identityProviders: z.array(z.record(z.string(), z.unknown())),
    /** Issuers beside ourselves whose access tokens integrators may present, in the form of HUB_TRUSTED_ISSUERS. */
    trustedIssuers: z.array(z.record(z.string(), z.unknown())),
    /** Partner C's authorization server, where there is one; our client's secret there is in the secrets. */
    partnerC: z
      .strictObject({
        issuer: z.url(),
        clientId: z.string().min(1),
        /** Separated by blanks. */
        scope: z.string(),
      })
      .optional(),
    /** As which broker of the catalogue a connection to partner C shows. */
    partnerCBroker: z.strictObject({ id: z.int().positive(), name: z.string().min(1) }),
    /** Checks `cf_token`s: an endpoint of the siteverify protocol. */
    challengeUrl: z.url(),
    /** An endpoint of the GA4 Measurement Protocol. */
    analyticsUrl: z.url(),
    measurementId: z.string().min(1),
    /** Firebase Cloud Messaging, and where its access tokens come from. */
    fcmUrl: z.url(),
    fcmTokenUrl: z.url(),
    /** Whom a web push service turns to about what we send: a `mailto:` or https address. */
    webPushSubject: z.url({ protocol: /^(mailto|https)$/ }),
    /**
     * Encrypts the table under a key of the account instead of one that DynamoDB owns: reads and writes then
     * show in CloudTrail as uses of the key, and closing the key closes the table. Needs `region`.
     */
    customerKey: z.boolean(),
    /** A table that was restored from a backup and takes the place of the stage's own (infra/README.md, Restore). */
    restoredTable: z
      .strictObject({
        name: z.string().min(3),
        streamArn: z.string().regex(/^arn:aws:dynamodb:.+\/stream\//),
      })
      .optional(),
    /**
     * The execution engines of the stage. Events of other sources are not taken, and only an engine's own
     * principals can use its source.
     */
    engines: z.array(engine).refine((all) => new Set(all.map(({ source }) => source)).size === all.length, {
      error: 'a source is listed twice',
    }),
    logRetentionDays: z.literal(LOG_RETENTION_DAYS),
    throttle: z.strictObject({
      /** All requests of the API together. */
      api: throttle,
      /** Every route of these groups; the routes of others are bounded by `api` alone. */
      groups: z.record(z.string(), throttle),
    }),
    /**
     * Whether functions are held to the concurrency that the manifest allows them. A new account may run
     * ten functions at a time and can reserve none of that: ask for more first.
     */
    reserveConcurrency: z.boolean(),
    alarms: z.strictObject({
      /** Who is told by mail. The address has to confirm; without one the topic has no subscriber. */
      email: z.email().optional(),
      /** The 99th percentile of the API's latency that is too slow. */
      latencyMs: z.int().positive(),
    }),
  })
  .refine(({ publicUrl, domain }) => publicUrl === undefined || domain === undefined, {
    error: 'publicUrl and domain exclude each other',
  })
  .refine(({ customerKey, region }) => !customerKey || region !== undefined, {
    error: 'customerKey needs the region',
  });

/** What is set per stage. */
export type HubConfig = Readonly<z.output<typeof stageSchema>>;

const common = {
  identityProviders: [],
  trustedIssuers: [],
  partnerCBroker: { id: 103, name: 'Partner C' },
  challengeUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  analyticsUrl: 'https://www.google-analytics.com/mp/collect',
  fcmUrl: 'https://fcm.googleapis.com',
  fcmTokenUrl: 'https://oauth2.googleapis.com/token',
  customerKey: false,
  engines: [],
};

/** Checks a stage's settings. Throws a ZodError that names every one which does not fit. */
export const defineStage = (settings: z.input<typeof stageSchema>): HubConfig => stageSchema.parse(settings);

/** What a production stage still lacks. */
const missingIn = ({ production, alarms, engines, domain, publicUrl }: HubConfig): string[] =>
  production
    ? [
        ...(alarms.email === undefined ? ['alarms.email (who is told of alarms)'] : []),
        ...(engines.length === 0 ? ['engines (whose events are taken)'] : []),
        ...(domain === undefined && publicUrl === undefined
          ? ['domain or publicUrl (an address that does not change with the API)']
          : []),
      ]
    : [];

/** Checks that production stages are complete. Throws BadSetting, which names all that they lack. */
export const requireComplete = (stages: readonly HubConfig[]): void => {
  const problems = stages.flatMap((stage) => {
    const missing = missingIn(stage);
    return missing.length === 0
      ? []
      : [`infra/config.ts, stage ${stage.stage}: a production stage needs ${missing.join(', ')}.`];
  });
  if (problems.length > 0) throw new BadSetting(problems.join('\n'));
};

/**
 * The stages. The domains, which are of the reserved .example, and the measurement ids are to be set to the
 * account's own before the first deployment.
 */
export const STAGES: readonly HubConfig[] = [
  defineStage({
    ...common,
    stage: 'dev',
    production: false,
    corsOrigins: ['http://localhost:5173'],
    sessionPolicy: 'optional',
    mailFrom: { name: 'Strategy Hub (dev)', address: 'no-reply@dev.strategy-hub.example' },
    measurementId: 'G-DEV',
    webPushSubject: 'mailto:operations@dev.strategy-hub.example',
    logRetentionDays: 14,
    throttle: {
      api: { rateLimit: 100, burstLimit: 200 },
      groups: { 'user-access': { rateLimit: 20, burstLimit: 40 }, docs: { rateLimit: 20, burstLimit: 40 } },
    },
    reserveConcurrency: false,
    alarms: { latencyMs: 5_000 },
  }),
  defineStage({
    ...common,
    stage: 'prod',
    production: true,
    corsOrigins: ['https://app.strategy-hub.example'],
    sessionPolicy: 'require',
    mailFrom: { name: 'Strategy Hub', address: 'no-reply@strategy-hub.example' },
    measurementId: 'G-PROD',
    webPushSubject: 'mailto:operations@strategy-hub.example',
    logRetentionDays: 90,
    throttle: {
      api: { rateLimit: 2_000, burstLimit: 4_000 },
      groups: {
        // Passwords cost CPU, codes cost money, and both are what is guessed at.
        'user-access': { rateLimit: 200, burstLimit: 400 },
        partners: { rateLimit: 200, burstLimit: 400 },
        analytics: { rateLimit: 500, burstLimit: 1_000 },
        docs: { rateLimit: 50, burstLimit: 100 },
        users: { rateLimit: 50, burstLimit: 100 },
      },
    },
    reserveConcurrency: true,
    alarms: { latencyMs: 3_000 },
  }),
];

/** The name of a stage's event bus. */
export const busName = ({ stage }: Pick<HubConfig, 'stage'>): string => `strategy-hub-${stage}`;

/** The name of a function in a stage. */
export const functionName = ({ stage }: Pick<HubConfig, 'stage'>, name: string): string =>
  `strategy-hub-${stage}-${name}`;
