import { expect, test } from '@jest/globals';
import { limitLabel } from '../../functions/console/app/risk/limits.ts';
import { limitsForm, readLimits } from '../../functions/console/app/risk/typed-limits.ts';
import { actionWords, allowedWords, hoursWords } from '../../functions/console/app/risk/words.ts';
import type { RiskLimits } from '../../infra/client/package/src/index.ts';
import { limitsInput } from '../../shared/domain/risk/limits-input.ts';
import { NO_LIMITS } from '../support/no-limits.ts';

const ZONE = 'Europe/Berlin';
const empty = limitsForm(null, ZONE);

test('an empty form sets no limit', () => {
  expect(readLimits(empty)).toEqual({ limits: {}, problems: {} });
  expect(limitsForm(NO_LIMITS, ZONE)).toEqual(empty);
});

test('a point between thousands is refused where a comma is usual for decimals, so that 1.500 is never 1.5', () => {
  const numbers = { ...empty.numbers, daily_loss: '1.500', drawdown_pct: '2.125', orders_per_day: '1.000' };
  const read = (locale: string) => readLimits({ ...empty, numbers }, locale);
  expect(Object.keys(read('de-DE').problems)).toEqual(['daily_loss', 'drawdown_pct', 'orders_per_day']);
  expect(read('en-GB')).toEqual({
    limits: { daily_loss: 1.5, drawdown_pct: 2.125, orders_per_day: 1 },
    problems: {},
  });
});

test.each(['de-DE', 'en-GB'])('stored numbers of three decimals are read as they are in %s', (locale) => {
  const amounts = { daily_loss: 1.125, order_value: 250.375, position_value: 1234.125 };
  const read = readLimits(limitsForm({ ...NO_LIMITS, ...amounts, drawdown_pct: 2.125 }, ZONE), locale);
  expect(read).toMatchObject({ limits: { ...amounts, drawdown_pct: 2.125 }, problems: {} });
});

test('stored limits come back from their form, as the service takes them', () => {
  const hours = { time_zone: 'Asia/Tokyo', weekdays: ['mon', 'fri'], from: '22:00', to: '04:00' };
  const stored: RiskLimits = {
    ...NO_LIMITS,
    daily_loss: 1500.5,
    drawdown_pct: 12.5,
    open_positions: 3,
    symbols: ['EURUSD', 'NOVA.DEMO'],
    hours: [hours],
    paper_days: 7,
    action: 'flatten',
  };
  const { limits, problems } = readLimits(limitsForm(stored, ZONE));
  expect([limits, problems]).toEqual([
    {
      daily_loss: 1500.5,
      drawdown_pct: 12.5,
      open_positions: 3,
      paper_days: 7,
      symbols: ['EURUSD', 'NOVA.DEMO'],
      hours,
      action: 'flatten',
    },
    {},
  ]);
  expect(limitsInput.safeParse(limits).success).toBe(true);
});

test.each([
  ['daily_loss', '1,500', /without points, spaces or commas between thousands/],
  ['daily_loss', '-5', /Write a number/],
  ['daily_loss', '1e5', /Write a number/],
  ['daily_loss', '0', /above 0/],
  ['drawdown_pct', '101', /at most 100/],
  ['open_positions', '2.5', /whole number/],
] as const)('%s refuses %p at its field', (name, text, problem) => {
  const { limits, problems } = readLimits({ ...empty, numbers: { ...empty.numbers, [name]: text } });
  expect(problems[name]).toMatch(problem);
  expect(name in limits).toBe(false);
});

test('a limit may have a decimal comma', () => {
  const numbers = { ...empty.numbers, drawdown_pct: '2,5' };
  expect(readLimits({ ...empty, numbers })).toMatchObject({ limits: { drawdown_pct: 2.5 }, problems: {} });
});

test('hours need times and a day', () => {
  const form = { ...empty, hasHours: true };
  expect(readLimits(form).limits.hours).toEqual({ time_zone: ZONE, from: '09:00', to: '17:00' });
  expect(readLimits({ ...form, from: '9' }).problems.hours).toMatch(/09:30/);
  expect(readLimits({ ...form, to: '24:00' }).problems.hours).toMatch(/09:30/);
  expect(readLimits({ ...form, weekdays: [] }).problems.hours).toMatch(/at least one day/);
});

test('names are words, also of limits and actions that the console does not know', () => {
  expect(limitLabel('drawdown_pct')).toBe('Fall below the peak');
  expect(limitLabel('new_limit')).toBe('new limit');
  expect(actionWords('kill_switch_thrown')).toBe('Kill switch thrown');
  expect(actionWords('new_action')).toBe('new action');
  expect(hoursWords({ time_zone: ZONE, weekdays: ['tue'], from: '09:00', to: '10:00' })).toBe(
    '09:00 to 10:00 (Europe/Berlin), Tuesday',
  );
});

test('allowed symbols and hours are listed, also where no symbol is left', () => {
  const hours = [{ time_zone: ZONE, weekdays: null, from: '09:00', to: '10:00' }];
  expect(allowedWords(NO_LIMITS)).toEqual([]);
  expect(allowedWords({ symbols: ['AAPL', 'MSFT'], hours })).toEqual([
    'Entries only in: AAPL, MSFT.',
    'Entries only from 09:00 to 10:00 (Europe/Berlin), every day.',
  ]);
  expect(allowedWords({ symbols: [], hours: [] })).toEqual(['Entries only in: no symbol at all.']);
});
