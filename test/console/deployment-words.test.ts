import { describe, expect, test } from '@jest/globals';
import {
  type EntryClock,
  refusalSentences,
} from '../../functions/console/app/deployments/allowed-entries.ts';
import { changesAny } from '../../functions/console/app/deployments/changes.ts';
import { equityPoints, newestEquity } from '../../functions/console/app/deployments/equity-points.ts';
import {
  attributionRows,
  decisionName,
  parityWords,
  tookWords,
} from '../../functions/console/app/deployments/parity-words.ts';
import { hasOwnTime, oldPricesTexts } from '../../functions/console/app/deployments/price-freshness.ts';
import {
  closingText,
  commandsFor,
  type DeploymentFacts,
  stateWords,
} from '../../functions/console/app/deployments/state-words.ts';
import {
  conditionTree,
  type EntryLimits,
  limitSentences,
  missingOf,
  whyOf,
} from '../../functions/console/app/deployments/why.ts';
import { timeFormats } from '../../functions/console/app/format/times.ts';
import type {
  GetDeploymentEngineOutput,
  GetParityOutput,
  RiskLimits,
} from '../../infra/client/package/src/index.ts';
import { oldAfterMs } from '../../shared/domain/deployments/engines.ts';
import { NO_LIMITS } from '../support/no-limits.ts';

type EngineSymbol = GetDeploymentEngineOutput['symbols'][number];
type Decision = NonNullable<EngineSymbol['evaluation']>['entries'][number];

const facts = (more: Partial<DeploymentFacts> = {}): DeploymentFacts => ({
  kind: 'live',
  status: 'active',
  phase: 'waiting',
  stop_reason: null,
  held: null,
  stopping: null,
  ...more,
});

const AT = '2026-03-02T10:00:00.000Z';

describe('The state of a deployment', () => {
  test('names who paused it and why', () => {
    const held = { by: 'user', reason: 'Earnings are due', at: AT } as const;
    expect(stateWords(facts({ status: 'paused', held }))).toEqual({
      tone: 'warn',
      label: 'Paused',
      sentence: 'Paused by you. Earnings are due. It opens no position. Stops, targets and exits go on.',
    });
  });

  test('names the engine that paused it', () => {
    const held = { by: 'engine', reason: 'The keys are refused', at: AT } as const;
    expect(stateWords(facts({ status: 'paused', held })).sentence).toMatch(
      /^Paused by its engine\. The keys are refused\./,
    );
  });

  test('says where to look if who paused it, or why it failed, is not in its record', () => {
    expect(stateWords(facts({ status: 'paused' })).sentence).toContain('audit trail');
    expect(stateWords(facts({ status: 'error' })).sentence).toBe(
      'Its engine reported a failure. A notification has the reason.',
    );
  });

  test('leaves out a reason that was not given', () => {
    const held = { by: 'risk_limit', reason: 'No reason given.', at: AT } as const;
    expect(stateWords(facts({ status: 'halted', held })).sentence).toBe(
      'Halted by a risk limit. It sends no orders, not even to close a position.',
    );
  });

  test('tells that a stop is on its way', () => {
    const stopping = { by: 'user', reason: 'Enough.', flatten: true, until: AT } as const;
    const words = stateWords(facts({ status: 'halted', stopping }));
    expect(words.label).toBe('Stopping');
    expect(words.sentence).toContain('closes positions');
  });

  test('tells why it ended', () => {
    expect(stateWords(facts({ status: 'stopped', stop_reason: 'position_missing' })).sentence).toBe(
      'A position was closed at the broker by hand.',
    );
  });

  test.each([
    ['requested', { pause: false, resume: false, stop: true }],
    ['active', { pause: true, resume: false, stop: true }],
    ['paused', { pause: false, resume: true, stop: true }],
    ['halted', { pause: false, resume: true, stop: true }],
    ['error', { pause: false, resume: false, stop: true }],
    ['stopped', { pause: false, resume: false, stop: false }],
    ['expired', { pause: false, resume: false, stop: false }],
  ] as const)('%s allows its commands', (status, allowed) => {
    expect(commandsFor({ status, stopping: null })).toEqual(allowed);
  });
});

const conditions: Decision['conditions'] = [
  { level: 0, text: 'all of', holds: false },
  { level: 1, text: 'close = 101 > SMA(200) = 99', holds: true },
  { level: 1, text: 'any of', holds: false },
  { level: 2, text: 'RSI(14) = 41.2 < 30', holds: false },
  { level: 2, text: 'RSI(2) = 12 < 5', holds: false },
  { level: 1, text: 'volume = 10 > 20', holds: false },
];

