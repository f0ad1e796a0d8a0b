import { dataDirOf, explain, portOf } from '../commands/command-line.ts';
import { readOptions } from '../commands/read-options.ts';
import { banner } from './banner.ts';
import { startHub } from './hub.ts';
import { onLauncherGone } from './launcher.ts';

const HELP = `Runs the whole service on this machine.

  npm start                 data is kept in .hub
  npm start -- --memory     nothing is kept
  npm start -- --no-market  without the demo market
  npm start -- --crypto     switches public prices of Binance on, without a key

Environment:
  PORT                      port of the API (3000); 0 picks a free one
  HUB_BUS_PORT              port of the event bus (3001); 0 picks a free one
  HUB_DATA_DIR              where the data is kept (.hub)
  HUB_DEMO_HISTORY          no: demo data without strategies and trades; new: made again, not copied (yes)
  HUB_DYNAMODB_ENDPOINT     a DynamoDB of your own instead of the embedded one
  HUB_PUBLIC_URL            the address under which clients reach the API
  HUB_SESSION_POLICY        optional, or require: user-scoped operations need a session
  HUB_RATE_LIMITS           JSON of the rate limits of callers (a million requests in ten seconds)
  HUB_SERVER_TIMING         on: answers have the times of their parts (off)
  HUB_CORS_ORIGINS          web apps that may call the API from a browser: origins, comma-separated
  HUB_IDENTITY_PROVIDERS    JSON list of OpenID providers for /auth/idp
  HUB_TRUSTED_ISSUERS       JSON list of issuers whose access tokens integrators may present
  HUB_PARTNERC_ISSUER       authorization server of partner C; without it /partnerc_access is closed
  HUB_PARTNERC_CLIENT_ID    client id there (strategy-hub)
  HUB_PARTNERC_SCOPE        scopes, separated by blanks (openid offline_access)
  HUB_PARTNERC_BROKER_ID    id of the connection among the user's brokers (103)
  HUB_PARTNERC_NAME         its name (Partner C)
  HUB_CHALLENGE_URL         challenge service instead of the stand-in
  HUB_ANALYTICS_URL         analytics service instead of the stand-in
  HUB_ANALYTICS_MEASUREMENT_ID  measurement id that events are sent under (G-LOCAL)
  HUB_MAIL_FROM             sender of mails (Strategy Hub <no-reply@localhost>)
  AWS_REGION                region of the SDK's clients (eu-west-1)
  HUB_FCM_URL               Firebase instead of the stand-in, with HUB_FCM_TOKEN_URL
  HUB_ALPACA_URL            Trading API of live accounts at Alpaca (https://api.alpaca.markets)
  HUB_ALPACA_PAPER_URL      Trading API of paper accounts (https://paper-api.alpaca.markets)
  HUB_BINANCE_URL           spot API of live accounts at Binance (https://api.binance.com)
  HUB_BINANCE_PAPER_URL     spot API of the testnet (https://testnet.binance.vision)
  HUB_CRYPTO_URL            public market data of Binance (https://data-api.binance.vision)
  HUB_MARKET_DATA           JSON list of feeds whose bars are pulled from providers of market data
  HUB_WEB_PUSH_REACH        internet: browsers' push services are called (loopback)
  HUB_WEB_PUSH_SUBJECT      contact for web push services: a mailto: or https address
  HUB_WEBHOOK_REACH         internet: webhook endpoints at public addresses are called (loopback)
  POWERTOOLS_LOG_LEVEL      log level of the functions (WARN); INFO logs each request as JSON
`;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const run = async (): Promise<void> => {
  const { env } = process;
  const { values } = readOptions(HELP, {
    options: {
      memory: { type: 'boolean', default: false },
      'no-market': { type: 'boolean', default: false },
      crypto: { type: 'boolean', default: false },
    },
  });

  const dataDir = dataDirOf(env);
  let ending = false;
  let ready = false;
  const starting = startHub({
    port: portOf(env, 'PORT', 3000),
    busPort: portOf(env, 'HUB_BUS_PORT', 3001),
    ...(!values.memory && { dataDir }),
    market: !values['no-market'],
    crypto: values.crypto,
    environment: env,
    onAccess: ({ routeKey, status, ms }) => {
      if (ready) console.log(`${routeKey} ${status} ${ms} ms`);
    },
    onFailure: (error) => {
      console.error(explain(error));
      process.exit(1);
    },
  });
  const end = async (): Promise<void> => {
    // A terminal and npm both pass the signal on, so it may arrive twice.
    if (ending) return;
    ending = true;
    const hub = await starting;
    await hub.close();
    process.exit(0);
  };
  const endOrFail = () => void end().catch(() => process.exit(1));
  for (const signal of SIGNALS) process.on(signal, endOrFail);
  onLauncherGone(env, endOrFail);

  const hub = await starting;
  ready = true;
  if (!ending) console.log(banner(hub, env, values.memory ? 'in memory' : dataDir, performance.now() / 1000));
};

run().catch((error: unknown) => {
  console.error(explain(error));
  process.exit(1);
});
