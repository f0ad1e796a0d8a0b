import { numberIn, numberText } from '../../functions/console/app/rules/typed-numbers.ts';
import { attemptFor } from '../../functions/console/app/screens/build/attempt.ts';
import { hintsOf } from '../../functions/console/app/screens/build/hints.ts';
import { rulesSchema } from '../../shared/domain/engine/rules/schema.ts';
import { crossRules } from '../support/rules.ts';

const market = { name: 'Evening', symbols: ['AAPL'], timeframe: '1d' } as const;

const keys = () => {
  let count = 0;
  return () => `key-${++count}`;
};

describe('the request that makes a strategy', () => {
  it('keeps its key while the market is the same, so that a repeat makes no second strategy', () => {
    const newKey = keys();
    const first = attemptFor(market, undefined, newKey);
    expect(attemptFor({ ...market, name: ' Evening ' }, first, newKey)).toEqual(first);
  });

  it.each([{ name: 'Morning' }, { symbols: ['AAPL', 'MSFT'] }, { timeframe: '1h' as const }])(
    'gets another key with %j',
    (change) => {
      const newKey = keys();
      const first = attemptFor(market, undefined, newKey);
      expect(attemptFor({ ...market, ...change }, first, newKey).key).toBe('key-2');
    },
  );
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

  it.each(['', 'abc', '1e', '1,000.5', '0x10', 'Infinity', '1e999', '--1'])('%j stays a text', (text) => {
    expect(numberIn(text)).toBe(text);
  });

  it.each([0.1, 1e21, -5e-7, 0])('%d can be typed again', (number) => {
    expect(numberIn(numberText(number))).toBe(number);
  });
});