describe('Conditions', () => {
  test('are a tree again', () => {
    const [root] = conditionTree(conditions);
    expect(root?.inner.map(({ text, inner }) => [text, inner.length])).toEqual([
      ['close = 101 > SMA(200) = 99', 0],
      ['At least one of these holds', 2],
      ['volume = 10 > 20', 0],
    ]);
  });

  test('that are missing are the smallest ones', () => {
    expect(missingOf(conditionTree(conditions)).map(({ text }) => text)).toEqual([
      'RSI(14) = 41.2 < 30',
      'RSI(2) = 12 < 5',
      'volume = 10 > 20',
    ]);
  });
});

const entry = (more: Partial<Decision> = {}): Decision => ({
  side: 'long',
  holds: false,
  blocked: null,
  conditions: [{ level: 0, text: 'RSI(14) = 41.2 < 30', holds: false }],
  ...more,
});

const symbol = (more: Partial<EngineSymbol> = {}, entries: Decision[] = [entry()]): EngineSymbol => ({
  symbol: 'AAPL',
  waits_for: '',
  last_bar: { start: AT, closed_at: AT },
  next_bar_due_at: null,
  data_delay_s: 0,
  data_delay_note: null,
  evaluation: { at: AT, is_evaluated: true, values: [], entries, exits: [] },
  orders: [],
  trades: [],
  decisions: [],
  error: null,
  failing_since: null,
  ...more,
});

/** A long position without a stop. */
const LONG = {
  client_order_id: null,
  side: 'long',
  quantity: 1,
  entry_at: AT,
  entry_price: 100,
  stop_loss: null,
  is_trailed: false,
  take_profit: null,
  closing_quantity: 0,
} as const;

const limits = (more: Partial<EntryLimits> = {}): EntryLimits => ({
  usage: [],
  merged: NO_LIMITS,
  clock: { now: Date.parse(AT), timeframe: '5m', isOfBars: false },
  ...more,
});

