import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { asDeployment } from '../../../shared/data/deployments/deployments.ts';
import { asDeploymentSetup } from '../../../shared/data/engine/setups.ts';
import { connectionWrite } from '../../../shared/data/execution/connections.ts';
import { findProtections } from '../../../shared/data/execution/protections.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { type Response, startHub, type TestHub } from '../../support/hub.ts';
import { bearer, outbox, signUp } from '../../support/people.ts';
import { ENTRY, fillOutside, protectTrade, restingExits } from '../../support/protected-trades.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules } from '../../support/rules.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, undeployTrading } from '../../support/trading.ts';

const [PERCENT, TEN] = ['percent', 10] as const;
const STOP = { stop_loss: { type: PERCENT, percent: 5 } };
const TARGET = { take_profit: { type: PERCENT, percent: TEN } };

/** Returns rules whose entry has more than a condition. */
const rulesOf = (entry: object, more: object = {}) => {
  const { entries, ...rules } = crossRules(2, 4);
  return { ...rules, entries: entries.map((each) => ({ ...each, ...entry })), ...more };
};

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['SPY', 'AAPL', 'BTCUSD', 'BTCUSDT']);
});
afterAll(() => hub.close());

interface Owner {
  readonly user_id: string;
  readonly session: Readonly<Record<string, string>>;
}

/** Returns a user with connected accounts. */
const owner = async (...accounts: readonly string[]): Promise<Owner> => {
  const { user_id, access_token } = (await signUp(hub)).body;
  const at = hub.runtime.clock().toISOString();
  await hub.runtime.store.transact(
    accounts.map((account_id) =>
      connectionWrite({
        connection_id: `c-${account_id}`,
        user_id,
        adapter: 'alpaca',
        environment: 'paper',
        account_id,
        currency: 'USD',
        status: 'connected',
        sealed: new Uint8Array([1]),
        connected_at: at,
        status_at: at,
        due_at: hub.runtime.clock().getTime() + 86_400_000,
      }),
    ),
  );
  return { user_id: String(user_id), session: bearer(access_token) };
};
const live = (
  { session }: Owner,
  { keygen }: { readonly keygen: string },
  more: Readonly<Record<string, string>> = {},
): Promise<Response> => deployTrading(hub, keygen, { mode: 'live', account_id: 'A-1', ...more }, session);

const strategyOf = ({ user_id }: Owner, rules: unknown = rulesOf(STOP), symbol = 'SPY') =>
  ruleTrader(hub, { user_id, rules, symbol });

const refusal = ({ status, body }: Response) => [status, body.code];

describe('one deployment for each symbol of an account', () => {
  test('a second one is refused whatever its rules, and taken on another account or symbol', async () => {
    const one = await owner('A-1', 'A-2');
    const short = rulesOf({ side: 'short', ...STOP });
    const [first, second, other] = [
      await strategyOf(one),
      await strategyOf(one, short),
      await strategyOf(one, short, 'AAPL'),
    ];
    const deployed = await live(one, first);
    expect(deployed.status).toBe(200);
    const refused = await live(one, second);
    expect(refusal(refused)).toEqual([409, 'connection_used']);
    expect(refused.body.detail).toContain(
      `Deployment ${deployed.body.deployment_id} trades SPY on this account.`,
    );
    expect(refusal(await live(one, first))).toEqual([409, 'connection_used']);
    expect((await live(one, second, { account_id: 'A-2' })).status).toBe(200);
    expect((await live(one, other)).status).toBe(200);
    const paper = await deployTrading(hub, first.keygen, { mode: 'virtual' });
    expect(paper.status).toBe(200);
  });

  test('it is free again once the deployment has ended with no position, and only then', async () => {
    const one = await owner('A-1');
    const strategy = await strategyOf(one);
    const id: number = (await live(one, strategy)).body.deployment_id;
    await fillOutside(hub, id, { client_order_id: 'in', side: 'buy' });
    await undeployTrading(hub, one.user_id, id);
    const refused = await live(one, strategy);
    expect(refusal(refused)).toEqual([409, 'connection_used']);
    expect(refused.body.detail).toContain('has ended and left a position or an order in SPY');
    hub.advance(1000);
    await fillOutside(hub, id, { client_order_id: 'out', side: 'sell' });
    expect((await live(one, strategy)).status).toBe(200);
  });

  test('of several at the same time exactly one passes', async () => {
    const one = await owner('A-1');
    const strategies = await Promise.all(Array.from({ length: 4 }, () => strategyOf(one)));
    const answers = await Promise.all(strategies.map((strategy) => live(one, strategy)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409, 409, 409]);
    const again = await Promise.all(strategies.map((strategy) => live(one, strategy)));
    expect(again.map(refusal)).toEqual(again.map(() => [409, 'connection_used']));
  });
});

