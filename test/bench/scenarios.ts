import { generateSync } from 'otplib';
import { takeJobEvent } from '../../functions/backtests/jobs/take-job-event.ts';
import { proofTokenOf } from '../../shared/auth/proof-links.ts';
import { undoTokenOf } from '../../shared/auth/undo-links.ts';
import { unsubscribeTokenOf } from '../../shared/auth/unsubscribe-tokens.ts';
import { riskGrantWrite } from '../../shared/data/brokers/broker-changes.ts';
import { importBars } from '../../shared/data/candles/import-bars.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { findUser } from '../../shared/data/users/users.ts';
import { sliceBars } from '../../shared/domain/candles/bars.ts';
import { setDeploymentLimits } from '../../shared/lifecycle/risk-limits.ts';
import { makeKey } from '../support/api-keys.ts';
import {
  type Authenticator,
  addPasskey,
  authenticatorFor,
  passkeyOptions,
} from '../support/authenticator.ts';
import { takeJobEvents } from '../support/backtest-jobs.ts';
import { backtestBody, runBacktest, sweepBody, sweepStrategy } from '../support/backtests.ts';
import { registerAtBroker, tokenOf } from '../support/brokers.ts';
import { DAILY, sessionBars } from '../support/candles.ts';
import { listen, listenedTrading, moveAll } from '../support/changes.ts';
import type { Request } from '../support/hub.ts';
import { feed } from '../support/hub-deployments.ts';
import { startEngine, worker } from '../support/hub-engine.ts';
import { basic } from '../support/integrators.ts';
import { asOwner, connectAssistant, pkce, REDIRECT, registerClient } from '../support/oauth.ts';
import { importOwnCandles, ownCandlesBody, ownRows } from '../support/own-candles.ts';
import {
  BROKER,
  bearer,
  CLIENT_KEY,
  freshEmail,
  login,
  PASSWORD,
  registerUnproven,
  stepUp,
} from '../support/people.ts';
import { ENTRY, fillOutside, protectTrade, withRealOrders } from '../support/protected-trades.ts';
import { crossRules, FULL_RULES } from '../support/rules.ts';
import { workOffEvents } from '../support/track-records.ts';
import { reportOrder } from '../support/trading.ts';
import { asBroker, asUser, type Caller, registerProven } from '../support/webhooks.ts';
import { type Person, SIGNAL, type World } from './world.ts';

/** Prepares the data of an operation and returns the request to measure, which must succeed. */
type Scenario = (world: World) => Promise<Request> | Request;

const userOf = ({ user_id }: { readonly user_id: string }): Request => ({ query: { user_id } });

const ownStrategy = async (world: World): Promise<Record<string, string>> => {
  const { owner, strategy_id } = await world.strategy();
  return { user_id: owner.user_id, strategy_id };
};

const ownBacktest = async ({ hub, person }: World): Promise<{ user_id: string; backtest_id: string }> => {
  await importBars(hub.runtime.store, DAILY, sessionBars('2010-01-04', 1000));
  const { user_id } = await person();
  const { body } = await runBacktest(hub, user_id, { from: '2011-01-01' });
  return { user_id, backtest_id: String(body.backtest_id) };
};

/** Own candles of a user. */
const ownCandles = async ({ hub, person }: World) => {
  const { user_id } = await person();
  await importOwnCandles(hub, user_id, { symbol: 'AAPL' });
  return { user_id, symbol: 'AAPL', timeframe: DAILY.timeframe };
};

/** A sweep that waits for its workers. */
const ownSweep = async ({ hub, person }: World): Promise<{ user_id: string; sweep_id: string }> => {
  await importBars(hub.runtime.store, DAILY, sessionBars('2010-01-04', 1000));
  const { user_id } = await person();
  const { body } = await sweepStrategy(hub, user_id);
  return { user_id, sweep_id: String(body.sweep_id) };
};

/** Returns a sweep that is done. */
const finishedSweep = async (world: World): Promise<{ user_id: string; sweep_id: string }> => {
  const own = await ownSweep(world);
  const { hub } = world;
  for (const event of await takeJobEvents(hub)) await takeJobEvent(hub.runtime, event, () => 60_000);
  return own;
};

/** Returns a paper deployment that the hub runs. */
const hubRun = async (world: World): Promise<{ user_id: string; deployment_id: string }> => {
  const { hub } = world;
  const facts = { ...DAILY, symbol: 'AAPL' };
  const bars = sessionBars('2010-01-04', 1000);
  await importBars(hub.runtime.store, facts, sliceBars(bars, 0, 900));
  const { owner, strategy_id, keygen } = await world.strategy();
  const { user_id } = owner;
  await hub.call('POST /set_strategy_rules', { query: { user_id, strategy_id }, json: crossRules() });
  const { body } = await hub.call('POST /deploy_live_strategy', {
    query: { keygen },
    form: { mode: 'virtual', starting_capital: '10000' },
  });
  const engine = worker(hub);
  await startEngine(engine, body.deployment_id);
  await feed(hub, sliceBars(bars, 900), [engine], facts);
  return { user_id, deployment_id: String(body.deployment_id) };
};

/** Returns a published strategy whose track record has begun. */
const recorded = async (world: World) => {
  const { hub } = world;
  await importBars(hub.runtime.store, { ...DAILY, symbol: 'AAPL' }, sessionBars('2010-01-04', 1000));
  const { owner, strategy_id } = await world.strategy();
  const own = { user_id: owner.user_id, strategy_id };
  await hub.call('POST /set_strategy_rules', { query: own, json: crossRules() });
  await hub.call('POST /profile_publish_strategy', { query: { ...own, publish_state: '1' } });
  await workOffEvents(hub);
  return own;
};

