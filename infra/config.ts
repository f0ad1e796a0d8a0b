import { defineStage, type HubConfig } from './stage.ts';

const common = {
  identityProviders: [],
  trustedIssuers: [],
  partnerCBroker: { id: 103, name: 'Partner C' },
  challengeUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  analyticsUrl: 'https://www.google-analytics.com/mp/collect',
  alpacaUrl: 'https://api.alpaca.markets',
  alpacaPaperUrl: 'https://paper-api.alpaca.markets',
  binanceUrl: 'https://api.binance.com',
  binancePaperUrl: 'https://testnet.binance.vision',
  fcmUrl: 'https://fcm.googleapis.com',
  fcmTokenUrl: 'https://oauth2.googleapis.com/token',
  customerKey: false,
  engines: [],
  marketData: [],
  // Feeds that the hub pulls. Name those of your feeds whose bars nobody can bend.
  referenceSources: ['hub-feed.*'],
  feeds: [],
  // An app makes a few requests for a screen. Many people can share a network.
  rateLimits: {
    window_s: 10,
    credential: { read: 300, write: 100, work: 20 },
    network: { read: 1_500, write: 300, work: 60 },
  },
  serverTiming: false,
};

/**
 * Stages of the service. Replace the domains under .example and the measurement ids before the first deployment.
 */
export const STAGES: readonly HubConfig[] = [
  defineStage({
    ...common,
    stage: 'dev',
    production: false,
    corsOrigins: ['http://localhost:5173'],
    sessionPolicy: 'optional',
    mailFrom: {
      name: 'Strategy Hub (dev)',
      address: 'no-reply@dev.strategy-hub.example',
      // Of an account in the sandbox of SES.
      dailyQuota: 200,
    },
    measurementId: 'G-DEV',
    webPushSubject: 'mailto:operations@dev.strategy-hub.example',
    logRetentionDays: 14,
    logLevel: 'INFO',
    shift: 'at_once',
    throttle: {
      api: { rateLimit: 100, burstLimit: 200 },
      groups: {
        'user-access': { rateLimit: 20, burstLimit: 40 },
        docs: { rateLimit: 20, burstLimit: 40 },
        console: { rateLimit: 50, burstLimit: 100 },
      },
    },
    reserveConcurrency: false,
    alarms: { latencyMs: 2_000, heavyLatencyMs: 5_000 },
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
    logLevel: 'INFO',
    shift: 'canary',
    throttle: {
      // Well above the peak of ten million users (`npm run simulate`), and below what an account has.
      api: { rateLimit: 8_000, burstLimit: 5_000 },
      groups: {
        // Limit guesses of passwords and codes, the CPU time of password hashes and the cost of messages.
        'user-access': { rateLimit: 500, burstLimit: 1_000 },
        partners: { rateLimit: 200, burstLimit: 400 },
        analytics: { rateLimit: 500, burstLimit: 1_000 },
        docs: { rateLimit: 50, burstLimit: 100 },
        console: { rateLimit: 200, burstLimit: 400 },
        users: { rateLimit: 50, burstLimit: 100 },
        // Anybody can call it, and an answer costs more than others.
        candles: { rateLimit: 200, burstLimit: 400 },
      },
    },
    reserveConcurrency: true,
    alarms: { latencyMs: 1_000, heavyLatencyMs: 3_000 },
  }),
];
