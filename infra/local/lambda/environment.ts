import { devNull } from 'node:os';
import type { FunctionDeclaration } from '../../../functions/declaration.ts';
import { RELAYED_LANES, type RelayedLane, runsInTurn } from '../../../shared/data/outbox/lanes.ts';
import {
  type Capability,
  environmentNames,
  type RateLimits,
  readCapability,
} from '../../../shared/settings.ts';
import { STAGES } from '../../config.ts';
import { isOrigin } from '../../cors.ts';
import { unknownExchanges } from '../../exchanges.ts';
import { configurationSetName, functionName } from '../../names.ts';
import { BadSettingError, checkSettings } from '../../settings-check.ts';
import { ACCOUNT } from '../account.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Ids of the service's resources on this machine. */
export const LOCAL = {
  stage: 'local',
  table: 'strategy-hub-local',
  secretId: 'strategy-hub/local',
  probeSecretId: 'strategy-hub/local-probe',
  bus: 'strategy-hub-local',
  dataKeyId: 'alias/strategy-hub-local',
} as const;

/** Endpoints that the functions call. */
export interface Addresses {
  readonly publicUrl: string;
  readonly dynamodb: string;
  /** SES, SNS, SQS, Secrets Manager and stand-ins of the engine. */
  readonly aws: string;
  readonly bus: string;
}

const DEFAULT_REGION = 'eu-west-1';

export const regionOf = ({ AWS_REGION, AWS_DEFAULT_REGION }: Environment): string =>
  AWS_REGION || AWS_DEFAULT_REGION || DEFAULT_REGION;

/**
 * Returns the user's credentials for their own database, otherwise invalid ones, so that the local engine cannot act on
 * an AWS account by accident.
 */
