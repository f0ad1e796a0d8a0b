import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { openServer } from '../../infra/local/gateway/server.ts';
import { createAws } from '../../infra/local/services/aws.ts';
import { loadKey } from '../../infra/local/services/kms.ts';
import { createMessages } from '../../infra/local/services/messages.ts';
import { secretReader } from '../../infra/local/services/secrets.ts';
import { Store } from '../../shared/data/table/store.ts';
import type { CodePurpose } from '../../shared/data/users/one-time-codes.ts';
import { takeEvent } from '../../shared/lifecycle/reports/take-report.ts';
import { type FakeAlpaca, fakeAlpaca } from '../support/alpaca.ts';
import { broker, type TestBroker } from '../support/brokers.ts';
import { startHub, type TestHub } from '../support/hub.ts';
import { type FakeProvider, fakeBinance } from '../support/market-data.ts';
import { startPartnerC, type TestPartner } from '../support/partner-c.ts';
import { freshEmail, loginSteppedUp, register, sentCode } from '../support/people.ts';
import { SERVICE_ACCOUNT, startFirebase } from '../support/push.ts';
import { build, furnishWithCatalogue, furnishWithInstruments, like, list } from '../support/strategies.ts';
import { deployTrading, enterAll, reportOrder } from '../support/trading.ts';
import { json, startUpstream, type Upstream } from '../support/upstream.ts';
import { meteredClient } from './meter.ts';

/** A signed-in user. */
export interface Person {
  readonly user_id: string;
  readonly user_key: string;
  readonly email: string;
  readonly access_token: string;
  readonly refresh_token: string;
}

type Owner = Pick<Person, 'user_id'>;

export interface Made {
  readonly owner: Owner;
  readonly strategy_id: string;
  readonly strategy_key: string;
  readonly keygen: string;
}

export interface Trading {
  readonly user_id: string;
  readonly strategy_id: string;
  readonly deployment_id: string;
  readonly order_id: string;
}

/** A hub with metered calls, users and strategies, and functions to create more. */
export interface World extends AsyncDisposable {
  readonly hub: TestHub;
  readonly partner: TestPartner;
  /** Broker of the connected accounts. */
  readonly alpaca: FakeAlpaca;
  /** Provider of market data of the feed `coins`. */
  readonly binance: FakeProvider;
  /** Receiver of webhooks, which accepts all. */
  readonly receiver: Upstream;
  /** A user with strategies, deployments, notifications and favourites. */
  readonly rich: Person & { readonly strategyIds: readonly string[] };
  /** Users who like strategies. */
  readonly fans: readonly Person[];
  readonly person: () => Promise<Person>;
  readonly strategy: (owner?: Owner) => Promise<Made>;
  /** A strategy in the explore catalogue. */
  readonly listed: () => Promise<Made>;
  /** The id of an active notification deployment. */
  readonly deployed: (made: Made) => Promise<string>;
  /** The id of an active scanner deployment. */
  readonly scanning: (made: Made) => Promise<string>;
  /** A paper deployment with a filled order in the order books. */
  readonly trading: (owner?: Owner) => Promise<Trading>;
  /** A deployment with a closed trade and an open position. */
  readonly traded: () => Promise<Trading>;
  /** Reports an event of an engine. */
  readonly report: (type: string, deploymentId: string, detail?: object) => Promise<void>;
  readonly broker: () => Promise<TestBroker>;
  /** Returns the code that was sent to a user. */
  readonly code: (email: string, purpose: CodePurpose) => Promise<string>;
  readonly idToken: (email: string) => Promise<string>;
  /** Access tokens of all created users, by user_id. */
  readonly tokens: ReadonlyMap<string, string>;
}

const PROVIDER = { provider: 'idp', name: 'Bench', client_id: 'hub-client', algorithms: ['RS256'] };
const RICH = { strategies: 25, deployments: 5, signals: 12, favourites: 10 } as const;

const startIdentityProvider = async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const upstream = await startUpstream((request, response) => {
    const document = { issuer: upstream.url, jwks_uri: `${upstream.url}/jwks` };
    json(request.url.pathname === '/jwks' ? { keys: [jwk] } : document)(request, response);
  });
  const idToken = (email: string): Promise<string> =>
    new SignJWT({ email, email_verified: true, name: 'Grace Hopper' })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(upstream.url)
      .setAudience(PROVIDER.client_id)
      .setSubject(email)
      .setIssuedAt(Date.parse('2026-03-02T10:00:00.000Z') / 1000)
      .setExpirationTime(Date.parse('2026-03-03T10:00:00.000Z') / 1000)
      .sign(privateKey);
  return { upstream, idToken };
};

/**
 * Starts the hub of a world.
 *
 * @param options `isTimed` hashes passwords at the cost of production, and writes the whole catalogue
 */
