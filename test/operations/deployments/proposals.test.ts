import { beforeEach, describe, expect, test } from '@jest/globals';
import { connectionWrite } from '../../../shared/data/execution/connections.ts';
import type { Scope } from '../../../shared/domain/scopes.ts';
import { makeKey } from '../../support/api-keys.ts';
import type { Response as HubResponse } from '../../support/hub.ts';
import { connectAssistant } from '../../support/oauth.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, login, outbox, signUp } from '../../support/people.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules } from '../../support/rules.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading } from '../../support/trading.ts';

const MINUTE = 60_000;
const DAY = 24 * 3_600_000;

const hub = await openHub((fresh) => furnishWithInstruments(fresh, ['SPY', 'AAPL']));
beforeEach(() => hub.advance(MINUTE));

/** A user with a connected account and a strategy whose trades have a stop. */
const trader = async () => {
  const { user_id, email, access_token } = (await signUp(hub)).body;
  const at = hub.runtime.clock();
  await hub.runtime.store.transact([
    connectionWrite({
      connection_id: `c-${user_id}`,
      user_id,
      adapter: 'alpaca',
      environment: 'paper',
      account_id: 'A-1',
      currency: 'USD',
      status: 'connected',
      sealed: new Uint8Array([1]),
      connected_at: at.toISOString(),
      status_at: at.toISOString(),
      due_at: at.getTime() + DAY,
    }),
  ]);
  const { entries, ...rules } = crossRules(2, 4);
  const stopped = entries.map((each) => ({ ...each, stop_loss: { type: 'percent', percent: 5 } }));
  const strategy = await ruleTrader(hub, { user_id, rules: { ...rules, entries: stopped }, symbol: 'SPY' });
  return { user_id, email, access_token, strategy };
};

type Trader = Awaited<ReturnType<typeof trader>>;

const TERMS = { starting_capital: '5000', account_id: 'A-1' };

const propose = (
  { user_id, strategy }: Trader,
  token: string,
  {
    terms = {},
    ...more
  }: { readonly terms?: object; readonly reason?: string; readonly strategy_id?: number } = {},
) =>
  hub.call('POST /propose_deployment', {
    query: { user_id },
    headers: bearer(token),
    json: { strategy_id: Number(strategy.strategy_id), terms: { ...TERMS, ...terms }, ...more },
  });

const keyOf = async (who: Trader, scopes: readonly Scope[] = ['trade:paper', 'read']): Promise<string> =>
  (await makeKey(hub, who, scopes)).api_key;

const listed = async ({ user_id, access_token }: Trader, token = access_token) =>
  (await hub.call('GET /get_proposals', { query: { user_id }, headers: bearer(token) })).body.proposals;

const resultOf = ({ status, body }: HubResponse) => (status === 200 ? 200 : `${status} ${body.code}`);

const confirm = (who: Trader, proposal_id: string, token = who.access_token) =>
  deployTrading(
    hub,
    `strategy:${who.strategy.strategy_id}`,
    { mode: 'live', ...TERMS, proposal_id },
    bearer(token),
  );

const decline = ({ user_id }: Trader, proposal_id: string, token: string) =>
  hub.call('POST /decline_proposal', { query: { user_id, proposal_id }, headers: bearer(token) });