describe('Why a deployment did not trade', () => {
  test('names the condition that did not hold, with its value', () => {
    expect(whyOf(symbol(), facts())).toEqual({
      tone: 'info',
      answer: 'Nothing is wrong: its conditions did not hold at the last bar.',
      details: ['Buying: RSI(14) = 41.2 < 30 does not hold.'],
    });
  });

  test('names what blocks an entry whose conditions hold', () => {
    const held = entry({
      conditions: [{ level: 0, text: 'RSI(14) = 21 < 30', holds: true }],
      blocked: 'the account waits after its last trade',
    });
    expect(whyOf(symbol({}, [held]), facts())).toMatchObject({
      tone: 'warn',
      answer: 'Its conditions hold, but the account waits after its last trade.',
    });
  });

  test('names a condition that holds but must not', () => {
    const negated = entry({
      conditions: [
        { level: 0, text: 'not', holds: false },
        { level: 1, text: 'RSI(14) = 41.2 > 30', holds: true },
      ],
    });
    expect(whyOf(symbol({}, [negated]), facts()).details).toEqual([
      'Buying: RSI(14) = 41.2 > 30 holds, but must not.',
    ]);
  });

  test('tells that the signal of a notification deployment is on', () => {
    const held = entry({
      conditions: [{ level: 0, text: 'RSI(14) = 21 < 30', holds: true }],
      blocked: 'an order waits',
    });
    expect(whyOf(symbol({}, [held]), facts({ kind: 'notification' }))).toEqual({
      tone: 'good',
      answer: 'Its conditions held at the last bar, so its signal is on.',
      details: [],
    });
  });

  test('puts a pause before the conditions', () => {
    const held = { by: 'user', reason: 'Holiday.', at: AT } as const;
    const why = whyOf(symbol(), facts({ status: 'paused', held }));
    expect(why.answer).toContain('Paused by you. Holiday.');
    expect(why.details).toHaveLength(1);
  });

  test.each([
    ['an error of the symbol', { error: 'The series has no bars.' }, 'bad', /leaves this symbol out/],
    ['an engine that fails', { failing_since: AT }, 'bad', /tries again/],
    ['no bar yet', { last_bar: null }, 'info', /has not seen a bar/],
    ['late data', { data_delay_s: 7200 }, 'warn', /2 hours late|120 minutes late/],
    ['no evaluation', { evaluation: null }, 'info', /need more bars/],
  ] as const)('names %s first', (_name, more, tone, text) => {
    const why = whyOf(symbol(more), facts());
    expect(why.tone).toBe(tone);
    expect(why.answer).toMatch(text);
  });

  test('tells that it is in a position, and what keeps it there', () => {
    const trades = [LONG];
    const exits = [entry({ conditions: [{ level: 0, text: 'RSI(14) = 41 > 70', holds: false }] })];
    const evaluation = { at: AT, is_evaluated: true, values: [], entries: [entry()], exits };
    expect(whyOf(symbol({ trades, evaluation }), facts())).toEqual({
      tone: 'good',
      answer: 'It holds a position now.',
      details: ['It stays in because RSI(14) = 41 > 70 does not hold.'],
    });
  });

  describe('while a risk limit is used up', () => {
    const use = (limit: string, used_pct: number) => ({ limit, used: used_pct, allowed: 100, used_pct });
    const whyWith = (...usage: ReturnType<typeof use>[]) => whyOf(symbol(), facts(), limits({ usage }));

    test('says so, and not that nothing is wrong', () => {
      expect(whyWith(use('orders_per_day', 100))).toEqual({
        tone: 'warn',
        answer:
          'Its conditions did not hold at the last bar, and the risk limit “Orders in a day” is used up.',
        details: ['Buying: RSI(14) = 41.2 < 30 does not hold.'],
      });
      expect(whyWith(use('orders_per_day', 100), use('open_positions', 120)).answer).toMatch(
        /the risk limits “Orders in a day” and “Open positions” are used up\.$/,
      );
    });

    test('does not promise that an entry follows', () => {
      const held = entry({ conditions: [{ level: 0, text: 'RSI(14) = 21 < 30', holds: true }] });
      const { tone, answer } = whyOf(
        symbol({}, [held]),
        facts(),
        limits({ usage: [use('orders_per_day', 100)] }),
      );
      expect([tone, answer]).toEqual([
        'warn',
        'Its conditions held at the last bar, but the risk limit “Orders in a day” is used up: entries beyond it are refused.',
      ]);
    });

    test('answers as usual as long as a part of it is left', () => {
      expect(whyWith(use('orders_per_day', 99.9)).tone).toBe('info');
    });
  });

  describe('while its owner allows no entry', () => {
    const only = (allowed: Partial<RiskLimits>, clock: Partial<EntryClock> = {}): EntryLimits => {
      const usual = limits();
      return { ...usual, merged: { ...NO_LIMITS, ...allowed }, clock: { ...usual.clock, ...clock } };
    };
    const holding = entry({ conditions: [{ level: 0, text: 'RSI(14) = 21 < 30', holds: true }] });
    // Monday 10:00 UTC is Monday 05:00 in New York.
    const newYork = { time_zone: 'America/New_York', weekdays: null, from: '09:30', to: '16:00' };

    test('in its symbol, it names the allowed ones', () => {
      const why = whyOf(symbol({}, [holding]), facts(), only({ symbols: ['MSFT', 'TSLA'] }));
      expect([why.tone, why.answer]).toEqual([
        'warn',
        'Its risk limits allow entries only in MSFT, TSLA, so it does not trade AAPL.',
      ]);
      expect(whyOf(symbol(), facts(), only({ symbols: [] })).answer).toBe(
        'Its risk limits allow entries in no symbol, so it does not trade AAPL.',
      );
      expect(whyOf(symbol(), facts(), only({ symbols: ['AAPL'] })).tone).toBe('info');
    });

    test('at this time, it names the hours and when it may enter again', () => {
      const again = timeFormats(undefined, 'America/New_York').when('2026-03-02T14:30:00Z').text;
      expect(whyOf(symbol({}, [holding]), facts(), only({ hours: [newYork] }))).toEqual({
        tone: 'warn',
        answer: 'Its conditions held at the last bar, but its risk limits allow no entry at this time.',
        details: [
          'Entries are allowed from 09:30 to 16:00 (America/New_York), every day.',
          `It may enter again from ${again} (America/New_York).`,
          'Buying: the conditions hold, but not at this time.',
        ],
      });
      expect(whyOf(symbol(), facts(), only({ hours: [newYork] })).answer).toBe(
        'Its conditions did not hold at the last bar, and its risk limits allow no entry at this time.',
      );
    });

    test('no more once its hours are open', () => {
      const open = { ...newYork, from: '05:00' };
      expect(whyOf(symbol({}, [holding]), facts(), only({ hours: [open] })).tone).toBe('good');
    });

    test('on paper, the time of the bar counts', () => {
      const clock = { now: Date.parse('2026-03-02T15:00:00Z'), isOfBars: true };
      const why = whyOf(symbol(), facts(), only({ hours: [newYork] }, clock));
      expect(why.answer).toMatch(/allow no entry at the time of that bar\.$/);
      expect(why.details[1]).toMatch(
        /^It may enter again on bars that start at or after .*\(America\/New_York\)\.$/,
      );
    });

    test('on bars of days, their weekday counts alone', () => {
      const clock = { timeframe: '1d', isOfBars: true };
      const days = (weekdays: string[]) => only({ hours: [{ ...newYork, weekdays }] }, clock);
      expect(whyOf(symbol(), facts(), days(['mon'])).tone).toBe('info');
      expect(whyOf(symbol(), facts(), days(['tue', 'fri'])).details[0]).toBe(
        'Entries are allowed on bars of these days: Tuesday, Friday (America/New_York).',
      );
    });

    test('in hours that are never open together, it says so', () => {
      const early = { ...newYork, from: '06:00', to: '07:00' };
      expect(whyOf(symbol(), facts(), only({ hours: [newYork, early] })).details[2]).toBe(
        'These hours are never open together, so it cannot enter at all. Change the hours under Risk.',
      );
    });

    test('hours of a time zone that the browser does not know are left to the service', () => {
      const unknown = { ...newYork, time_zone: 'Mars/Olympus' };
      expect(whyOf(symbol(), facts(), only({ hours: [unknown] })).tone).toBe('info');
    });

    test('it still holds its position', () => {
      const why = whyOf(symbol({ trades: [LONG] }), facts(), only({ symbols: [], hours: [newYork] }));
      expect(why.answer).toBe('It holds a position now.');
    });

    test('while another engine runs it, both are named', () => {
      const { merged, clock } = only({ symbols: ['MSFT'], hours: [newYork] });
      const [symbols, hours] = refusalSentences(merged, ['AAPL', 'MSFT'], clock);
      expect(symbols).toBe(
        'Its risk limits allow entries only in MSFT: entries in AAPL are refused. Exits go on.',
      );
      expect(hours).toMatch(/^Its risk limits allow no entry now\. Entries are allowed from 09:30 to 16:00/);
      expect(refusalSentences(NO_LIMITS, ['AAPL'], clock)).toEqual([]);
    });
  });

  test('names risk limits that were reached or nearly are', () => {
    const usage = [
      { limit: 'daily_loss', used: 85, allowed: 100, used_pct: 85 },
      { limit: 'open_positions', used: 1, allowed: 5, used_pct: 20 },
      { limit: 'orders_per_day', used: 4, allowed: 4, used_pct: 100 },
    ];
    const state = {
      day: '2026-03-02',
      orders_today: 0,
      orders_minute: 0,
      equity: 1,
      peak_equity: 1,
      armed_at: null,
      warned: [],
      tripped: { limit: 'drawdown_pct', at: AT, used: 10, allowed: 10 },
    };
    expect(limitSentences({ usage, state })).toEqual([
      'The risk limit “Fall below the peak” was reached and stopped it.',
      '85% of the risk limit “Loss in a day” is used.',
      'The risk limit “Orders in a day” is used up: entries beyond it are refused. Exits go on.',
    ]);
  });
});