describe('what cannot be protected', () => {
  test('is refused: rules that add to a trade or enter outside of the session, and fractions unless they are accepted', async () => {
    const one = await owner('A-1');
    const adding = await strategyOf(one, rulesOf(STOP, { pyramid: true, max_trades: 3 }));
    const pyramid = await live(one, adding);
    expect(refusal(pyramid)).toEqual([409, 'strategy_unsuitable']);
    expect(pyramid.body.detail).toContain('add to an open trade in SPY');
    const early = { session: { entries: ['04:00', '09:00'] } };
    const hours = (entries: unknown) => ruleTrader(hub, { ...one, rules: entries, timeframe: '15m' });
    const outside = await live(one, await hours(rulesOf(STOP, early)));
    expect(refusal(outside)).toEqual([409, 'strategy_unsuitable']);
    expect(outside.body.detail).toContain('enter SPY outside of the session only');
    const partly = await hours(rulesOf(STOP, { session: { entries: ['09:15', '10:00'] } }));
    const within = await live(one, partly);
    expect(within.status).toBe(200);
    await undeployTrading(hub, one.user_id, within.body.deployment_id);
    const plain = await strategyOf(one);
    const fraction = await live(one, plain, { size_step: '0.5' });
    expect(refusal(fraction)).toEqual([409, 'strategy_unsuitable']);
    expect(fraction.body.detail).toContain('none stands overnight');
    const wrong = await live(one, plain, { fractions: 'yes' });
    expect(wrong.status).toBe(422);
    const accepted = await live(one, plain, {
      size_step: '0.5',
      fractions: 'accept',
      when_unprotected: 'keep',
    });
    expect(accepted.status).toBe(200);
    const items = await hub.runtime.store.getMany([
      keys.deployment(accepted.body.deployment_id),
      keys.deploymentSetup(accepted.body.deployment_id),
    ]);
    expect(asDeployment(items[0])).toMatchObject({ unprotected: 'keep' });
    expect(asDeploymentSetup(items[1])?.setup.legs[0]?.size_step).toBe(0.5);
  });

  test('shares are traded whole where the catalogue has fractions, and a refused stop closes by default', async () => {
    const one = await owner('A-1');
    await hub.runtime.store.transact([{ key: keys.instrument('SPY'), set: { volume_step: 0.25 } }]);
    const { body } = await live(one, await strategyOf(one));
    await hub.runtime.store.transact([{ key: keys.instrument('SPY'), set: { volume_step: 1 } }]);
    const items = await hub.runtime.store.getMany([
      keys.deployment(body.deployment_id),
      keys.deploymentSetup(body.deployment_id),
    ]);
    expect(asDeployment(items[0])).toMatchObject({ unprotected: 'close' });
    expect(asDeploymentSetup(items[1])?.setup.legs[0]?.size_step).toBe(1);
  });
});