/** Request to propose a deployment at a broker that the user is linked to. */
const proposing = async (world: World) => {
  const who = await world.person();
  const { strategy_id } = await world.strategy(who);
  return {
    query: { user_id: who.user_id },
    headers: bearer(who.access_token),
    json: {
      strategy_id: Number(strategy_id),
      terms: { starting_capital: '10000', broker_id: BROKER.broker_id },
      reason: 'It did well on paper for three months.',
    },
  };
};

/** Request to answer a proposal. */
const proposed = async (world: World) => {
  const { query, headers, json } = await proposing(world);
  const { body } = await world.hub.call('POST /propose_deployment', { query, headers, json });
  return { query: { ...query, proposal_id: String(body.proposal_id) }, headers };
};

/** Request of an assistant for access. */
const askedConsent = async ({ hub }: World) => ({
  client_id: await registerClient(hub),
  redirect_uri: REDIRECT,
  response_type: 'code',
  scope: 'read research',
  code_challenge: pkce().challenge,
  code_challenge_method: 'S256',
});

/** Request of a user to connect an account at Alpaca. */
const connecting = async ({ alpaca, person }: World) => {
  const { user_id, access_token } = await person();
  const { keyId: key_id, secret } = alpaca.keys;
  return {
    query: { user_id },
    headers: bearer(access_token),
    json: { adapter: 'alpaca', environment: 'paper', key_id, secret },
  };
};

/** Returns a real deployment that holds a position whose stop the broker refuses, with the session of its owner. */
const protectedTrade = async (world: World) => {
  const { hub } = world;
  const { user_id, access_token } = await world.person();
  const { keygen } = await world.strategy({ user_id });
  const { body } = await hub.call('POST /deploy_live_strategy', {
    query: { keygen },
    form: { mode: 'virtual', starting_capital: '10000' },
  });
  const { deployment_id: id } = body;
  await fillOutside(hub, id, { client_order_id: ENTRY, side: 'buy', symbol: 'AAPL' });
  await protectTrade(hub, await withRealOrders(hub, id), {
    state: 'refused',
    symbol: 'AAPL',
    broker_symbol: 'AAPL',
  });
  return { own: { query: { user_id, deployment_id: String(id) }, headers: bearer(access_token) } };
};

/** Returns a broker that may throw kill switches, as the authorizer names it. */
const riskDesk = async ({ hub, broker }: World): Promise<Request> => {
  const { subdomain } = await broker();
  await hub.runtime.store.transact([riskGrantWrite(subdomain, hub.runtime.clock())]);
  return { authorized: { ...AS_BROKER, broker: subdomain, scope: 'broker:read broker:risk' } };
};

/** A caller with webhook endpoints: a user, or a broker. */
type WebhookCaller = (world: World) => Promise<Caller>;

const webhookUser: WebhookCaller = async ({ person }) => asUser(await person());

const webhookDesk: WebhookCaller = async ({ broker }) => asBroker(await broker());

const requestOf = ({ at: _, owner: _owner, ...request }: Caller): Request => request;

const HOOK = { url: 'https://receiver.example/hook', events: ['order.filled'], description: 'Desk' };

/** Scenarios of the operations on webhooks, below a path. */
const webhookScenarios = (at: '' | '/broker', caller: WebhookCaller): Readonly<Record<string, Scenario>> => {
  /** A caller with an endpoint that has answered its challenge, as a request names both. */
  const withEndpoint: Scenario = async (world) => {
    const by = await caller(world);
    const { endpoint_id } = await registerProven(world.hub, by, HOOK);
    return { ...requestOf(by), query: { ...by.query, endpoint_id } };
  };
  /** A caller with an endpoint and a delivery. */
  const withDelivery: Scenario = async (world) => {
    const by = await withEndpoint(world);
    const { body } = await world.hub.call(`POST ${at}/test_webhook`, by);
    return { ...by, query: { ...by.query, delivery_id: body.delivery_id } };
  };
  return {
    [`POST ${at}/register_webhook`]: async (w) => ({ ...requestOf(await caller(w)), json: HOOK }),
    [`GET ${at}/get_webhooks`]: withEndpoint,
    [`POST ${at}/update_webhook`]: async (w) => ({
      ...(await withEndpoint(w)),
      json: { events: ['order.filled', 'trade.closed'] },
    }),
    [`POST ${at}/remove_webhook`]: withEndpoint,
    [`POST ${at}/rotate_webhook_secret`]: withEndpoint,
    [`POST ${at}/test_webhook`]: withEndpoint,
    [`GET ${at}/get_webhook_deliveries`]: withDelivery,
    [`POST ${at}/resend_webhook`]: withDelivery,
    [`POST ${at}/replay_webhook`]: async (w) => ({
      ...(await withEndpoint(w)),
      json: { since: '2026-03-02T00:00:00Z' },
    }),
  };
};

const THROW = { action: 'throw', reason: 'Prices of the feed are wrong.' };

/** Returns a user who throws the kill switch. */
const throwing = async ({ person }: World): Promise<Request> => {
  const { user_id, access_token } = await person();
  return { query: { user_id }, headers: bearer(access_token), json: THROW };
};

/** Returns a paper deployment that waits for an engine, with the session of its owner. */
const waiting = async (world: World): Promise<Request> => {
  const { user_id, access_token } = await world.person();
  const { keygen } = await world.strategy({ user_id });
  const { body } = await world.hub.call('POST /deploy_live_strategy', {
    query: { keygen },
    form: { mode: 'virtual', starting_capital: '10000' },
  });
  return {
    query: { user_id, deployment_id: String(body.deployment_id) },
    headers: bearer(access_token),
  };
};