describe('Parity', () => {
  const parity: GetParityOutput = {
    deployment_id: 1,
    is_equal: true,
    is_complete: true,
    compared: { symbols: ['AAPL'], bars: 120, late_bars: 0, orders: 2, trades: 1, from: AT, to: AT },
    left_out: [],
    differences_count: 0,
    differences: [],
    attribution: null,
  };

  test('that is equal is good news', () => {
    const { tone, answer, details } = parityWords(parity);
    expect([tone, answer]).toEqual(['good', 'It trades exactly as its backtest says.']);
    expect(details[0]).toBe(
      'A backtest of the same rules over the same 120 bars has 2 orders and 1 closed trade.',
    );
  });

  test('counts its differences, and names what was left out', () => {
    const other = {
      ...parity,
      is_equal: false,
      differences_count: 1,
      is_complete: false,
      left_out: ['TSLA'],
    };
    const { tone, answer, details } = parityWords(other);
    expect([tone, answer]).toEqual(['warn', 'It differs from its backtest in 1 place.']);
    expect(details.at(-1)).toContain('TSLA');
  });

  test('says how many bars were late', () => {
    const late = { ...parity, compared: { ...parity.compared, late_bars: 3 } };
    const { tone, details } = parityWords(late);
    expect([tone, details.at(-1)]).toEqual([
      'good',
      '3 bars arrived after later ones. The deployment did not trade on them; charts and new backtests have them.',
    ]);
  });

  test('of real orders says what the account made against its backtest, and by cause', () => {
    const attribution = {
      currency: 'USD',
      pnl: -40,
      backtest_pnl: 100,
      difference: -140,
      slippage: -30,
      fees: -2,
      delay: -8,
      missing: -150,
      extra: 50,
      fills_count: 1,
      fills: [
        {
          kind: 'missing' as const,
          symbol: 'AAPL',
          at: AT,
          decision: 'entry',
          side: 'buy' as const,
          quantity: 10,
          client_order_id: 'AAPL:1:e0',
          price: null,
          backtest_price: 100,
          delay_ms: null,
          reason: 'the order was rejected',
          slippage: 0,
          fees: 0,
          delay: 0,
          missing: -150,
          extra: 0,
        },
      ],
    };
    const { tone, answer, details } = parityWords({ ...parity, is_equal: false, attribution });
    expect([tone, answer]).toEqual([
      'info',
      'Your account made -$40.00, its backtest +$100.00: a difference of -$140.00.',
    ]);
    expect(details[0]).toContain('The reasons are below.');
    const rows = attributionRows(attribution);
    const sum = rows.slice(0, -1).reduce((total, { amount }) => total + amount, 0);
    expect([rows.at(-1)?.amount, sum]).toEqual([-140, -140]);
    const matched = attribution.fills.map((fill) => ({ ...fill, kind: 'matched' as const }));
    expect(parityWords({ ...parity, attribution: { ...attribution, fills: matched } }).tone).toBe('good');
    expect([tookWords(1234), tookWords(150_000), tookWords(null)]).toEqual(['1.2 s', '3 min', '–']);
    expect([decisionName('stop_loss'), decisionName('new_one')]).toEqual(['Stop', 'new_one']);
  });

  test('without a bar has nothing to compare', () => {
    const none = { ...parity, compared: { ...parity.compared, bars: 0 } };
    expect(parityWords(none).tone).toBe('info');
  });
});