describe('the preview of a deployment', () => {
  const preview = (
    { user_id, session }: Owner,
    strategy: { readonly strategy_id: number },
    more: Readonly<Record<string, string>> = {},
  ) =>
    hub.call('GET /preview_deployment', {
      query: { user_id, strategy_id: String(strategy.strategy_id), account_id: 'A-1', ...more },
      headers: session,
    });

  test('names what rests at the broker, and what the hub has to watch', async () => {
    const one = await owner('A-1');
    const shares = await strategyOf(one, rulesOf({ ...STOP, ...TARGET }));
    const { status, body } = await preview(one, shares);
    expect([status, body]).toMatchObject([
      200,
      {
        can_deploy: true,
        refusals: [],
        symbols: [
          {
            symbol: 'SPY',
            exits: 'oco',
            rests: ['stop', 'target'],
            overnight: true,
            hours: 'session',
            band_pct: null,
          },
        ],
      },
    ]);
    expect(body.symbols[0].sentences.join(' ')).toContain('whether the hub runs or not. The one that fills');
    expect(body.sentences.join(' ')).toContain('the position is closed at the market');
    const coins = await strategyOf(one, rulesOf({ ...STOP, ...TARGET }), 'BTCUSD');
    const crypto = (await preview(one, coins, { when_unprotected: 'keep' })).body;
    expect(crypto).toMatchObject({
      can_deploy: true,
      symbols: [{ exits: 'stop_limit', rests: ['stop'], overnight: true, hours: 'always', band_pct: 2 }],
    });
    expect(crypto.symbols[0].sentences.join(' ')).toMatch(
      /limit 2 % beyond the stop.*The hub watches the target/,
    );
    expect(crypto.sentences.join(' ')).toContain('the position stays without one');
    const bare = (await preview(one, await strategyOf(one, rulesOf({})))).body;
    expect(bare).toMatchObject({
      can_deploy: true,
      symbols: [{ exits: 'none', rests: [], overnight: false }],
    });
    expect(bare.symbols[0].sentences[0]).toBe('No stop is set: no stop stands at your broker.');
  });

  test('of a broker without short positions names the entries that it refuses', async () => {
    const one = await owner('A-1');
    const connection = keys.executionConnection(one.user_id, 'A-1');
    await hub.runtime.store.transact([{ key: connection, set: { adapter: 'binance' } }]);
    const shorts = await strategyOf(one, rulesOf({ side: 'short', ...STOP, ...TARGET }), 'BTCUSDT');
    const { body } = await preview(one, shorts, { currency: 'USDT' });
    expect(body).toMatchObject({ can_deploy: true, symbols: [{ exits: 'oco', hours: 'always' }] });
    expect(body.symbols[0].sentences.at(-1)).toContain('entries that sell short are refused');
  });

  test('says the same refusals as deploying, and deploys nothing', async () => {
    const one = await owner('A-1');
    const adding = await strategyOf(one, rulesOf(STOP, { pyramid: true, max_trades: 2 }));
    const seen = (await preview(one, adding)).body;
    const refused = await live(one, adding);
    expect([seen.can_deploy, seen.refusals]).toEqual([false, [refused.body.detail]]);
    const fractions = await strategyOf(one);
    expect((await preview(one, fractions, { size_step: '0.1' })).body.can_deploy).toBe(false);
    const day = (await preview(one, fractions, { size_step: '0.1', fractions: 'accept' })).body;
    expect(day).toMatchObject({ can_deploy: true, symbols: [{ exits: 'stop', overnight: false }] });
    expect((await live(one, fractions)).status).toBe(200);
    const used = (await preview(one, fractions)).body;
    expect([used.can_deploy, used.refusals]).toEqual([false, [(await live(one, fractions)).body.detail]]);
  });

  test('needs the session of the owner, their strategy with rules and a connected account', async () => {
    const [one, other] = [await owner('A-1'), await owner('A-1')];
    const strategy = await strategyOf(one);
    expect(refusal(await preview({ ...one, session: {} }, strategy))).toEqual([401, 'session_required']);
    expect(refusal(await preview(other, strategy))).toEqual([404, 'strategy_unknown']);
    expect(refusal(await preview(one, strategy, { account_id: 'A-9' }))).toEqual([409, 'broker_unconnected']);
    expect((await preview(one, strategy, { symbols: 'TSLA' })).status).toBe(422);
  });
});

