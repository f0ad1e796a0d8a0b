import * as z from 'zod';
import { ASSET_CLASSES } from './domain/instruments/instruments.ts';
import { TIMEFRAMES } from './domain/strategies/strategies.ts';

const json = () =>
  z.string().transform((text, { addIssue }): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      addIssue('value is not JSON');
      return z.NEVER;
    }
  });

/** Requests of each class per window: reading, writing, and work that costs much. */
const quotas = () => z.strictObject({ read: z.int().min(1), write: z.int().min(1), work: z.int().min(1) });

/** Schema of the rate limits: requests in a window, of one credential, and of one network without a known credential. */
export const rateLimits = () =>
  z.strictObject({ window_s: z.int().min(1).max(3600), credential: quotas(), network: quotas() });

export type RateLimits = z.output<ReturnType<typeof rateLimits>>;

/** Settings of every function. */
const core = z.object({
  HUB_TABLE: z.string().min(1),
  HUB_STAGE: z.string().min(1),
  /** Public address of the API without a trailing slash. Also the issuer of tokens. */
  HUB_PUBLIC_URL: z.url(),
  /** With `require`, an operation of a user needs a session, not only the user_id. */
  HUB_SESSION_POLICY: z.enum(['optional', 'require']).default('optional'),
  /** Origins of the web apps that may call the API from a browser, separated by commas. */
  HUB_CORS_ORIGINS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((origin) => origin.trim() || [])),
  /** Secrets Manager id of the service's secrets. */
  HUB_SECRET_ID: z.string().min(1),
  /** Rate limits as JSON; null if there are none. */
  HUB_RATE_LIMITS: z
    .string()
    .default('')
    .transform((text) => text || 'null')
    .pipe(json())
    .pipe(rateLimits().nullable()),
  /**
   * A distribution in front of the API, which tells the addresses of callers. With `locked`, requests around it are
   * refused; with `open`, they count for the address that sends them.
   */
  HUB_EDGE: z.enum(['off', 'open', 'locked']).default('off'),
  /** Secrets Manager id of the secret by which requests through the distribution are known. */
  HUB_EDGE_SECRET_ID: z.string().default(''),
  /** With `on`, answers have the times of their parts in Server-Timing. */
  HUB_SERVER_TIMING: z.enum(['off', 'on']).default('off'),
});

/** Creates a schema at its first use, as most functions have few capabilities. */
const once = <S extends z.ZodType>(make: () => S) => {
  let made: S | undefined;
  const schema = (): S => {
    made ??= make();
    return made;
  };
  return { schema, read: (environment: Environment): z.output<S> => schema().parse(environment) };
};

/** Allowed signature algorithms. HMAC is not allowed, so that a public key cannot be used as its secret. */
const algorithms = () => z.array(z.enum(['RS256', 'PS256', 'ES256', 'EdDSA'])).min(1);

const provider = () =>
  z.object({
    provider: z.string().min(1),
    name: z.string().min(1),
    issuer: z.url(),
    /** Audience that an ID token must have. */
    client_id: z.string().min(1),
    algorithms: algorithms(),
  });

export type IdentityProvider = z.output<ReturnType<typeof provider>>;

/** Address that secrets are sent to. Requires TLS except for loopback. */
const secureUrl = () =>
  z.url().refine((text) => /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/]|$))/.test(text), {
    error: 'the URL must use https',
  });

/** Feed of bars: the source of its events, and the exchanges whose instruments it may price. */
const feed = () =>
  z.object({
    source: z.string().min(1),
    exchanges: z.array(z.string().min(1)).min(1),
    /** True if the licence allows showing the candles to users. */
    display: z.boolean(),
  });

export type Feed = z.output<ReturnType<typeof feed>>;

const trustedIssuer = () =>
  z.object({
    /** `iss` of its tokens. */
    issuer: secureUrl(),
    /** Address of its public keys. */
    jwks_uri: secureUrl(),
    algorithms: algorithms(),
    /** Sub-domain of the broker by `sub`. A `sub` acts only for its broker. */
    subjects: z.record(z.string(), z.string()),
  });

export type TrustedIssuer = z.output<ReturnType<typeof trustedIssuer>>;