test('a list of deployments follows its own ones and new ones', () => {
  const follows = (type: string, deployment_id?: number) => changesAny([4, 7], { type, deployment_id });
  expect(follows('order.filled', 7)).toBe(true);
  expect(follows('deployment.stopped', 4)).toBe(true);
  expect(follows('deployment.started', 9)).toBe(true);
  expect(follows('deployment.stopped', 9)).toBe(false);
  expect(follows('order.filled', 9)).toBe(false);
  expect(follows('backtest.done')).toBe(false);
});

test('a stop says what becomes of positions, also of those that open meanwhile', () => {
  const text = (flatten: boolean, hasPositions: boolean) => closingText({ flatten, hasPositions });
  expect([text(true, true), text(false, true), text(true, false), text(false, false)]).toEqual([
    expect.stringContaining('Everything is closed'),
    expect.stringContaining('nothing watches them'),
    expect.stringContaining('is closed at the next price'),
    expect.stringContaining('stays open'),
  ]);
});

describe('The age of prices', () => {
  const now = Date.parse('2026-03-02T10:00:00Z');
  const textsOf = (symbol: string, start: string | null, timeframe: '5m' | '1d' | '1w' = '1d') =>
    oldPricesTexts([{ symbol, start }], timeframe, now, (moment) => moment.slice(0, 10));

  test('is named if the newest bar is of long ago, or there is none', () => {
    expect(textsOf('AAPL', '2021-12-30T05:00:00Z')).toEqual([
      'The newest bar of AAPL is of 2021-12-30, 4y ago: there are no newer prices here.',
    ]);
    expect(textsOf('AAPL', null)).toEqual(['There are no prices of AAPL here.']);
  });

  test('is no matter over a weekend, nor on the demo market', () => {
    expect(textsOf('AAPL', '2026-02-27T05:00:00Z')).toEqual([]);
    expect(textsOf('AAPL', '2026-02-27T20:55:00Z', '5m')).toEqual([]);
    expect(textsOf('AAPL', '2026-02-16T05:00:00Z', '1w')).toEqual([]);
    expect(textsOf('NOVA.DEMO', '2017-02-27T05:00:00Z')).toEqual([]);
    expect([hasOwnTime(['NOVA.DEMO', 'AAPL']), hasOwnTime(['AAPL'])]).toEqual([true, false]);
    expect(hasOwnTime(['AAPL.REPLAY-1XOC1DC'])).toBe(true);
  });

  test('is allowed to be longer for longer bars', () => {
    expect(oldAfterMs('1m')).toBeLessThan(oldAfterMs('1d'));
    expect(oldAfterMs('1d')).toBeLessThan(oldAfterMs('1w'));
  });
});