const hooked = async (world: World): Promise<{ readonly own: Request; readonly token: string }> => {
  const own = await waiting(world);
  const { body } = await world.hub.call('POST /create_signal_hook', own);
  return { own, token: body.url.slice(body.url.lastIndexOf('/') + 1) };
};

/** Registers and signs in a user without a proof of the e-mail. */
const unproven = async ({ hub }: World): Promise<Person> => {
  const { email } = (await registerUnproven(hub)).body;
  return (await login(hub, email)).body;
};

const steppedUp = async (w: World): Promise<Person> => {
  const who = await w.person();
  await stepUp(w.hub, who.user_id);
  return who;
};

const signedIn = ({ user_id, access_token }: Awaited<ReturnType<World['person']>>): Request => ({
  query: { user_id },
  headers: bearer(access_token),
});

/** Changes the e-mail of a person. @returns the person with the e-mail before */
const changedEmail = async (w: World): Promise<Person> => {
  const who = await steppedUp(w);
  const email = freshEmail();
  await w.hub.call('POST /change_email', { ...signedIn(who), json: { email } });
  const code = await w.code(email, 'email_change');
  await w.hub.call('POST /confirm_email_change', { ...signedIn(who), json: { email, code } });
  return who;
};

/** Returns a user with a request that adds a passkey. */
const adding = async (w: World): Promise<Request> => {
  const who = await w.person();
  const { options } = (await passkeyOptions(w.hub, 'register', who)).body;
  return { ...signedIn(who), json: { passkey: authenticatorFor(w.hub).make(options), name: 'Laptop' } };
};

/** Returns a user with a passkey. */
const withPasskey = async (w: World): Promise<{ who: Person; key: Authenticator }> => {
  const who = await w.person();
  return { who, key: await addPasskey(w.hub, who) };
};

/** Returns a request that confirms an authenticator app. */
const confirmingTotp = async (w: World): Promise<Request> => {
  const asked = signedIn(await w.person());
  const { secret } = (await w.hub.call('POST /add_totp', asked)).body;
  const epoch = Math.floor(w.hub.runtime.clock().getTime() / 1000);
  return { ...asked, json: { totp: generateSync({ secret, epoch }) } };
};

let addresses = 0;
/** Returns a new address, as mails that an address requests are limited. */
const freshAddress = (): string => `198.18.${Math.floor(++addresses / 250)}.${1 + (addresses % 250)}`;

const askingForCode = (who: Person): Request => ({ ...signedIn(who), sourceIp: freshAddress() });

const plainProof = async (w: World, who: Person): Promise<object> => {
  await w.hub.call('POST /send_step_up_code', askingForCode(who));
  return { password: PASSWORD, code: await w.code(who.email, 'step_up') };
};

const NEW_PASSWORD = 'another correct horse';
const query = (of: Record<string, string>): Request => ({ query: of });

/** Likes a strategy that already has likes. */
const likeOf = async ({ hub, rich, fans, listed }: World): Promise<Request> => {
  const { strategy_id } = await listed();
  for (const { user_id } of fans) {
    await hub.call('POST /like_strategy', query({ user_id, strategy_id }));
  }
  return query({ user_id: rich.user_id, strategy_id });
};

/** Registers a user at the broker of the tests, who can sign in there. */
const atBroker = async ({ hub }: World): Promise<Record<string, string>> => {
  const { body } = await registerAtBroker(hub, BROKER.subdomain);
  return { email: body.email, password: PASSWORD, broker_domain: BROKER.subdomain };
};

/** Context of the authorizer for an integrator. */
const AS_BROKER = { broker: BROKER.subdomain, expires_at: Number.MAX_SAFE_INTEGER, scope: 'broker:read' };

/** Request of an integrator on a user who is linked to its broker and trades on paper. */
const readByBroker = async ({ hub, trading }: World): Promise<Request> => {
  const { body } = await registerAtBroker(hub, BROKER.subdomain);
  await trading(body);
  return { query: { user_email: body.email }, authorized: AS_BROKER };
};

/** Parameters of the callback from partner C. */
const comingBack = async (
  { hub, partner }: World,
  headers: Record<string, string> = {},
): Promise<Request> => {
  const { body, cookies } = await hub.call('GET /partnerc_access', { headers });
  const jar = cookies.map((cookie) => cookie.split(';', 1).join(''));
  return { query: await partner.consent(body.authorization_url), headers, cookies: jar };
};

/** Creates a user with a link to a broker, and a token of the broker that signs the user in. */
const enteringBy = async (world: World, partner: 'a' | 'b'): Promise<Request> => {
  const broker = await world.broker();
  const partner_token = await tokenOf(world.hub, broker, 'account-1', partner);
  await registerAtBroker(world.hub, broker.subdomain, { partner_token });
  return { headers: bearer(await tokenOf(world.hub, broker, 'account-1', partner)) };
};

let phones = 0;
/** Returns a new valid phone number, as text messages to one number are limited. */
const freshPhone = (): string => `+1415555${2000 + (++phones % 8000)}`;