export const startWorld = async ({ isTimed = false } = {}): Promise<World> => {
  const cleanup = new AsyncDisposableStack();
  const partner = await startPartnerC();
  cleanup.defer(() => partner.close());
  const firebase = await startFirebase();
  cleanup.defer(() => firebase.upstream.close());
  const { upstream, idToken } = await startIdentityProvider();
  cleanup.defer(() => upstream.close());
  const aws = await openServer();
  cleanup.defer(() => aws.close());
  const messages = createMessages(() => undefined);
  const secret = secretReader(undefined);
  aws.serve(createAws({ messages, secret, secretId: 'test', key: loadKey('alias/test', undefined) }));
  const bus = await startUpstream(json({ FailedEntryCount: 0, Entries: [] }));
  cleanup.defer(() => bus.close());
  const binance = await fakeBinance();
  cleanup.defer(() => binance.close());
  const alpaca = await fakeAlpaca();
  cleanup.defer(() => alpaca.close());
  const receiver = await startUpstream((_request, response) => response.writeHead(204).end());
  cleanup.defer(() => receiver.close());
  const local = `http://127.0.0.1:${aws.port}`;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SESV2: local,
    AWS_ENDPOINT_URL_SNS: local,
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
  });
  const plain = await startHub();
  cleanup.defer(() => plain.close());
  const client = meteredClient(plain.endpoint);
  cleanup.defer(() => client.destroy());
  const hub = (isTimed ? plain.withFullPasswordCost() : plain)
    .with({
      ...partner.environment,
      ...firebase.environment,
      ...alpaca.environment,
      HUB_CHALLENGE_URL: `${local}/turnstile/v0/siteverify`,
      HUB_ANALYTICS_URL: `${local}/mp/collect`,
      HUB_IDENTITY_PROVIDERS: JSON.stringify([{ ...PROVIDER, issuer: upstream.url }]),
      HUB_BUS: 'bench',
      HUB_WEBHOOK_REACH: 'loopback',
      HUB_MARKET_DATA: JSON.stringify([
        {
          name: 'coins',
          provider: 'binance',
          url: binance.url,
          asset_classes: ['crypto'],
          exchanges: ['OTC'],
          display: true,
        },
        {
          name: 'public',
          provider: 'binance',
          url: binance.url,
          asset_classes: ['crypto'],
          exchanges: ['OTC'],
          display: true,
          switched: true,
        },
      ]),
    })
    .withSecrets({ fcmServiceAccount: SERVICE_ACCOUNT })
    .over(new Store(client, plain.runtime.store.table));
  await (isTimed ? furnishWithCatalogue(hub) : furnishWithInstruments(hub));

  const tokens = new Map<string, string>();
  const person = async (): Promise<Person> => {
    const { email } = (await register(hub, { email: freshEmail() })).body;
    const { body } = await loginSteppedUp(hub, email);
    tokens.set(body.user_id, body.access_token);
    return { ...body, email };
  };
  const strategy = async (owner?: Owner): Promise<Made> => {
    const by = owner ?? (await person());
    const { body } = await build(hub, { user_id: by.user_id });
    return { ...body, owner: by, strategy_id: String(body.strategy_id) };
  };
  const listed = async (owner?: Owner): Promise<Made> => {
    const made = await strategy(owner);
    await list(hub, made.owner.user_id, Number(made.strategy_id));
    return made;
  };
  const deployed = async ({ keygen }: Made): Promise<string> => {
    const form = { channels: 'push' };
    const { body } = await hub.call('POST /deploy_notification_strategy', { query: { keygen }, form });
    return String(body.deployment_id);
  };
  const scanning = async ({ keygen }: Made): Promise<string> => {
    const query = { keygen, universe_id: 'forex-majors' };
    return String((await hub.call('POST /deploy_scanner', { query })).body.deployment_id);
  };
  const trading = async (by?: Owner): Promise<Trading> => {
    const { owner, keygen, strategy_id } = await strategy(by);
    const { deployment_id } = (await deployTrading(hub, keygen)).body;
    await report('Deployment Started', deployment_id);
    await reportOrder(hub, deployment_id, { client_order_id: 'first' });
    await enterAll(hub);
    const query = { user_id: owner.user_id, strategy_id, deployment_id: String(deployment_id) };
    const { body } = await hub.call('GET /get_live_strategy_order_book', { query });
    return { ...query, order_id: String(body.items[0]?.order_id) };
  };
  const traded = async (): Promise<Trading> => {
    const made = await trading();
    const { deployment_id } = made;
    const id = Number(deployment_id);
    const sold = { client_order_id: 'second', side: 'sell', average_price: '104', fees: '0.5' };
    await reportOrder(hub, id, sold);
    await reportOrder(hub, id, { client_order_id: 'third', average_price: '103', quantity: '2' });
    await report('Quote Marked', deployment_id, { symbol: 'AAPL', price: 105 });
    await enterAll(hub);
    return made;
  };
  const report = (type: string, deploymentId: string, detail: object = {}): Promise<void> => {
    hub.advance(1000);
    const at = hub.runtime.clock().toISOString();
    const all = { version: 1, deployment_id: Number(deploymentId), occurred_at: at, ...detail };
    return takeEvent(hub.runtime, { 'detail-type': type, source: 'engine', detail: all });
  };
  const enrich = async (): Promise<World['rich']> => {
    const rich = await person();
    const made: Made[] = [];
    for (let n = 0; n < RICH.strategies; n++) made.push(await listed(rich));
    for (const one of made.slice(0, RICH.favourites)) await like(hub, rich.user_id, Number(one.strategy_id));
    for (const one of made.slice(0, RICH.deployments)) {
      const id = await deployed(one);
      for (let n = 0; n < RICH.signals; n++)
        await report('Signal Raised', id, { ...SIGNAL, title: `Buy ${n}` });
    }
    return { ...rich, strategyIds: made.map(({ strategy_id }) => strategy_id) };
  };
  return {
    hub,
    partner,
    alpaca,
    binance,
    receiver,
    rich: await enrich(),
    fans: [await person(), await person(), await person(), await person()],
    person,
    strategy,
    listed: () => listed(),
    deployed,
    scanning,
    trading,
    traded,
    report,
    broker: () => broker(hub),
    code: async (email, purpose) => (await sentCode(hub, email, purpose)) ?? '',
    idToken,
    tokens,
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
};

/** Returns the detail of a signal event. */
export const SIGNAL = {
  symbol: 'AAPL',
  side: 'buy',
  price: 231.5,
  title: 'Buy AAPL',
  body: 'It crossed.',
} as const;
