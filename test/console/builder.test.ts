import { attemptFor, isRefusal } from '../../functions/console/app/attempt.ts';
import { beginHistory } from '../../functions/console/app/rules/history.ts';
import type { Json } from '../../functions/console/app/rules/json.ts';
import { fitLevel } from '../../functions/console/app/rules/operand-edits.ts';
import { numberIn, steppedNumber } from '../../functions/console/app/rules/typed-numbers.ts';
import { hintsOf } from '../../functions/console/app/screens/build/hints.ts';
import { type Work, works } from '../../functions/console/app/screens/build/kept-work.ts';
import { TEMPLATE_GROUPS } from '../../functions/console/app/screens/build/template-groups.ts';
import { numberText } from '../../functions/console/app/typed-decimal.ts';
import { HubApiError } from '../../infra/client/package/src/index.ts';
import { rulesSchema } from '../../shared/domain/engine/rules/schema.ts';
import { strategyTemplates } from '../../shared/domain/engine/rules/templates.ts';
import { crossRules } from '../support/rules.ts';

const keys = () => {
  let count = 0;
  return () => `key-${++count}`;
};

describe('a request that must not take effect twice', () => {
  const asked = ['Evening', ['AAPL'], '1d'];

  it('keeps its key while it asks for the same', () => {
    const newKey = keys();
    const first = attemptFor(asked, undefined, newKey);
    expect(attemptFor(['Evening', ['AAPL'], '1d'], first, newKey)).toEqual(first);
  });

  it.each([
    [['Morning', ['AAPL'], '1d']],
    [['Evening', ['AAPL', 'MSFT'], '1d']],
    [['Evening', ['AAPL'], '1h']],
  ])('gets another key for %j', (other) => {
    const newKey = keys();
    const first = attemptFor(asked, undefined, newKey);
    expect(attemptFor(other, first, newKey).key).toBe('key-2');
  });
});