const pulledFeed = () =>
  z.strictObject({
    /** Part of the source of its events, `hub-feed.<name>`. */
    name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
    provider: z.enum(['alpaca', 'binance']),
    /** Base address, instead of the provider's. */
    url: secureUrl().optional(),
    /** Instruments that it prices: those of these asset classes on these exchanges of the catalogue. */
    asset_classes: z.array(z.enum(ASSET_CLASSES)).min(1),
    exchanges: z.array(z.string().min(1)).min(1),
    /** Symbols of the provider by symbol of the catalogue, for those that do not follow from the instrument. */
    symbols: z.record(z.string(), z.string().regex(/^[\w./:-]{1,32}$/)).default({}),
    /** Quote currencies of the provider by those of the catalogue, such as USDT for USD. */
    quotes: z.record(z.string(), z.string().regex(/^\w{1,20}$/)).default({}),
    /** Feed of shares of Alpaca. */
    stock_feed: z.enum(['iex', 'sip']).default('iex'),
    /** Seconds by which the subscription delays prices. */
    delay_s: z.int().min(0).max(86_400).default(0),
    /** True if the licence allows showing the candles to users. */
    display: z.boolean(),
    /** Series that are pulled even when no program uses them. One that is not stored begins with recent bars. */
    follow: z
      .array(z.strictObject({ symbol: z.string().min(1), timeframe: z.enum(TIMEFRAMES).exclude(['1w']) }))
      .max(100)
      .default([]),
    /** True if nothing is pulled before a user of the service has switched the feed on. For one machine only. */
    switched: z.boolean().default(false),
  });

/** A feed whose bars the hub pulls from a provider. */
export type PulledFeed = z.output<ReturnType<typeof pulledFeed>>;

/** Schema of the feeds that the hub pulls. */
export const pulledFeeds = () =>
  z.array(pulledFeed()).refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
    error: 'a feed is listed twice',
  });

/**
 * Resources that a function may use in addition to the table. Only functions whose operations declare a capability get
 * its settings and, on AWS, its permissions.
 */
