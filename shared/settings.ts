import * as z from 'zod';

/** What every function is told by its environment. */
const core = z.object({
  HUB_TABLE: z.string().min(1),
  HUB_STAGE: z.string().min(1),
  /** The address under which clients reach the API, without a trailing slash; issuer of the tokens. */
  HUB_PUBLIC_URL: z.url(),
  /** `require`: a user-scoped operation needs a session, not only the user_id. */
  HUB_SESSION_POLICY: z.enum(['optional', 'require']).default('optional'),
  /** Origins of the web apps that may call the API from a browser, separated by commas. */
  HUB_CORS_ORIGINS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((origin) => origin.trim() || [])),
  /** Secrets Manager id of the service's secrets. */
  HUB_SECRET_ID: z.string().min(1),
});

/** Makes a schema when it is first used: most functions have few capabilities. */
const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** What a token may be signed with: nothing that a public key could be mistaken for a secret of. */
const algorithms = () => z.array(z.enum(['RS256', 'PS256', 'ES256', 'EdDSA'])).min(1);

const json = () =>
  z.string().transform((text, { addIssue }): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      addIssue('it is not JSON');
      return z.NEVER;
    }
  });

const provider = () =>
  z.object({
    provider: z.string().min(1),
    name: z.string().min(1),
    issuer: z.url(),
    /** The audience that an ID token must name. */
    client_id: z.string().min(1),
    algorithms: algorithms(),
  });

export type IdentityProvider = z.output<ReturnType<typeof provider>>;

/** An address that secrets go to: only loopback may do without TLS. */
const secureUrl = () =>
  z.url().refine((text) => /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/]|$))/.test(text), {
    error: 'it is reached by https',
  });

const trustedIssuer = () =>
  z.object({
    /** The `iss` of its tokens. */
    issuer: secureUrl(),
    /** Where its keys are published. */
    jwks_uri: secureUrl(),
    algorithms: algorithms(),
    /** Which broker, by its sub-domain, a `sub` of the issuer speaks for: it speaks for no other. */
    subjects: z.record(z.string(), z.string()),
  });

export type TrustedIssuer = z.output<ReturnType<typeof trustedIssuer>>;

/**
 * What a function may use beyond the table. Each capability brings its settings into the environment
 * (and, on AWS, its permission) of the functions whose operations declare it, and of no others.
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
  /** Issuers beside ourselves whose access tokens integrators may present. */
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
  mail: once(() => z.object({ HUB_MAIL_FROM: z.string().min(3) })),
  sms: once(() => z.object({})),
  /** The bus that domain events go out on. */
  bus: once(() => z.object({ HUB_BUS: z.string().min(1) })),
  /** Partner C's authorization server (OAuth 2.0), where there is one. */
  partnerc: once(() =>
    z.object({
      HUB_PARTNERC_ISSUER: z.union([z.literal(''), secureUrl()]),
      HUB_PARTNERC_CLIENT_ID: z.string(),
      /** Separated by blanks. */
      HUB_PARTNERC_SCOPE: z.string(),
      /** As which broker a connection shows among those of a user. */
      HUB_PARTNERC_BROKER_ID: z.string().regex(/^\d+$/).transform(Number),
      HUB_PARTNERC_NAME: z.string().min(1),
    }),
  ),
  push: once(() =>
    z.object({
      /** Firebase Cloud Messaging (HTTP v1), and where its access tokens come from. */
      HUB_FCM_URL: secureUrl(),
      HUB_FCM_TOKEN_URL: secureUrl(),
      /** Whom a web push service turns to about what we send: a `mailto:` or https address (RFC 8292). */
      HUB_WEB_PUSH_SUBJECT: z.string().regex(/^(mailto:|https:\/\/)./),
      /** Which endpoints of web push subscriptions are called: public ones by https, or this machine's alone. */
      HUB_WEB_PUSH_REACH: z.enum(['internet', 'loopback']),
    }),
  ),
  /** Texts that the table keeps sealed: the key, by its id or ARN. */
  encryption: once(() => z.object({ HUB_DATA_KEY_ID: z.string().min(1) })),
} as const;

export type Capability = keyof typeof capabilities;
export type CapabilitySettings = {
  readonly [C in Capability]: z.output<ReturnType<(typeof capabilities)[C]>>;
};
export type CoreSettings = z.output<typeof core>;

type Environment = Readonly<Record<string, string | undefined>>;

const readers: { readonly [C in Capability]: (environment: Environment) => CapabilitySettings[C] } = {
  challenge: (environment) => capabilities.challenge().parse(environment),
  analytics: (environment) => capabilities.analytics().parse(environment),
  identity: (environment) => capabilities.identity().parse(environment),
  issuers: (environment) => capabilities.issuers().parse(environment),
  mail: (environment) => capabilities.mail().parse(environment),
  sms: (environment) => capabilities.sms().parse(environment),
  bus: (environment) => capabilities.bus().parse(environment),
  partnerc: (environment) => capabilities.partnerc().parse(environment),
  push: (environment) => capabilities.push().parse(environment),
  encryption: (environment) => capabilities.encryption().parse(environment),
};

/** Every capability that a function may use. */
export const CAPABILITIES = Object.keys(capabilities).filter(
  (name): name is Capability => name in capabilities,
);

/** The names of the environment variables that a function with these capabilities is given. */
export const environmentNames = (uses: Iterable<Capability>): string[] => [
  ...Object.keys(core.shape),
  ...[...new Set(uses)].flatMap((capability) => Object.keys(capabilities[capability]().shape)),
];

/** Reads the settings that every function has. Throws where the environment does not hold them. */
export const readCoreSettings = (environment: Environment): CoreSettings => core.parse(environment);

/**
 * Reads the settings of one capability. Throws in a function that was not given it: an operation that
 * uses a capability declares it.
 */
export const readCapability = <C extends Capability>(
  capability: C,
  environment: Environment,
): CapabilitySettings[C] => readers[capability](environment);
