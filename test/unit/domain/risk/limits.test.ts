import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { storedAmount } from '../../../../shared/domain/risk/amount.ts';
import { checkEntry } from '../../../../shared/domain/risk/check-entry.ts';
import { isOpenAt, nextOpening } from '../../../../shared/domain/risk/hours.ts';
import { limitsOf, mergeLimits } from '../../../../shared/domain/risk/limits.ts';
import { limitsInput } from '../../../../shared/domain/risk/limits-input.ts';
import {
  countOrder,
  expectEntry,
  type RiskState,
  settleEntry,
  startRisk,
} from '../../../../shared/domain/risk/state.ts';

const AT = Date.parse('2026-03-02T15:00:00Z');
const NEW_YORK = { time_zone: 'America/New_York', from: '09:30', to: '16:00' };
const NONE = new Map();

describe('levels', () => {
  test('the strictest limit of each level wins', () => {
    const merged = mergeLimits([
      { orders_per_day: 100, daily_loss: '500' },
      { daily_loss: '90', symbols: ['AAPL', 'MSFT'], hours: NEW_YORK, action: 'flatten' },
      undefined,
      { orders_per_day: 200, symbols: ['MSFT', 'TSLA'], paper_days: 7, action: 'pause' },
    ]);
    expect(merged).toEqual({
      orders_per_day: 100,
      daily_loss: '90',
      symbols: ['MSFT'],
      hours: [NEW_YORK],
      paper_days: 7,
      action: 'flatten',
    });
  });

  test('merging in any order gives the same amounts, and never a looser one', () => {
    const level = fc.record(
      {
        daily_loss: fc.integer({ min: 1, max: 100_000 }).map((cents) => (cents / 100).toFixed(2)),
        orders_per_minute: fc.integer({ min: 1, max: 50 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(level, { maxLength: 4 }), (levels) => {
        const merged = mergeLimits(levels);
        expect(Number(mergeLimits(levels.toReversed()).daily_loss)).toEqual(Number(merged.daily_loss));
        for (const { daily_loss, orders_per_minute } of levels) {
          if (daily_loss !== undefined)
            expect(Number(merged.daily_loss)).toBeLessThanOrEqual(Number(daily_loss));
          if (orders_per_minute !== undefined) {
            expect(merged.orders_per_minute).toBeLessThanOrEqual(orders_per_minute);
          }
        }
      }),
    );
  });

  test('a paper deployment without limits has none, one with real orders those of its plan', () => {
    expect(limitsOf('virtual', { plan: 'free' }, undefined)).toBeUndefined();
    expect(limitsOf('live', { plan: 'free' }, undefined)?.merged).toEqual({
      orders_per_day: 1000,
      orders_per_minute: 60,
    });
    const own = limitsOf('virtual', { plan: 'pro', limits_rev: 3 }, undefined, { order_value: '10' });
    expect(own).toEqual({ rev: 1, user_rev: 3, own: { order_value: '10' }, merged: { order_value: '10' } });
  });

  test.each([
    [{ daily_loss: 0 }],
    [{ daily_loss_pct: 101 }],
    [{ orders_per_day: 1.5 }],
    [{ symbols: [] }],
    [{ hours: { ...NEW_YORK, time_zone: 'Mars/Olympus' } }],
    [{ hours: { ...NEW_YORK, from: '24:00' } }],
    [{ daily_losses: 1 }],
  ])('refuses %j', (input) => {
    expect(limitsInput.safeParse(input).success).toBe(false);
  });
});

describe('hours', () => {
  const at = (time: string): number => Date.parse(`2026-${time}:00Z`);

  test('follow the time zone through a change of the clocks', () => {
    expect([isOpenAt(NEW_YORK, at('03-02T14:30')), isOpenAt(NEW_YORK, at('03-02T21:00'))]).toEqual([
      true,
      false,
    ]);
    expect([isOpenAt(NEW_YORK, at('03-09T13:30')), isOpenAt(NEW_YORK, at('03-09T20:00'))]).toEqual([
      true,
      false,
    ]);
  });

  test('pass midnight with the weekday on which they begin', () => {
    const night = { time_zone: 'UTC', weekdays: ['mon' as const], from: '22:00', to: '02:00' };
    expect(isOpenAt(night, at('03-02T23:00'))).toBe(true);
    expect(isOpenAt(night, at('03-03T01:59'))).toBe(true);
    expect(isOpenAt(night, at('03-02T01:00'))).toBe(false);
    expect(isOpenAt(night, at('03-03T02:00'))).toBe(false);
  });

  test('open next when all of them are open, also after a change of the clocks', () => {
    const every = { ...NEW_YORK, weekdays: undefined };
    const opening = (time: string, ...hours: Parameters<typeof nextOpening>[0]): string | undefined => {
      const moment = nextOpening(hours, at(time), { hasTime: true });
      return moment === undefined ? undefined : new Date(moment).toISOString();
    };
    // The clocks of New York change on 8 March 2026.
    expect(opening('03-07T22:00', every)).toBe('2026-03-08T13:30:00.000Z');
    expect(opening('03-02T22:00', every, { ...every, time_zone: 'UTC', from: '15:00', to: '18:00' })).toBe(
      '2026-03-03T15:00:00.000Z',
    );
    expect(opening('03-03T14:00', { ...every, weekdays: ['mon'] })).toBe('2026-03-09T13:30:00.000Z');
    expect(opening('03-03T14:00', { ...every, weekdays: ['mon'] }, { ...every, weekdays: ['fri'] })).toBe(
      undefined,
    );
  });

  test('of days open next at the first midnight of such a day', () => {
    const monday = { ...NEW_YORK, weekdays: ['mon'] };
    expect(nextOpening([monday], at('03-03T05:00'), { hasTime: false })).toBe(at('03-09T04:00'));
  });
});

describe('entries', () => {
  const entry = (more: Partial<Parameters<typeof checkEntry>[3]> = {}) => ({
    symbol: 'AAPL',
    at: AT,
    value: storedAmount('100'),
    ...more,
  });
  const check = (
    limits: Parameters<typeof checkEntry>[0],
    state: RiskState = startRisk({ calendars: ['always'] }, AT),
    positions = NONE,
  ) => checkEntry(limits, state, positions, entry())?.limit;

  test('are refused by symbol, hours, and value', () => {
    expect(check({ symbols: ['MSFT'] })).toBe('symbols');
    expect(check({ hours: [{ ...NEW_YORK, from: '10:01' }] })).toBe('hours');
    expect(check({ order_value: '100' })).toBeUndefined();
    expect(check({ order_value: '99.99' })).toBe('order_value');
    expect(check({ position_value: '250' }, undefined, new Map([['AAPL', storedAmount('151')]]))).toBe(
      'position_value',
    );
  });

  test('that wait count as positions until they are settled', () => {
    const waiting = expectEntry(startRisk({ calendars: ['always'] }, AT), 'o1', {
      symbol: 'MSFT',
      value: storedAmount('60'),
    });
    expect(check({ open_positions: 1 }, waiting)).toBe('open_positions');
    expect(check({ open_positions: 1 }, settleEntry(waiting, 'o1'))).toBeUndefined();
    const same = expectEntry(startRisk({ calendars: ['always'] }, AT), 'o1', {
      symbol: 'AAPL',
      value: storedAmount('60'),
    });
    expect(check({ open_positions: 1, position_value: '160' }, same)).toBeUndefined();
    expect(check({ position_value: '159' }, same)).toBe('position_value');
    const turning = entry({ leaves: storedAmount('40') });
    const held = new Map([['AAPL', storedAmount('60')]]);
    expect(checkEntry({ position_value: '100' }, same, held, turning)).toBeUndefined();
    expect(checkEntry({ position_value: '99' }, same, held, turning)?.used).toBe('100');
  });

  test('are counted by day and minute', () => {
    const three = [0, 1, 61_000].reduce(
      (state, more) => countOrder(state, AT + more),
      startRisk({ calendars: ['always'] }, AT),
    );
    expect(three).toMatchObject({ orders_today: 3, orders_minute: 1 });
    expect(check({ orders_per_day: 3 }, three)).toBe('orders_per_day');
    expect(checkEntry({ orders_per_day: 3 }, three, NONE, entry({ at: AT + 86_400_000 }))).toBeUndefined();
    expect(checkEntry({ orders_per_minute: 1 }, three, NONE, entry({ at: AT + 62_000 }))?.limit).toBe(
      'orders_per_minute',
    );
    const refusal = checkEntry({ orders_per_day: 3 }, three, NONE, entry());
    expect(refusal).toEqual({ limit: 'orders_per_day', used: '4', allowed: '3' });
  });

  test('are all refused after a limit has stopped the deployment', () => {
    const tripped = { limit: 'daily_loss', at: '2026-03-02T15:00:00.000Z', used: '1', allowed: '1' };
    expect(check({}, { ...startRisk({ calendars: ['always'] }, AT), tripped })).toBe('tripped');
  });
});