test('only a refusal says that a request had no effect', () => {
  const answered = (status: number, retryAfterS?: number) =>
    new HubApiError({
      operation: 'deploy_live_strategy',
      status,
      code: undefined,
      detail: '',
      problems: [],
      requestId: undefined,
      retryAfterS,
      rateLimits: [],
      ways: [],
    });
  expect([404, 409, 500, 503].map((status) => isRefusal(answered(status)))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  // The first request is still running.
  expect(isRefusal(answered(409, 1))).toBe(false);
  expect(isRefusal(new TypeError('the connection broke'))).toBe(false);
});

describe('hints', () => {
  const hints = (more: Readonly<Record<string, unknown>>) =>
    hintsOf(rulesSchema.parse(crossRules(10, 30, more)));
  const exit = (side: string) => ({ side, when: { bars_in_trade: 5 } });

  it('tell that nothing closes a trade', () => {
    expect(hints({})).toEqual([
      'Nothing closes a long trade. Add an exit, a stop, a target or a time that closes everything.',
    ]);
  });

  it.each([{ exits: [exit('long')] }, { session: { square_off: '15:55' } }])('are absent with %j', (more) => {
    expect(hints(more)).toEqual([]);
  });

  it('tell an exit without an entry of its side', () => {
    expect(hints({ exits: [exit('long'), exit('short')] })).toEqual([
      'An exit is for short trades, but no entry opens one.',
    ]);
  });

  it('tell a number of trades that has no effect', () => {
    expect(hints({ exits: [exit('long')], max_trades: 3 })).toHaveLength(1);
    expect(hints({ exits: [exit('long')], max_trades: 3, pyramid: true })).toEqual([]);
  });
});

test('every template is in one group of the list', () => {
  expect(Object.values(TEMPLATE_GROUPS).flat().toSorted()).toEqual(
    strategyTemplates()
      .map(({ key }) => key)
      .toSorted(),
  );
});

describe('typed numbers', () => {
  it.each([
    ['12', 12],
    [' 0.5 ', 0.5],
    ['2,5', 2.5],
    ['-3', -3],
    ['−3', -3],
    ['1e3', 1000],
    ['.5', 0.5],
    ['7.', 7],
  ])('%j is %d', (text, number) => {
    expect(numberIn(text)).toBe(number);
  });

  it.each(['', 'abc', '1e', '1,000.5', '10,000', '0x10', 'Infinity', '1e999', '--1'])(
    '%j stays a text',
    (text) => {
      expect(numberIn(text)).toBe(text);
    },
  );

  it.each([0.1, 1e21, -5e-7, 0, 1.125, -250.375])('%d can be typed again in every locale', (number) => {
    expect(numberIn(numberText(number), 'en-GB')).toBe(number);
    expect(numberIn(numberText(number), 'de-DE')).toBe(number);
  });

  it('may have a point between thousands where a comma is usual for decimals, and then stay a text', () => {
    expect([numberIn('1.000', 'de-DE'), numberIn('1.000', 'en-GB')]).toEqual(['1.000', 1]);
    expect([numberIn('0.125', 'de-DE'), numberIn('1.0000', 'de-DE')]).toEqual([0.125, 1]);
  });
});

describe('unsaved work', () => {
  const workOn = (name: string): Work => ({
    history: beginHistory({}),
    market: { name, symbols: [], timeframe: '1d' },
    saved: undefined,
    target: undefined,
    attempt: undefined,
  });

  test('is kept for the user who did it, apart from that of others in the same page', () => {
    const [adas, graces] = [workOn('Evening'), workOn('Morning')];
    works.keep('u_ada', 'new', adas);
    expect(works.find('u_grace', 'new')).toBeUndefined();
    works.keep('u_grace', 'new', graces);
    expect([works.find('u_ada', 'new'), works.find('u_grace', 'new')]).toEqual([adas, graces]);
    works.keep('u_grace', 'new', undefined);
    expect([works.find('u_ada', 'new'), works.find('u_grace', 'new')]).toEqual([adas, undefined]);
  });
});

test.each([
  [14, 1, true, 15],
  [14, -20, true, -6],
  [0.02, 1, false, 0.021],
  [5, 3, false, 5.3],
  [30, -1, false, 29],
  [0, 1, false, 0.001],
  [0.3, 1, false, 0.31],
])('an arrow key steps %p by %p (whole: %p) to %p', (value, steps, isWhole, to) => {
  expect(steppedNumber(value, steps, isWhole)).toBe(to);
});

describe('the other side of a comparison', () => {
  const close = { price: 'close', ago: 0 };
  const rsi = { indicator: 'rsi', length: 14, source: 'close', ago: 0 };
  const sma = { ...rsi, indicator: 'sma' };
  const fitted = (left: Json, right: Json): Json => fitLevel({ left, op: 'gt', right }, ['left']);

  it.each([
    ['is the usual level of an oscillator', rsi, close, 30],
    ['is no longer an average', rsi, sma, 30],
    ['stays another oscillator', rsi, { ...rsi, length: 5 }, { ...rsi, length: 5 }],
    ['stays a parameter', rsi, { param: 'level' }, { param: 'level' }],
    ['is a price for an average', sma, 0, close],
    ['stays a price', sma, close, close],
    ['stays an average', sma, { ...sma, length: 50 }, { ...sma, length: 50 }],
    ['stays for a price', close, 5, 5],
  ])('%s', (_, left, right, expected) => {
    expect(fitted(left, right)).toEqual({ left, op: 'gt', right: expected });
  });

  const profit = { trade: 'percent_from_entry' };
  it.each([
    ['crosses', 'gt'],
    ['crosses_above', 'gt'],
    ['crosses_below', 'lt'],
    ['lte', 'lte'],
  ])('is compared at one bar with a value of the trade: %s becomes %s', (op, expected) => {
    expect(fitLevel({ left: profit, op, right: close }, ['left'])).toEqual({
      left: profit,
      op: expected,
      right: 5,
    });
    const within = { multiply: [{ trade: 'entry_price' }, 0.9] };
    expect(fitLevel({ left: close, op, right: within }, ['right', 'multiply', 0])).toMatchObject({
      op: expected,
    });
  });

  it('is a price for a price of the trade', () => {
    expect(fitted({ trade: 'highest_since_entry' }, 5)).toMatchObject({ right: close });
  });

  it.each([
    ['fit an oscillator', rsi, [close, close], [30, 60]],
    ['stay with a parameter', rsi, [{ param: 'low' }, 60], [{ param: 'low' }, 60]],
    ['stay with values for a price', close, [sma, sma], [sma, sma]],
  ])('are bounds that %s', (_, value, between, expected) => {
    expect(fitLevel({ value, between }, ['value'])).toEqual({ value, between: expected });
  });

  it('is not that of arithmetic', () => {
    const draft = { left: { add: [rsi, 1] }, op: 'gt', right: close };
    expect(fitLevel(draft, ['left', 'add', 0])).toBe(draft);
  });
});