/**
 * A typical successful request to each operation that may use the table.
 * Parentheses name variants.
 */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  // user access
  'GET /blloo': () => ({}),
  'GET /health': () => ({}),
  'GET /remove_subscription': async (w) => query({ email: (await w.person()).email }),
  'POST /verify_session': ({ rich }) => ({ headers: bearer(rich.access_token) }),
  'POST /verify_user': ({ rich }) => ({ headers: bearer(rich.access_token) }),
  'POST /register_user': () => ({
    query: { auth: CLIENT_KEY },
    json: { email: freshEmail(), password: PASSWORD, name: 'Ada Lovelace' },
  }),
  'POST /auth/idp': async (w) => {
    const json = { provider: 'idp', id_token: await w.idToken(freshEmail()) };
    await w.hub.call('POST /auth/idp', { json });
    return { json };
  },
  'POST /register_user_broker': () => ({
    form: { email: freshEmail(), password: PASSWORD, broker_domain: BROKER.subdomain },
  }),
  'POST /login_user_broker': async (w) => query(await atBroker(w)),
  'POST /send_otp_password_reset': async (w) => query({ email: (await w.person()).email }),
  'POST /reset_password': async (w) => {
    const { email } = await w.person();
    await w.hub.call('POST /send_otp_password_reset', query({ email }));
    return query({ email, new_password: NEW_PASSWORD, otp: await w.code(email, 'password_reset') });
  },
  'POST /delete_account': async (w) => {
    const { user_id, email, access_token } = await w.person();
    return { query: { user_id }, json: { email, password: PASSWORD }, headers: bearer(access_token) };
  },
  'POST /confirm_email': async (w) => {
    const { user_id, email, access_token } = await unproven(w);
    const code = await w.code(email, 'email_proof');
    return { query: { user_id }, json: { code }, headers: bearer(access_token) };
  },
  'POST /confirm_email_link': async (w) => {
    const { user_id, email } = await unproven(w);
    const account = { email, userId: user_id, passwordVersion: 0 };
    const token = proofTokenOf(await w.hub.runtime.keyRing(), account, w.hub.runtime.clock());
    return { json: { email, token, password: PASSWORD } };
  },
  'POST /change_password': async (w) => {
    const { user_id, access_token } = await w.person();
    const json = { password: PASSWORD, new_password: NEW_PASSWORD };
    return { query: { user_id }, json, headers: bearer(access_token) };
  },
  'POST /change_email': async (w) => ({
    ...signedIn(await steppedUp(w)),
    json: { email: freshEmail() },
  }),
  'POST /confirm_email_change': async (w) => {
    const who = await steppedUp(w);
    const email = freshEmail();
    await w.hub.call('POST /change_email', { ...signedIn(who), json: { email } });
    return { ...signedIn(who), json: { email, code: await w.code(email, 'email_change') } };
  },
  'POST /correct_email': async (w) => ({
    ...signedIn(await unproven(w)),
    json: { email: freshEmail(), password: PASSWORD },
  }),
  'POST /undo_email_change': async (w) => {
    const { email, user_id } = await changedEmail(w);
    const user = await findUser(w.hub.runtime.store, user_id);
    const change = { userId: user_id, changeId: user?.email_change?.change_id ?? '' };
    const until = new Date(user?.email_change?.until ?? 0);
    return { json: { email, token: undoTokenOf(await w.hub.runtime.keyRing(), change, until) } };
  },
  'GET /get_security_events': async (w) => signedIn(await w.person()),
  'GET /get_grants': async (w) => signedIn(await w.person()),
  'POST /end_grants': async (w) => signedIn(await w.person()),
  'POST /step_up': async (w) => {
    const who = await w.person();
    return { ...signedIn(who), json: await plainProof(w, who) };
  },
  'POST /send_step_up_code': async (w) => askingForCode(await w.person()),
  'POST /passkey_options': () => ({ json: { for: 'sign_in' } }),
  'POST /sign_in_passkey': async (w) => {
    const { key } = await withPasskey(w);
    return { json: { passkey: key.use((await passkeyOptions(w.hub, 'sign_in')).body.options) } };
  },
  'GET /get_factors': async (w) => signedIn((await withPasskey(w)).who),
  'POST /add_passkey': adding,
  'POST /remove_passkey': async (w) => {
    const { who, key } = await withPasskey(w);
    return { ...signedIn(who), json: { passkey_id: key.id } };
  },
  'POST /add_totp': async (w) => signedIn(await w.person()),
  'POST /confirm_totp': confirmingTotp,
  'POST /remove_totp': async (w) => {
    const { json, ...asked } = await confirmingTotp(w);
    await w.hub.call('POST /confirm_totp', { ...asked, json });
    return asked;
  },
  'POST /make_recovery_codes': async (w) => signedIn((await withPasskey(w)).who),
  'POST /remove_lost_factors': async (w) => {
    const { who } = await withPasskey(w);
    return { ...signedIn(who), json: await plainProof(w, who) };
  },
  'POST /keep_factors': async (w) => signedIn((await withPasskey(w)).who),
  'POST /send_email_confirmation': async (w) => {
    const who = await unproven(w);
    w.hub.advance(60_000);
    return signedIn(who);
  },
  'POST /session/logout': async (w) => {
    const { access_token, refresh_token } = await w.person();
    return {
      headers: bearer(access_token),
      cookies: [`__Host-session=${access_token}`, `__Secure-refresh_token=${refresh_token}`],
    };
  },
  'GET /session/state': async (w) => {
    const { access_token } = await w.person();
    return { cookies: [`__Host-session=${access_token}`] };
  },
  'POST /make_api_key': async (w) => ({
    ...signedIn(await w.person()),
    json: { name: 'My bot', scopes: ['read'] },
  }),
  'GET /get_api_keys': async (w) => {
    const who = await w.person();
    await makeKey(w.hub, who, ['read']);
    return signedIn(who);
  },
  'GET /get_own_access': async (w) => signedIn(await w.person()),
  'POST /revoke_api_key': async (w) => {
    const who = await w.person();
    const { api_key_id } = await makeKey(w.hub, who, ['read']);
    return { query: { user_id: who.user_id, api_key_id }, headers: bearer(who.access_token) };
  },
  'GET /get_sessions': async (w) => signedIn(await w.person()),
  'POST /end_session': async (w) => {
    const { user_id, email, access_token } = await w.person();
    await login(w.hub, email);
    return { query: { user_id, others: 'true' }, headers: bearer(access_token) };
  },
  'POST /register_login': () => ({ form: { email: freshEmail(), password: PASSWORD, name: 'Ada Lovelace' } }),
  'POST /session/relogin': async (w) => ({ headers: bearer((await w.person()).refresh_token) }),
  'POST /login': async (w) => ({ form: { username: (await w.person()).email, password: PASSWORD } }),
  'POST /send_sms_otp': async (w) => {
    const { email, access_token } = await w.person();
    return {
      query: { ph_number: freshPhone(), email, cf_token: 'local-pass' },
      headers: bearer(access_token),
    };
  },
  'POST /validate_sms_otp': async (w) => {
    const { email, access_token } = await w.person();
    const sent = { ph_number: freshPhone(), email, cf_token: 'local-pass' };
    await w.hub.call('POST /send_sms_otp', { query: sent, headers: bearer(access_token) });
    return query({ email, otp: await w.code(email, 'phone') });
  },
  // strategies
  'POST /build_new_strategy': async (w) => {
    const { user_id } = await w.person();
    return query({ user_id, symbol: 'AAPL', timeframe: '1d', strategy_name: 'Morning Breakout' });
  },
  'POST /copy_strategy': async (w) => {
    const [{ strategy_key }, { user_id }] = [await w.listed(), await w.person()];
    return query({ user_id, strategy_key });
  },
  'POST /like_strategy': (w) => likeOf(w),
  // The first like costs most, as doubling the likes moves the strategy in the search.
  'POST /like_strategy (the first)': async (w) =>
    query({ user_id: w.rich.user_id, strategy_id: (await w.listed()).strategy_id }),
  'POST /unlike_strategy': async (w) => {
    const request = await likeOf(w);
    await w.hub.call('POST /like_strategy', request);
    return request;
  },
  'POST /profile_publish_strategy': async (w) => query({ ...(await ownStrategy(w)), publish_state: '1' }),
  'POST /publish_explore_strategy': async (w) => query(await ownStrategy(w)),
  'POST /rename_strategy': async (w) => {
    const { owner, strategy_id } = await w.listed();
    return query({ user_id: owner.user_id, strategy_id, strategy_name: 'Evening Breakout' });
  },
  'POST /update_strategy': async (w) => {
    const { owner, strategy_id } = await w.listed();
    const json = { strategy_name: 'Morning Breakout', symbols: ['AAPL', 'MSFT'], timeframe: '1h' };
    return { ...query({ user_id: owner.user_id, strategy_id }), json };
  },
  'POST /archive_strategy': async (w) => {
    const { owner, strategy_id } = await w.listed();
    return query({ user_id: owner.user_id, strategy_id });
  },
  'POST /rotate_keygen': async (w) => query(await ownStrategy(w)),
  'POST /set_strategy_rules': async (w) => {
    const { owner, strategy_id } = await w.listed();
    return { ...query({ user_id: owner.user_id, strategy_id }), json: FULL_RULES };
  },
  'GET /get_strategy': async (w) => {
    const own = query(await ownStrategy(w));
    await w.hub.call('POST /set_strategy_rules', { ...own, json: FULL_RULES });
    return own;
  },
  'GET /get_strategy_templates': () => ({}),
  'GET /get_published_strategies': ({ rich }) => query({ user_key: rich.user_key, user_id: rich.user_id }),
  'GET /get_explore_strategies': ({ rich }) => userOf(rich),
  'GET /get_explore_strategies (ranked)': ({ rich }) => query({ user_id: rich.user_id, sort: 'sharpe' }),
  'GET /get_explore_strategy_favourites': ({ rich }) => userOf(rich),
  'GET /get_strategy_categories': () => ({}),
  'POST /search_explore_strategies': () => query({ term: 'strat' }),
  'GET /get_strategies_by_user': ({ rich }) => userOf(rich),
  'GET /get_strategies_performance_metrics': ({ rich }) =>
    query({ user_id: rich.user_id, strategy_ids: rich.strategyIds.slice(0, 10).join(',') }),
  'GET /get_strategy_add_ons': ({ rich }) =>
    query({ user_id: rich.user_id, strategy_id: rich.strategyIds[0] ?? '' }),
  'POST /get_multi_asset_strategies': ({ rich }) => userOf(rich),
  'GET /get_instrument_suggestions_v2': ({ rich }) => query({ user_id: rich.user_id, instrument: 'app' }),
  'GET /get_broker_specific_tickers': async (w) => {
    const { body } = await w.hub.call('GET /get_b2c_brokers', userOf(w.rich));
    return query({ user_id: w.rich.user_id, broker: body[0].slug });
  },
  'GET /get_b2c_brokers': ({ rich }) => userOf(rich),
  'GET /get_connected_broker_details_v2': async ({ hub }) => {
    const { body } = await registerAtBroker(hub, BROKER.subdomain);
    return query({ user_id: body.user_id, broker_id: String(BROKER.broker_id) });
  },
  'GET /get_referred_user_count': ({ rich }) => userOf(rich),
  // candles
  'GET /get_candles': async ({ hub }) => {
    await importBars(hub.runtime.store, DAILY, sessionBars('2010-01-04', 1000));
    return query({ symbol: DAILY.symbol, timeframe: '1d' });
  },
  'GET /get_price_feeds': ({ rich }) => userOf(rich),
  'POST /switch_price_feed': async (w) => ({
    ...signedIn(await w.person()),
    form: { feed: 'public', on: 'true' },
  }),
  // backtests
  'POST /run_backtest': async (w) => {
    await importBars(w.hub.runtime.store, DAILY, sessionBars('2010-01-04', 1000));
    return { ...userOf(await w.person()), json: backtestBody({ from: '2011-01-01' }) };
  },
  'POST /chart_rules': async (w) => {
    await importBars(w.hub.runtime.store, DAILY, sessionBars('2010-01-04', 1000));
    const { rules } = backtestBody();
    return { ...userOf(await w.person()), json: { rules, symbol: DAILY.symbol, timeframe: '1d', bars: 300 } };
  },
  'GET /get_backtest': async (w) => query(await ownBacktest(w)),
  'GET /get_backtest (full)': async (w) => query({ ...(await ownBacktest(w)), full: 'true' }),
  'GET /get_backtest_trades': async (w) => query(await ownBacktest(w)),
  'GET /get_backtests': async (w) => query({ user_id: (await ownBacktest(w)).user_id }),
  'POST /update_backtest': async (w) =>
    query({ ...(await ownBacktest(w)), backtest_name: 'Before the costs rose' }),
  'POST /remove_backtest': async (w) => query(await ownBacktest(w)),
  'POST /import_own_candles': async (w) => ({
    ...userOf(await w.person()),
    json: ownCandlesBody({ symbol: 'AAPL', bars: ownRows('2010-01-04', 3) }),
  }),
  'GET /get_own_candles': async (w) => query({ user_id: (await ownCandles(w)).user_id }),
  'POST /remove_own_candles': async (w) => query(await ownCandles(w)),
  'GET /get_track_record': async (w) => query(await recorded(w)),
  'GET /export_track_record': async (w) => query(await recorded(w)),
  'GET /get_author_records': async (w) => {
    const { user_id } = await recorded(w);
    const user = await findUser(w.hub.runtime.store, user_id);
    return query({ user_key: user?.user_key ?? '' });
  },
  'GET /get_parity': async (w) => query(await hubRun(w)),
  'POST /sweep_strategy': async (w) => {
    await importBars(w.hub.runtime.store, DAILY, sessionBars('2010-01-04', 1000));
    return { ...userOf(await w.person()), json: sweepBody() };
  },
  'GET /get_sweep': async (w) => query(await finishedSweep(w)),
  'GET /get_sweeps': async (w) => query({ user_id: (await finishedSweep(w)).user_id }),
  'POST /remove_sweep': async (w) => query(await ownSweep(w)),
  // dummy users
  'GET /users': () => ({}),
  'POST /users': () => ({ json: { name: 'Grace Hopper', email: 'grace@example.com' } }),
  'DELETE /users/{id}': async ({ hub }) => {
    const { body } = await hub.call('POST /users', { json: { name: 'Grace', email: 'grace@example.com' } });
    return { params: { id: body.id } };
  },
  // deployments
  'POST /deploy_notification_strategy': async (w) => ({
    query: { keygen: (await w.strategy()).keygen },
    form: { channels: 'push' },
  }),
  'POST /undeploy_notification_strategy': async (w) => {
    const made = await w.strategy();
    return query({ user_id: made.owner.user_id, deployment_id: await w.deployed(made) });
  },
  'GET /get_all_notification_deployments': ({ rich }) => userOf(rich),
  'POST /deploy_scanner': async (w) =>
    query({ keygen: (await w.strategy()).keygen, universe_id: 'forex-majors' }),
  'POST /undeploy_scanner': async (w) => {
    const made = await w.strategy();
    return query({ user_id: made.owner.user_id, deployment_id: await w.scanning(made) });
  },
  'GET /get_universes': ({ rich }) => userOf(rich),
  'POST /get_scanner_deployments': async (w) => {
    const made = await w.strategy();
    await w.scanning(made);
    return userOf(made.owner);
  },
  'GET /get_deployment_notifications': ({ rich }) => userOf(rich),
  'GET /get_deployment': async (w) => query(await hubRun(w)),
  'GET /get_deployment_engine': async (w) => query(await hubRun(w)),
  'POST /pause_deployment': async (w) => query(await hubRun(w)),
  'POST /resume_deployment': async (w) => {
    const own = await hubRun(w);
    await w.hub.call('POST /pause_deployment', query(own));
    return query({ ...own, reason: 'The news is out.' });
  },
  'POST /stop_deployment': async (w) => query({ ...(await hubRun(w)), flatten: 'true' }),
  'GET /get_audit_trail': async (w) => {
    const { user_id, deployment_id } = await hubRun(w);
    await w.hub.call(
      'POST /pause_deployment',
      query({ user_id, deployment_id, reason: 'Earnings tomorrow.' }),
    );
    return query({ user_id });
  },
  'POST /read_deployment_notifications': async (w) => {
    const made = await w.strategy();
    await w.report('Signal Raised', await w.deployed(made), SIGNAL);
    return userOf(made.owner);
  },
  // live deployments and their order books
  'POST /deploy_live_strategy': async (w) => ({
    query: { keygen: (await w.strategy()).keygen },
    form: { mode: 'virtual', starting_capital: '10000' },
  }),
  'POST /undeploy_live_strategy': async (w) => {
    const { user_id, deployment_id } = await w.trading();
    return query({ user_id, deployment_id });
  },
  'POST /set_risk_limits': async (w) => {
    const owner = await w.person();
    const { user_id, deployment_id } = await w.trading(owner);
    return {
      ...query({ user_id, deployment_id }),
      headers: bearer(owner.access_token),
      json: { limits: { daily_loss: 500, orders_per_day: 20 } },
    };
  },
  'GET /get_risk_limits': async (w) => {
    const { user_id, deployment_id } = await w.trading();
    return query({ user_id, deployment_id });
  },
  'GET /get_all_live_deployments_v2': async (w) => userOf(await w.trading()),
  'POST /update_live_trade': async (w) => {
    const { user_id, order_id } = await w.trading();
    return query({ user_id, order_id, close_value: '101' });
  },
  'POST /update_live_trade_in_order_book': async (w) => {
    const { user_id, order_id } = await w.trading();
    return query({ user_id, ob: order_id, symbol: 'MSFT' });
  },
  'GET /get_live_strategy_order_book': async (w) => {
    const { user_id, deployment_id } = await w.trading();
    return query({ user_id, deployment_id });
  },
  'GET /get_live_strategy_full_order_book': async (w) => {
    const { user_id, strategy_id, deployment_id } = await w.trading();
    return query({ user_id, strategy_id, deployment_id });
  },
  'GET /get_global_order_book': async (w) => query({ user_id: (await w.trading()).user_id, mode: 'virtual' }),
  'GET /check_latest_order_status': async (w) => {
    const { user_id, strategy_id, deployment_id } = await w.trading();
    return query({ user_id, strategy_id, depl_id: deployment_id });
  },
  'GET /get_notification_preferences': async (w) => userOf(await w.person()),
  'POST /set_notification_preferences': async (w) => ({
    ...userOf(await w.person()),
    json: {
      groups: { fills: { sms: false } },
      quiet_hours: { time_zone: 'Europe/Berlin', from: '22:00', to: '07:00' },
    },
  }),
  'GET /unsubscribe': () => ({ query: { token: 'unknown', group: 'fills' } }),
  'POST /unsubscribe': async ({ hub, person }) => {
    const { email, user_id } = await person();
    const token = await unsubscribeTokenOf(hub.runtime, { email, group: 'fills' }, { user_id });
    return { query: { token: token ?? '', group: 'fills' } };
  },
  'GET /events': async (w) => {
    const { user_id, id } = await listenedTrading(w);
    await reportOrder(w.hub, id, { client_order_id: 'o-1' });
    await moveAll(w.hub);
    return query({ user_id });
  },
  'GET /get_account_overview': async (w) => {
    const { user_id, deployment_id } = await w.traded();
    const limits = { daily_loss: '400', position_value: '1000' };
    await setDeploymentLimits(w.hub.runtime, Number(deployment_id), user_id, { limits });
    return query({ user_id });
  },
  'GET /get_deployment_performance': async (w) => {
    const { user_id, deployment_id } = await w.traded();
    return query({ user_id, deployment_id });
  },
  'GET /get_deployment_trades': async (w) => {
    const { user_id, deployment_id } = await w.traded();
    return query({ user_id, deployment_id });
  },
  'GET /check_trades_position': async (w) => userOf(await w.trading()),
  'GET /get_swap_values': async (w) => {
    const { user_id, strategy_id, deployment_id } = await w.trading();
    return query({ user_id, strategy_id, deployment_id });
  },
  'GET /get_live_deps_pnl': async (w) => {
    const { user_id, deployment_id } = await w.trading();
    return query({ user_id, deployment_ids: deployment_id });
  },
  'GET /get_p_l_live_deployed_strategies': async (w) => userOf(await w.trading()),
  'GET /get_live_expired_strategies_v2': async (w) => {
    const { user_id, deployment_id } = await w.trading();
    await w.hub.call('POST /undeploy_live_strategy', query({ user_id, deployment_id }));
    return query({ user_id });
  },
  'GET /get_live_deployments_aggregated_stats': async (w) => userOf(await w.trading()),
  'GET /get_live_deployment_strategies_volume': async (w) => {
    const { user_id, strategy_id } = await w.trading();
    return query({ user_id, strategy_ids: strategy_id });
  },
  'GET /get_live_deployments_order_status': async (w) => {
    const { user_id, strategy_id } = await w.trading();
    return query({ user_id, strategy_ids: strategy_id });
  },
  'POST /kill_switch': throwing,
  'GET /get_kill_switch': async (w) => {
    const asked = await throwing(w);
    await w.hub.call('POST /kill_switch', asked);
    return { query: asked.query ?? {}, headers: asked.headers ?? {} };
  },
  'POST /broker/kill_switch': async (w) => ({ ...(await riskDesk(w)), json: THROW }),
  'GET /broker/get_kill_switch': async (w) => {
    const desk = await riskDesk(w);
    await w.hub.call('POST /broker/kill_switch', { ...desk, json: THROW });
    return desk;
  },
  ...webhookScenarios('', webhookUser),
  ...webhookScenarios('/broker', webhookDesk),
  'POST /create_signal_hook': async (w) => ({ ...(await waiting(w)), form: { commission_rate: '0.0005' } }),
  'GET /get_signal_hook': async (w) => (await hooked(w)).own,
  'POST /revoke_signal_hook': async (w) => (await hooked(w)).own,
  'POST /hooks/{token}': async (w) => ({
    params: { token: (await hooked(w)).token },
    json: { action: 'buy', symbol: 'AAPL', quantity: '2', price: '231.6' },
  }),
  // tokens and partners
  'POST /generate_token': async (w) => userOf(await w.person()),
  'GET /check_for_token': ({ rich }) => userOf(rich),
  'POST /register_push_token': async (w) => {
    const { user_id } = await w.person();
    return query({ user_id, push_key: `push-${user_id}` });
  },
  'GET /get_push_token_web': async (w) => {
    const { user_id } = await w.person();
    await w.hub.call('POST /register_push_token', query({ user_id, push_key: `push-${user_id}` }));
    return query({ user_id });
  },
  'POST /remove_push_token': async (w) => {
    const { user_id } = await w.person();
    const push_key = `push-${user_id}`;
    await w.hub.call('POST /register_push_token', query({ user_id, push_key }));
    return { ...query({ user_id }), json: { push_key } };
  },
  'GET /partnerc_access': ({ rich }) => ({ headers: bearer(rich.access_token) }),
  'GET /partnerc_auth_callback': async (w) => comingBack(w, bearer((await w.person()).access_token)),
  'POST /partnerc_connect': async (w) => {
    const { body } = await w.hub.call('GET /partnerc_auth_callback', await comingBack(w));
    return query({ user_id: (await w.person()).user_id, connection_id: body.connection_id });
  },
  'POST /partnerc_disconnect': async (w) => {
    const { user_id, access_token } = await w.person();
    await w.hub.call('GET /partnerc_auth_callback', await comingBack(w, bearer(access_token)));
    return query({ user_id });
  },
  'POST /connect_execution': (w) => connecting(w),
  'GET /get_execution_connections': async (w) => {
    const asked = await connecting(w);
    await w.hub.call('POST /connect_execution', asked);
    return { query: asked.query, headers: asked.headers };
  },
  'GET /preview_deployment': async (w) => {
    const asked = await connecting(w);
    const { account_id } = (await w.hub.call('POST /connect_execution', asked)).body;
    const { user_id } = asked.query;
    const { strategy_id } = await w.strategy({ user_id });
    await w.hub.call('POST /set_strategy_rules', { query: { user_id, strategy_id }, json: crossRules() });
    return { query: { user_id, strategy_id, account_id }, headers: asked.headers };
  },
  'GET /get_broker_state': async (w) => {
    const { own } = await protectedTrade(w);
    return own;
  },
  'POST /place_protection': async (w) => {
    const { own } = await protectedTrade(w);
    return { ...own, query: { ...own.query, symbol: 'AAPL' } };
  },
  'POST /disconnect_execution': async (w) => {
    const asked = await connecting(w);
    const { account_id } = (await w.hub.call('POST /connect_execution', asked)).body;
    return { query: { ...asked.query, account_id }, headers: asked.headers };
  },
  'GET /validate_b_token': async (w) => query({ token: await tokenOf(w.hub, await w.broker(), 'account-1') }),
  'POST /create_partnera_subdomain_secret': () =>
    query({ broker_name: `Broker of ${freshEmail().split('@')[0]}`, email: 'desk@broker.example' }),
  'POST /generate_partnera_token': async (w) => {
    const { subdomain, secret } = await w.broker();
    return {
      query: { account_id: '1', server_id: '5', broker_sub_domain: subdomain },
      headers: bearer(secret),
    };
  },
  'POST /partnerb/generate_token': async (w) => {
    const { subdomain, secret } = await w.broker();
    return {
      query: { account_id: '1', server_id: '5', broker_sub_domain: subdomain },
      headers: bearer(secret),
    };
  },
  'POST /confirm_broker': async (w) => {
    const { user_id, email } = (await registerUnproven(w.hub, { broker_domain: BROKER.subdomain })).body;
    await w.hub.runtime.store.transact([{ key: keys.user(user_id), set: { email_verified: true } }]);
    const { access_token } = (await login(w.hub, email)).body;
    return { query: { user_id, broker_domain: BROKER.subdomain }, headers: bearer(access_token) };
  },
  'POST /unlink_broker': async (w) => {
    const { email } = (await registerAtBroker(w.hub, BROKER.subdomain)).body;
    const { access_token } = (await login(w.hub, email)).body;
    return { query: { broker_domain: BROKER.subdomain }, headers: bearer(access_token) };
  },
  'POST /partnerb/auth': (w) => enteringBy(w, 'b'),
  'POST /partnera_auth': (w) => enteringBy(w, 'a'),
  // integrators
  'POST /oauth/token': async (w) => {
    const { guid, secret } = await w.broker();
    return { headers: basic(guid, secret), form: { grant_type: 'client_credentials' } };
  },
  'POST /oauth/revoke': async (w) => {
    const { refresh } = await connectAssistant(w.hub, await w.person(), ['read']);
    return { form: { token: refresh } };
  },
  'POST /oauth/register': () => ({ json: { client_name: 'Chat', redirect_uris: [REDIRECT] } }),
  'GET /.well-known/oauth-protected-resource/{resource}': () => ({ params: { resource: 'mcp' } }),
  'POST /open_consent': async (w) => ({ ...signedIn(await w.person()), json: await askedConsent(w) }),
  'POST /give_consent': async (w) => {
    const who = await w.person();
    const { body } = await asOwner(w.hub, who, 'POST /open_consent', await askedConsent(w));
    return { ...signedIn(who), json: { consent: body.consent, scopes: body.scopes } };
  },
  'POST /propose_deployment': async (w) => proposing(w),
  'GET /get_proposals': async (w) => {
    const { query, headers } = await proposed(w);
    return { query: { user_id: query.user_id }, headers };
  },
  'POST /decline_proposal': async (w) => proposed(w),
  'GET /broker/get_all_user_deployments': (w) => readByBroker(w),
  'GET /broker/get_all_user_scanners': (w) => readByBroker(w),
  'GET /broker/events': async ({ hub }) => {
    await listen(hub, { broker_id: BROKER.broker_id });
    return { authorized: AS_BROKER };
  },
  'GET /broker/get_user_strategies': (w) => readByBroker(w),
  'GET /broker/get_broker_user_slippage_by_email': (w) => readByBroker(w),
  'GET /broker/get_all_trades_by_user_deployments': (w) => readByBroker(w),
  'GET /broker/get_user_strategy_performance': async (w) => {
    const { body } = await registerAtBroker(w.hub, BROKER.subdomain);
    const { strategy_id, deployment_id } = await w.trading(body);
    return { query: { strategy_id, deployment_id }, authorized: AS_BROKER };
  },
  // analytics
  'POST /api/external_analysis': () => ({ json: { client_id: '1.2', events: [{ name: 'opened' }] } }),
};