describe('what stands at the broker', () => {
  const ask = ({ user_id, session }: Owner, more: Readonly<Record<string, string>> = {}) =>
    hub.call('GET /get_broker_state', { query: { user_id, ...more }, headers: session });

  const placeAgain = ({ user_id, session }: Owner, id: number, symbol = 'SPY') =>
    hub.call('POST /place_protection', {
      query: { user_id, deployment_id: String(id), symbol },
      headers: session,
    });

  /** Returns a deployment that holds ten shares. */
  const holding = async (one: Owner, account_id = 'A-1'): Promise<number> => {
    const id: number = (await live(one, await strategyOf(one), { account_id })).body.deployment_id;
    await fillOutside(hub, id, { client_order_id: 'in', side: 'buy' });
    return id;
  };

  test('is listed for each open position, of all accounts, of one or of a deployment, without a call to the broker', async () => {
    const one = await owner('A-1', 'A-2');
    const [first, second] = [await holding(one), await holding(one, 'A-2')];
    await protectTrade(hub, { deployment_id: first, user_id: one.user_id });
    hub.takeCalls();
    const { status, body } = await ask(one, { deployment_id: String(first) });
    expect([status, hub.takeCalls()]).toEqual([200, ['GetItem', 'BatchGetItem', 'Query']]);
    expect(body).toMatchObject({
      is_complete: true,
      positions: [
        {
          deployment_id: first,
          account_id: 'A-1',
          symbol: 'SPY',
          side: 'long',
          quantity: 10,
          state: 'standing',
          text: 'The exits stand at your broker, whether the hub runs or not.',
          orders: [
            { level: 'stop', price: 95, quantity: 10, status: 'open', broker_order_id: 'b-1' },
            { level: 'target', price: 110, quantity: 10, status: 'open', broker_order_id: 'b-2' },
          ],
          compared_at: expect.any(String),
          differences: [],
          actions: ['close', 'take_over'],
        },
      ],
    });
    const all = (await ask(one)).body.positions;
    expect(all.map((position: { deployment_id: number }) => position.deployment_id).toSorted()).toEqual(
      [first, second].toSorted(),
    );
    const other = (await ask(one, { account_id: 'A-2' })).body.positions;
    expect(other).toMatchObject([{ deployment_id: second, state: 'none', orders: [], compared_at: null }]);
    expect(other[0].text).toContain('No stop stands at your broker');
    expect((await ask(one, { account_id: 'A-3' })).body.positions).toEqual([]);
  });

  test('says what differs, and what the owner can do', async () => {
    const one = await owner('A-1');
    const id = await holding(one);
    const at = hub.runtime.clock().getTime();
    await protectTrade(
      hub,
      { deployment_id: id, user_id: one.user_id },
      {
        state: 'refused',
        reason: 'The price is too close.',
        exits: restingExits(at).map((exit) => ({ ...exit, state: 'placing', legs: {}, tried_at: at })),
        gap_since: at,
        differs_since: at,
      },
    );
    const [position] = (await ask(one)).body.positions;
    expect(position).toMatchObject({
      state: 'refused',
      text: 'The broker refuses the stop: no stop stands at your broker. The hub tries again each minute. (The price is too close.)',
      orders: [
        { level: 'stop', price: 95, status: 'pending', broker_order_id: null },
        { level: 'target', price: 110, status: 'pending', broker_order_id: null },
      ],
      differences: [{ kind: 'position' }, { kind: 'exits' }],
      actions: ['place_again', 'close', 'take_over'],
    });
    await undeployTrading(hub, one.user_id, id);
    expect((await ask(one)).body.positions).toMatchObject([{ actions: ['place_again'] }]);
  });

  test('exits are placed again at once on the word of the owner alone', async () => {
    const [one, other] = [await owner('A-1'), await owner('A-1')];
    const id = await holding(one);
    const own = { deployment_id: id, user_id: one.user_id };
    expect(refusal(await placeAgain(one, id))).toEqual([409, 'state_conflict']);
    await protectTrade(hub, own, { state: 'refused' });
    expect(refusal(await placeAgain({ ...one, session: {} }, id))).toEqual([401, 'session_required']);
    expect(refusal(await placeAgain(other, id))).toEqual([404, 'deployment_unknown']);
    expect(refusal(await placeAgain(one, id, 'AAPL'))).toEqual([409, 'state_conflict']);
    const { status, body } = await placeAgain(one, id, 'spy');
    expect([status, body]).toEqual([200, { asked: true }]);
    const [protection] = await findProtections(hub.runtime.store, id);
    expect(protection).toMatchObject({ rev: 1, due_at: hub.runtime.clock().getTime() });
    const asked = (await outbox(hub)).filter(
      ({ message }) => message?.kind === 'order_request' && message.request.type === 'Protection Requested',
    );
    expect(asked).toMatchObject([
      { message: { request: { detail: { deployment_id: id, client_order_id: ENTRY, number: 0 } } } },
    ]);
  });

  test('is shown to the owner alone', async () => {
    const [one, other] = [await owner('A-1'), await owner('A-1')];
    const id = await holding(one);
    expect(refusal(await ask({ ...one, session: {} }))).toEqual([401, 'session_required']);
    expect(refusal(await ask(other, { deployment_id: String(id) }))).toEqual([404, 'deployment_unknown']);
    expect((await ask(other)).body.positions).toEqual([]);
  });
});