describe('The equity of a deployment', () => {
  const performance = {
    starting_capital: 1000,
    equity_curve: [
      { day: '2026-03-01', equity: 1000, drawdown_pct: 0 },
      { day: '2026-03-02', equity: 1010, drawdown_pct: 0 },
      { day: '2026-03-03', equity: 990, drawdown_pct: 2 },
    ],
    metrics: {
      period_start: '2026-03-02T09:30:00.000Z',
      period_end: '2026-03-03T10:05:00.000Z',
      total_return_pct: -1,
    },
  };
  const timesOf = (points: readonly { readonly at: string; readonly equity: number }[]) =>
    points.map(({ at, equity }) => [at, equity]);

  const NOTHING = { trades: [], earlier: [] };

  test('has the time of the start, of closed trades, of the ends of days and of the newest bar', () => {
    const trades = [
      { closed_at: '2026-03-02T11:00:00.000Z', net_pnl: 15 },
      { closed_at: '2026-03-02T15:00:00.000Z', net_pnl: -5 },
    ];
    const earlier = [{ at: '2026-03-03T10:00:00.000Z', equity: 995 }];
    expect(timesOf(equityPoints(performance, '5m', { trades, earlier }))).toEqual([
      ['2026-03-02T11:00:00.000Z', 1015],
      ['2026-03-02T15:00:00.000Z', 1010],
      ['2026-03-02T09:30:00.000Z', 1000],
      ['2026-03-03T00:00:00.000Z', 1010],
      ['2026-03-03T10:00:00.000Z', 995],
      ['2026-03-03T10:05:00.000Z', 990],
    ]);
  });

  test('has a line from the first bar on', () => {
    const first = {
      starting_capital: 1000,
      equity_curve: [
        { day: '2026-03-01', equity: 1000, drawdown_pct: 0 },
        { day: '2026-03-02', equity: 1001, drawdown_pct: 0 },
      ],
      metrics: {
        period_start: '2026-03-02T09:30:00.000Z',
        period_end: '2026-03-02T09:35:00.000Z',
        total_return_pct: 0.1,
      },
    };
    expect(timesOf(equityPoints(first, '5m', NOTHING))).toEqual([
      ['2026-03-02T09:30:00.000Z', 1000],
      ['2026-03-02T09:35:00.000Z', 1001],
    ]);
  });

  test('has a line to now from a day that begins in the evening and has the date of the next one', () => {
    const otc = {
      starting_capital: 1000,
      equity_curve: [
        { day: '2026-03-02', equity: 1000, drawdown_pct: 0 },
        { day: '2026-03-03', equity: 1002, drawdown_pct: 0 },
        { day: '2026-03-04', equity: 1003, drawdown_pct: 0 },
      ],
      metrics: {
        period_start: '2026-03-02T22:30:00.000Z',
        period_end: '2026-03-03T22:15:00.000Z',
        total_return_pct: 0.3,
      },
    };
    expect(timesOf(equityPoints(otc, '5m', NOTHING))).toEqual([
      ['2026-03-02T22:30:00.000Z', 1000],
      ['2026-03-03T22:15:00.000Z', 1002],
      ['2026-03-03T22:15:00.000Z', 1003],
    ]);
  });

  test('has no newest point while a position has no price, and is by day for bars of a day', () => {
    const unpriced = {
      ...performance,
      equity_curve: performance.equity_curve.slice(0, 2),
      metrics: { ...performance.metrics, total_return_pct: null },
    };
    expect(newestEquity(unpriced)).toBeUndefined();
    expect(equityPoints(unpriced, '5m', NOTHING).at(-1)?.at).toBe('2026-03-03T00:00:00.000Z');
    expect(equityPoints(performance, '1d', NOTHING).map(({ at }) => at)).toEqual([
      '2026-03-01',
      '2026-03-02',
      '2026-03-03',
    ]);
  });
});