export const credentialsOf = (environment: Environment) => {
  const { HUB_DYNAMODB_ENDPOINT, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  if (!HUB_DYNAMODB_ENDPOINT || !AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    return { accessKeyId: 'local', secretAccessKey: 'local' };
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
};

/** HUB_CORS_ORIGINS holds a text that is not an origin. */
export class BadOriginError extends Error {
  constructor(text: string) {
    super(
      `HUB_CORS_ORIGINS is a comma-separated list of origins like http://localhost:5173; ${text} is none.`,
    );
    this.name = 'BadOrigin';
  }
}

/** Returns the origins that may call the API from a browser; by default those of the stage `dev`. */
export const corsOriginsOf = ({ HUB_CORS_ORIGINS }: Environment): readonly string[] => {
  if (!HUB_CORS_ORIGINS) return STAGES.find(({ stage }) => stage === 'dev')?.corsOrigins ?? [];
  const origins = HUB_CORS_ORIGINS.split(',').map((origin) => origin.trim());
  const bad = origins.find((origin) => !isOrigin(origin));
  if (bad !== undefined) throw new BadOriginError(bad === '' ? 'an empty entry' : bad);
  return origins;
};

/** Shows the headers of rate limits and refuses nobody, as all callers share one network. */
const LOCAL_RATE_LIMITS: RateLimits = {
  window_s: 10,
  credential: { read: 1_000_000, write: 1_000_000, work: 1_000_000 },
  network: { read: 1_000_000, write: 1_000_000, work: 1_000_000 },
};

/** Returns the name of the queue of a lane. */
export const queueName = (lane: RelayedLane): string =>
  `strategy-hub-${LOCAL.stage}-${lane}${runsInTurn(lane) ? '.fifo' : ''}`;

const queueUrls = (aws: string): string =>
  JSON.stringify(
    Object.fromEntries(RELAYED_LANES.map((lane) => [lane, `${aws}/${ACCOUNT}/${queueName(lane)}`])),
  );

const localSettings = ({ publicUrl, aws }: Addresses): Environment => ({
  HUB_STAGE: LOCAL.stage,
  HUB_TABLE: LOCAL.table,
  HUB_SECRET_ID: LOCAL.secretId,
  HUB_PUBLIC_URL: publicUrl,
  HUB_SESSION_POLICY: 'optional',
  HUB_CORS_ORIGINS: corsOriginsOf({}).join(','),
  HUB_RATE_LIMITS: JSON.stringify(LOCAL_RATE_LIMITS),
  HUB_SERVER_TIMING: 'off',
  HUB_EDGE: 'off',
  HUB_EDGE_SECRET_ID: '',
  HUB_CHALLENGE_URL: `${aws}/turnstile/v0/siteverify`,
  HUB_ANALYTICS_URL: `${aws}/mp/collect`,
  HUB_QUEUES: queueUrls(aws),
  HUB_FEEDS: '*',
  HUB_ANALYTICS_MEASUREMENT_ID: 'G-LOCAL',
  HUB_BUS: LOCAL.bus,
  HUB_IDENTITY_PROVIDERS: '[]',
  HUB_TRUSTED_ISSUERS: '[]',
  HUB_MAIL_CONFIGURATION_SET: configurationSetName(LOCAL),
  HUB_MAIL_FROM: 'Strategy Hub <no-reply@localhost>',
  HUB_PARTNERC_ISSUER: '',
  HUB_PARTNERC_CLIENT_ID: 'strategy-hub',
  HUB_PARTNERC_SCOPE: 'openid offline_access',
  HUB_PARTNERC_BROKER_ID: '103',
  HUB_PARTNERC_NAME: 'Partner C',
  HUB_ALPACA_URL: 'https://api.alpaca.markets',
  HUB_ALPACA_PAPER_URL: 'https://paper-api.alpaca.markets',
  HUB_BINANCE_URL: 'https://api.binance.com',
  HUB_BINANCE_PAPER_URL: 'https://testnet.binance.vision',
  HUB_FCM_URL: aws,
  HUB_FCM_TOKEN_URL: `${aws}/oauth2/token`,
  HUB_WEB_PUSH_SUBJECT: 'mailto:operations@strategy-hub.example',
  HUB_WEB_PUSH_REACH: 'loopback',
  HUB_WEBHOOK_REACH: 'loopback',
  HUB_DATA_KEY_ID: LOCAL.dataKeyId,
  HUB_MARKET_DATA: '[]',
  HUB_REPLAYS: 'on',
  HUB_REFERENCE_SOURCES: 'hub-feed.*,demo-market,QuantConnect Lean',
  HUB_PROBE_EMAIL: 'canary@hub.example',
  HUB_PROBE_SECRET_ID: LOCAL.probeSecretId,
  HUB_PROBE_SYMBOL: 'AAPL',
});

/** Settings that the engine sets itself and that the user cannot change. */
const FIXED = new Set([
  'HUB_STAGE',
  'HUB_TABLE',
  'HUB_SECRET_ID',
  'HUB_DATA_KEY_ID',
  'HUB_QUEUES',
  'HUB_PROBE_SECRET_ID',
  'HUB_REPLAYS',
]);

/** Returns the user's value of a setting, or else the local one. */
const settingOf = (name: string, addresses: Addresses, environment: Environment): string | undefined => {
  const local = localSettings(addresses)[name];
  return FIXED.has(name) ? local : environment[name] || local;
};

const awsVariables = (
  { name, memoryMb }: Pick<FunctionDeclaration, 'name' | 'memoryMb'>,
  { dynamodb, aws, bus }: Addresses,
  environment: Environment,
): Environment => {
  const { accessKeyId, secretAccessKey, sessionToken } = {
    sessionToken: undefined,
    ...credentialsOf(environment),
  };
  return {
    AWS_REGION: regionOf(environment),
    // The files of a developer's AWS CLI must not change the service.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_ENDPOINT_URL_SESV2: aws,
    AWS_ENDPOINT_URL_SNS: aws,
    AWS_ENDPOINT_URL_SQS: aws,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: aws,
    AWS_ENDPOINT_URL_KMS: aws,
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus,
    AWS_LAMBDA_FUNCTION_NAME: functionName(LOCAL, name),
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  };
};

const powertools = (environment: Environment): Environment => ({
  POWERTOOLS_METRICS_DISABLED: 'true',
  POWERTOOLS_LOG_LEVEL: 'WARN',
  ...Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('POWERTOOLS_'))),
});

/** Refuses feeds of exchanges that no stage knows, as synthesis does for one stage. @throws BadSettingError */
const checkExchanges = (uses: readonly Capability[], given: Environment): void => {
  const feeds = uses.includes('feeds') ? readCapability('feeds', given).HUB_FEEDS : '*';
  const [problem] = unknownExchanges({
    feeds: feeds === '*' ? [] : feeds,
    marketData: uses.includes('marketData') ? readCapability('marketData', given).HUB_MARKET_DATA : [],
    ownExchanges: STAGES.flatMap(({ ownExchanges }) => ownExchanges),
  });
  if (!problem) return;
  const [setting, ...place] = problem.path;
  const name = setting === 'feeds' ? 'HUB_FEEDS' : 'HUB_MARKET_DATA';
  throw new BadSettingError(`${[name, ...place].join('.')}: ${problem.message}`);
};

/**
 * Builds the same variables that a function has on AWS, with local values.
 *
 * @throws BadSettingError for a value that the function could not read.
 */
export const functionEnvironment = (
  declared: Pick<FunctionDeclaration, 'name' | 'uses' | 'memoryMb'>,
  addresses: Addresses,
  environment: Environment,
): Record<string, string> => {
  const settings = environmentNames(declared.uses).map((name): [string, string | undefined] => [
    name,
    settingOf(name, addresses, environment),
  ]);
  const all = {
    ...awsVariables(declared, addresses, environment),
    ...powertools(environment),
    ...Object.fromEntries(settings),
  };
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(all)) if (value !== undefined) given[name] = value;
  checkSettings(declared.uses, given);
  checkExchanges(declared.uses, given);
  return given;
};
