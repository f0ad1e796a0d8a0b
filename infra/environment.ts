import { type Capability, environmentNames } from '../shared/settings.ts';
import { busName, configurationSetName } from './names.ts';
import { checkCapabilities } from './settings-check.ts';
import type { HubConfig } from './stage.ts';

/** Settings that are known only during synthesis. */
export interface Places {
  readonly tableName: string;
  readonly secretId: string;
  readonly dataKeyId: string;
  /** Secret of the header of requests through the distribution; empty without `edge`. */
  readonly edgeSecretId: string;
  /** Secret with the password of the probe user; empty without `canary`. */
  readonly probeSecretId: string;
  readonly publicUrl: string;
  /** Addresses of the queues by lane. */
  readonly queueUrls: Readonly<Record<string, string>>;
}

/** Returns how requests arrive. Functions without requests have no secret for it. */
const edgeOf = ({ edge }: HubConfig, { edgeSecretId }: Places): 'off' | 'open' | 'locked' =>
  !edge || edgeSecretId === '' ? 'off' : edge.locked ? 'locked' : 'open';

const settingsOf = (config: HubConfig, places: Places): Readonly<Record<string, string>> => ({
  HUB_TABLE: places.tableName,
  HUB_STAGE: config.stage,
  HUB_PUBLIC_URL: places.publicUrl,
  HUB_SESSION_POLICY: config.sessionPolicy,
  HUB_CORS_ORIGINS: config.corsOrigins.join(','),
  HUB_SECRET_ID: places.secretId,
  HUB_RATE_LIMITS: config.rateLimits ? JSON.stringify(config.rateLimits) : '',
  HUB_EDGE: edgeOf(config, places),
  HUB_EDGE_SECRET_ID: places.edgeSecretId,
  HUB_SERVER_TIMING: config.serverTiming ? 'on' : 'off',
  HUB_CHALLENGE_URL: config.challengeUrl,
  HUB_ANALYTICS_URL: config.analyticsUrl,
  HUB_ANALYTICS_MEASUREMENT_ID: config.measurementId,
  HUB_TRUSTED_ISSUERS: JSON.stringify(config.trustedIssuers),
  HUB_IDENTITY_PROVIDERS: JSON.stringify(config.identityProviders),
  HUB_BUS: busName(config),
  HUB_QUEUES: JSON.stringify(places.queueUrls),
  HUB_FEEDS: JSON.stringify(config.feeds.map(({ principals: _, ...feed }) => feed)),
  HUB_REFERENCE_SOURCES: config.referenceSources.join(','),
  HUB_PARTNERC_ISSUER: config.partnerC?.issuer ?? '',
  HUB_PARTNERC_CLIENT_ID: config.partnerC?.clientId ?? '',
  HUB_PARTNERC_SCOPE: config.partnerC?.scope ?? '',
  HUB_PARTNERC_BROKER_ID: String(config.partnerCBroker.id),
  HUB_PARTNERC_NAME: config.partnerCBroker.name,
  HUB_ALPACA_URL: config.alpacaUrl,
  HUB_ALPACA_PAPER_URL: config.alpacaPaperUrl,
  HUB_BINANCE_URL: config.binanceUrl,
  HUB_BINANCE_PAPER_URL: config.binancePaperUrl,
  HUB_FCM_URL: config.fcmUrl,
  HUB_FCM_TOKEN_URL: config.fcmTokenUrl,
  HUB_WEB_PUSH_SUBJECT: config.webPushSubject,
  HUB_WEB_PUSH_REACH: 'internet',
  HUB_WEBHOOK_REACH: 'internet',
  HUB_DATA_KEY_ID: places.dataKeyId,
  HUB_PROBE_EMAIL: config.canary?.email ?? '',
  HUB_PROBE_SYMBOL: config.canary?.symbol ?? '',
  HUB_PROBE_SECRET_ID: places.probeSecretId,
  HUB_REPLAYS: 'off',
  HUB_MARKET_DATA: JSON.stringify(config.marketData),
  HUB_MAIL_CONFIGURATION_SET: configurationSetName(config),
  HUB_MAIL_FROM: `${config.mailFrom.name} <${config.mailFrom.address}>`,
});

/**
 * Builds the environment of a function with these capabilities.
 *
 * @throws Error for a setting without a value in {@link settingsOf}.
 * @throws BadSettingError for a value that the function could not read.
 */
export const environmentFor = (
  uses: readonly Capability[],
  config: HubConfig,
  places: Places,
): Record<string, string> => {
  const settings = settingsOf(config, places);
  const environment = Object.fromEntries(
    environmentNames(uses).map((name) => {
      const value = settings[name];
      if (value === undefined) throw new Error(`infra/environment.ts has no value for ${name}`);
      return [name, value];
    }),
  );
  // Core settings are not checked here. Some are known only to CloudFormation, the others are validated in the config.
  checkCapabilities(uses, environment);
  return environment;
};
