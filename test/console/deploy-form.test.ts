import { describe, expect, test } from '@jest/globals';
import {
  cannotDeploy,
  type Deployable,
  type DeployForm,
  formProblems,
  initialForm,
  notificationBody,
  tradingBody,
  waysOf,
} from '../../functions/console/app/deploy/form.ts';

const NOW = new Date('2026-03-02T12:00:00Z');

const strategy: Deployable = {
  strategy_id: 7,
  strategy_key: 's-7',
  strategy_name: 'Breakout',
  symbols: ['AAPL', 'MSFT'],
  timeframe: '1d',
  rules_hash: 'hash',
  status: 'ready',
  is_own: true,
};

const form = (more: Partial<DeployForm> = {}): DeployForm => ({ ...initialForm(strategy), ...more });

describe('The form of a deployment', () => {
  test('calls prices real only where they are', () => {
    const [onPaper, onDemo] = [false, true].map((isDemo) => waysOf({ isDemo })[0]?.text);
    expect(onPaper).toBe('Trades with real prices and no money. The way to begin.');
    expect(onDemo).toBe('Trades with the made-up prices of the demo market and no money. The way to begin.');
  });

  test('begins on paper with values that can be sent at once', () => {
    expect(formProblems(form(), NOW)).toEqual({});
    expect(tradingBody(strategy, form())).toEqual({
      mode: 'virtual',
      starting_capital: '10000',
      currency: 'USD',
      symbols: undefined,
      prices: 'required',
      channels: 'push',
      commission_rate: '0.0005',
      slippage_rate: '0.0002',
    });
  });

  test('replays recorded candles on paper only', () => {
    const replay = form({ prices: 'replay', replayFrom: '2020-04-01', replaySpeed: '120' });
    expect(formProblems(replay, NOW)).toEqual({});
    expect(tradingBody(strategy, replay)).toMatchObject({ replay_from: '2020-04-01', replay_speed: 120 });
    expect(Object.keys(tradingBody(strategy, replay))).not.toContain('prices');
    const live = tradingBody(strategy, { ...replay, way: 'live', account: 'A-1' });
    expect(live).toMatchObject({ prices: 'required' });
    expect(Object.keys(live)).not.toContain('replay_from');
    const wrong = form({ prices: 'replay', replayFrom: '', replaySpeed: '1.5' });
    expect(Object.keys(formProblems(wrong, NOW))).toEqual(['replayFrom', 'replaySpeed']);
  });

  test('takes a decimal comma and spaces between thousands, but no comma that may be either', () => {
    const typed = form({ capital: '12 500,5', commission: '0,25' });
    expect(formProblems(typed, NOW)).toEqual({});
    expect(tradingBody(strategy, typed)).toMatchObject({
      starting_capital: '12500.5',
      commission_rate: '0.0025',
    });
    expect(formProblems(form({ capital: '10,000' }), NOW)).toHaveProperty('capital');
    expect(formProblems(form({ capital: '10.000' }), NOW, 'de-DE')).toHaveProperty('capital');
    const costs = form({ commission: '1.000', spread: '2.000', slippage: '0.125' });
    expect(Object.keys(formProblems(costs, NOW, 'de-DE'))).toEqual(['commission', 'spread']);
    expect(formProblems(costs, NOW, 'en-GB')).toEqual({});
    expect(formProblems(form({ capital: '10.00' }), NOW, 'de-DE')).toEqual({});
  });

  test('sends no costs for a strategy without rules, and none for real money', () => {
    const free = tradingBody({ ...strategy, rules_hash: null }, form());
    const live = tradingBody(strategy, form({ way: 'live', account: 'A-1' }));
    expect(Object.keys(free)).not.toContain('commission_rate');
    expect(live).toMatchObject({ mode: 'live', account_id: 'A-1' });
    expect(Object.keys(live)).not.toContain('commission_rate');
  });

  test('names chosen symbols and the last day', () => {
    const body = notificationBody(strategy, form({ symbols: ['MSFT'], endDay: '2026-03-09' }));
    expect(body.symbol).toBe('MSFT');
    expect(Date.parse(body.expires_at ?? '')).toBe(new Date('2026-03-09T23:59:59').getTime());
  });

  test.each([
    ['capital', { capital: '0' }],
    ['capital', { capital: 'many' }],
    ['currency', { currency: '$' }],
    ['symbols', { symbols: [] }],
    ['channels', { channels: [] }],
    ['commission', { commission: '-1' }],
    ['slippage', { slippage: 'x' }],
    ['endDay', { endDay: '2026-02-01' }],
    ['endDay', { endDay: 'soon' }],
    ['account', { way: 'live' }],
    ['universe', { way: 'scanner' }],
  ] as const)('refuses a wrong %s', (field, more) => {
    expect(Object.keys(formProblems(form(more), NOW))).toEqual([field]);
  });

  test('asks only for what its way needs', () => {
    expect(formProblems(form({ way: 'scanner', universe: 'dow-30', capital: '', symbols: [] }), NOW)).toEqual(
      {},
    );
    expect(formProblems(form({ way: 'notification', capital: '' }), NOW)).toEqual({});
  });
});

test('Strategies that cannot be deployed say why', () => {
  expect(cannotDeploy(strategy)).toBeUndefined();
  expect(cannotDeploy({ ...strategy, is_own: false })).toContain('Copy the strategy first');
  expect(cannotDeploy({ ...strategy, status: 'archived' })).toContain('archived');
});