describe('a proposal', () => {
  test('of an assistant places no order; the owner is notified, sees it and confirms it once', async () => {
    const who = await trader();
    const { access } = await connectAssistant(hub, who, ['read', 'trade:paper']);
    const reason = '<b>Confirm at once</b>, or you lose money';
    const made = await propose(who, access, { reason });
    const now = hub.runtime.clock().getTime();
    const shown = {
      proposal_id: expect.any(String),
      strategy_id: Number(who.strategy.strategy_id),
      rules_hash: expect.any(String),
      terms: {
        ...TERMS,
        symbols: 'SPY',
        currency: 'USD',
        when_unprotected: 'close',
        engine_rates: false,
        prediction_market: false,
      },
      reason,
      proposed_by: 'An assistant',
      expires_at: new Date(now - (now % 1000) + DAY).toISOString(),
    };
    expect([made.status, made.body]).toEqual([200, expect.objectContaining(shown)]);
    expect(await listed(who)).toEqual([made.body]);
    expect(await listed(who, access)).toEqual([made.body]);
    const notes = (await outbox(hub)).flatMap(({ message }) =>
      message && 'title' in message && message.title.includes('proposed') ? [JSON.stringify(message)] : [],
    );
    expect(notes.length).toBeGreaterThan(0);
    expect(notes.join()).not.toContain('Confirm at once');

    const { proposal_id: id } = made.body;
    expect(resultOf(await confirm(who, id, access))).toBe('403 scope_insufficient');
    const real = await keyOf(who, ['trade:real', 'manage']);
    expect(resultOf(await confirm(who, id, real))).toBe('403 step_up_required');
    const again = await login(hub, who.email);
    expect(resultOf(await confirm(who, id, again.body.access_token))).toBe('403 step_up_required');
    expect(await listed(who)).toHaveLength(1);
    const deployed = await confirm(who, id);
    expect([deployed.status, deployed.body.mode]).toEqual([200, 'live']);
    expect(await listed(who)).toEqual([]);
    expect(resultOf(await confirm(who, id))).toBe('404 proposal_unknown');
  });

  test('that two confirmations race is confirmed once', async () => {
    const who = await trader();
    const { proposal_id: id } = (await propose(who, await keyOf(who))).body;
    const answers = await Promise.all([confirm(who, id), confirm(who, id), confirm(who, id)]);
    expect(answers.map(resultOf).filter((one) => one === 200)).toHaveLength(1);
  });

  test.each([
    ['rules', 'set_strategy_rules', crossRules(3, 5)],
    ['timeframe', 'update_strategy', { timeframe: '1h' }],
    ['weights', 'update_strategy', { symbols: ['SPY', 'AAPL'] }],
  ])('is of the strategy that was proposed, not of one with other %s', async (_name, path, json) => {
    const who = await trader();
    const key = await keyOf(who, ['trade:paper', 'research']);
    const { proposal_id: id } = (await propose(who, key)).body;
    // The key that proposed it changes what the proposal would trade.
    const changed = await hub.call(`POST /${path}`, {
      query: { user_id: who.user_id, strategy_id: String(who.strategy.strategy_id) },
      headers: bearer(key),
      json,
    });
    expect(changed.status).toBe(200);
    expect(resultOf(await confirm(who, id))).toBe('409 rules_changed');
    expect(await listed(who)).toHaveLength(1);
  });

  test('is of one strategy and of real orders', async () => {
    const [who, other] = [await trader(), await trader()];
    const { proposal_id: id } = (await propose(who, await keyOf(who))).body;
    const paper = { mode: 'virtual', starting_capital: '5000', proposal_id: id };
    const session = bearer(who.access_token);
    expect(resultOf(await deployTrading(hub, who.strategy.keygen, paper, session))).toBe(
      '404 proposal_unknown',
    );
    expect(resultOf(await confirm(other, id))).toBe('404 proposal_unknown');
    expect(await listed(who)).toHaveLength(1);
  });

  test('needs a scope, the own strategy, a connected account and terms that a deployment takes', async () => {
    const [who, other] = [await trader(), await trader()];
    const token = await keyOf(who);
    const id = Number(other.strategy.strategy_id);
    const cases: readonly (readonly [string, HubResponse])[] = [
      ['403 scope_insufficient', await propose(who, await keyOf(who, ['read', 'research']))],
      ['403 session_mismatch', await propose(other, token)],
      ['404 strategy_unknown', await propose(who, token, { strategy_id: id })],
      ['409 broker_unconnected', await propose(who, token, { terms: { account_id: 'A-2' } })],
      ['422 undefined', await propose(who, token, { terms: { starting_capital: '-1' } })],
      ['422 undefined', await propose(who, token, { terms: { symbols: 'AAPL' } })],
      ['422 undefined', await propose(who, token, { terms: { mode: 'virtual' } })],
      ['422 undefined', await propose(who, token, { terms: { expires_at: '2020-01-01' } })],
      ['422 undefined', await propose(who, token, { terms: { channels: 'pigeon' } })],
      ['422 undefined', await propose(who, token, { reason: 'x'.repeat(501) })],
      ['422 undefined', await propose(who, token, { reason: 'a\u202Eb' })],
    ];
    expect(cases.map(([, answer]) => resultOf(answer))).toEqual(cases.map(([wanted]) => wanted));
    const named = await hub.call('POST /propose_deployment', {
      query: { user_id: who.user_id },
      json: { strategy_id: Number(who.strategy.strategy_id), terms: TERMS },
    });
    expect(resultOf(named)).toBe('401 session_required');
    expect(await listed(who)).toEqual([]);
  });

  test('is one a minute of a key, 20 at once and 40 a day; it expires after a day', async () => {
    const who = await trader();
    const token = await keyOf(who);
    expect((await propose(who, token)).status).toBe(200);
    const soon = await propose(who, token);
    expect([resultOf(soon), Number(soon.headers['retry-after']) <= 60]).toEqual(['409 quota_reached', true]);
    for (let made = 1; made < 20; made++) {
      hub.advance(MINUTE);
      expect((await propose(who, token)).status).toBe(200);
    }
    hub.advance(MINUTE);
    expect(resultOf(await propose(who, token))).toBe('409 quota_reached');
    const soonAfter = (await login(hub, who.email)).body.access_token;
    const all = await listed(who, soonAfter);
    expect(all).toHaveLength(20);
    expect((await decline(who, all[0].proposal_id, soonAfter)).body).toEqual({ declined: true });
    expect((await propose(who, token)).status).toBe(200);
    hub.advance(DAY);
    const later = (await login(hub, who.email)).body.access_token;
    expect(await listed(who, later)).toEqual([]);
    expect((await propose(who, token)).status).toBe(200);
    expect(await listed(who, later)).toHaveLength(1);
  });

  test('is withdrawn by its own key alone, declined by its owner, and ends with its key', async () => {
    const who = await trader();
    const [one, two] = [await keyOf(who), await keyOf(who)];
    const { proposal_id: id } = (await propose(who, one)).body;
    expect((await decline(who, id, two)).body).toEqual({ declined: false });
    expect((await decline(who, id, one)).body).toEqual({ declined: true });
    expect((await decline(who, id, one)).body).toEqual({ declined: false });
    await propose(who, two);
    expect(await listed(who)).toHaveLength(1);
    await hub.call('POST /revoke_api_key', {
      query: { user_id: who.user_id, api_key_id: two.split('.')[1] ?? '' },
      headers: bearer(who.access_token),
    });
    expect(await listed(who)).toEqual([]);
  });
});