const capabilities = {
  challenge: once(() => z.object({ HUB_CHALLENGE_URL: z.url() })),
  analytics: once(() =>
    z.object({ HUB_ANALYTICS_URL: z.url(), HUB_ANALYTICS_MEASUREMENT_ID: z.string().min(1) }),
  ),
  identity: once(() =>
    z.object({
      HUB_IDENTITY_PROVIDERS: json().pipe(z.array(provider())),
    }),
  ),
  /** Other issuers whose access tokens integrators may use. */
  issuers: once(() =>
    z.object({
      HUB_TRUSTED_ISSUERS: json().pipe(
        z
          .array(trustedIssuer())
          .refine((all) => new Set(all.map(({ issuer: one }) => one)).size === all.length, {
            error: 'an issuer is listed twice',
          }),
      ),
    }),
  ),
  mail: once(() =>
    z.object({
      HUB_MAIL_FROM: z.string().min(3),
      /** Configuration set of SES, which reports bounces and complaints; empty for none. */
      HUB_MAIL_CONFIGURATION_SET: z.string().default(''),
    }),
  ),
  sms: once(() => z.object({})),
  /** Bus for domain events. */
  bus: once(() => z.object({ HUB_BUS: z.string().min(1) })),
  /** Bus for the reports of execution adapters. */
  reports: once(() => z.object({ HUB_BUS: z.string().min(1) })),
  /** Addresses of the queues that new messages of the outbox are handed to, by lane. */
  queues: once(() =>
    z.object({
      HUB_QUEUES: json().pipe(z.record(z.string(), z.string().min(1))),
    }),
  ),
  feeds: once(() =>
    z.object({
      /** Feeds whose bars are taken. `*` takes any source for any exchange; for one machine only. */
      HUB_FEEDS: z.union([z.literal('*'), json().pipe(z.array(feed()))]),
    }),
  ),
  /** Sources of candles that track records are made of, separated by commas; a star at the end takes any rest. */
  references: once(() =>
    z.object({
      HUB_REFERENCE_SOURCES: z
        .string()
        .transform((list) => list.split(',').flatMap((source) => source.trim() || [])),
    }),
  ),
  /** With `on`, recorded candles can be replayed: the local service feeds them. */
  replays: once(() => z.object({ HUB_REPLAYS: z.enum(['on', 'off']) })),
  /** Feeds that the hub pulls from providers. */
  marketData: once(() => z.object({ HUB_MARKET_DATA: json().pipe(pulledFeeds()) })),
  /** Authorization server (OAuth 2.0) of partner C; the issuer is empty if there is none. */
  partnerc: once(() =>
    z.object({
      HUB_PARTNERC_ISSUER: z.union([z.literal(''), secureUrl()]),
      HUB_PARTNERC_CLIENT_ID: z.string(),
      /** Separated by spaces. */
      HUB_PARTNERC_SCOPE: z.string(),
      /** Broker id of a connection in the broker list of its user. */
      HUB_PARTNERC_BROKER_ID: z.string().regex(/^\d+$/).transform(Number),
      HUB_PARTNERC_NAME: z.string().min(1),
    }),
  ),
  /** Trading APIs of the brokers of execution adapters: of live accounts, and of paper accounts. */
  execution: once(() =>
    z.object({
      HUB_ALPACA_URL: secureUrl(),
      HUB_ALPACA_PAPER_URL: secureUrl(),
      HUB_BINANCE_URL: secureUrl(),
      HUB_BINANCE_PAPER_URL: secureUrl(),
    }),
  ),
  push: once(() =>
    z.object({
      /** Firebase Cloud Messaging (HTTP v1) and the endpoint for its access tokens. */
      HUB_FCM_URL: secureUrl(),
      HUB_FCM_TOKEN_URL: secureUrl(),
      /** Contact for web push services: a `mailto:` or https address (RFC 8292). */
      HUB_WEB_PUSH_SUBJECT: z.string().regex(/^(mailto:|https:\/\/)./),
      /** Allowed endpoints of web push subscriptions: public ones over https, or only those on this machine. */
      HUB_WEB_PUSH_REACH: z.enum(['internet', 'loopback']),
    }),
  ),
  /** Allowed webhook endpoints: public ones over https, or only those on this machine. */
  webhooks: once(() => z.object({ HUB_WEBHOOK_REACH: z.enum(['internet', 'loopback']) })),
  /** User that checks the service from outside, the secret with its password, and a symbol for its backtests. */
  probe: once(() =>
    z.object({
      HUB_PROBE_EMAIL: z.email(),
      HUB_PROBE_SECRET_ID: z.string().min(1),
      /** Empty for no backtests. */
      HUB_PROBE_SYMBOL: z.string().default(''),
    }),
  ),
  /** Id or ARN of the KMS key that encrypts texts in the table. */
  encryption: once(() => z.object({ HUB_DATA_KEY_ID: z.string().min(1) })),
} as const;

export type Capability = keyof typeof capabilities;
export type CapabilitySettings = {
  readonly [C in Capability]: z.output<ReturnType<(typeof capabilities)[C]['schema']>>;
};
export type CoreSettings = z.output<typeof core>;

type Environment = Readonly<Record<string, string | undefined>>;

const readers: {
  readonly [C in Capability]: { readonly read: (environment: Environment) => CapabilitySettings[C] };
} = capabilities;

export const CAPABILITIES = Object.keys(capabilities).filter(
  (name): name is Capability => name in capabilities,
);

/** Returns the names of the environment variables of a function with these capabilities. */
export const environmentNames = (uses: Iterable<Capability>): string[] => [
  ...Object.keys(core.shape),
  ...[...new Set(uses)].flatMap((capability) => Object.keys(capabilities[capability].schema().shape)),
];

/** Reads the settings of every function. @throws ZodError for a missing or invalid setting. */
export const readCoreSettings = (environment: Environment): CoreSettings => core.parse(environment);

/**
 * Reads the settings of a capability.
 *
 * @throws ZodError if the function has no such capability, because no operation declares it.
 */
export const readCapability = <C extends Capability>(
  capability: C,
  environment: Environment,
): CapabilitySettings[C] => readers[capability].read(environment);
