import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { groupsOf, marketTimeOf } from '../../functions/console/app/notifications/groups.ts';
import { type NeedFacts, needsOf } from '../../functions/console/app/screens/home/needs.ts';
import { type Curve, hasOwnClock, summed } from '../../functions/console/app/screens/home/portfolio.ts';
import type { UserDeploymentNotificationsCustomOut } from '../../infra/client/package/src/index.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-03-02T00:00:00Z');
const day = (number: number): string => new Date(START + number * DAY_MS).toISOString();

test('the equity of all changes by results alone', () => {
  const curves: Curve[] = [
    {
      starting_capital: 1000,
      points: [
        { at: day(0), equity: 1000 },
        { at: day(3), equity: 1100 },
      ],
    },
    {
      starting_capital: 500,
      points: [
        { at: day(2), equity: 450 },
        { at: day(3), equity: 480 },
      ],
    },
  ];
  expect(summed(curves)).toEqual([
    { at: day(0), equity: 1500 },
    { at: day(2), equity: 1450 },
    { at: day(3), equity: 1580 },
  ]);
  expect(summed([])).toEqual([]);
});

test('the last sum is that of the last equities, in any order of points', () => {
  const curve = fc.record({
    starting_capital: fc.integer({ min: 1, max: 10_000 }),
    points: fc.uniqueArray(
      fc.record({
        at: fc.integer({ min: 0, max: 400 }).map(day),
        equity: fc.integer({ min: 0, max: 20_000 }),
      }),
      { selector: ({ at }) => at, maxLength: 12 },
    ),
  });
  fc.assert(
    fc.property(fc.array(curve, { maxLength: 6 }), (curves) => {
      const sums = summed(curves);
      const times = sums.map(({ at }) => Date.parse(at));
      expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
      if (sums.length === 0) return;
      const last = curves.reduce((sum, { starting_capital, points }) => {
        const newest = points.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).at(-1);
        return sum + (newest?.equity ?? starting_capital);
      }, 0);
      expect(sums.at(-1)?.equity).toBe(last);
    }),
  );
});

test('the demo market has a clock of its own', () => {
  expect(hasOwnClock({ deployed_at: day(0), started_at: day(-3000) })).toBe(true);
  expect(hasOwnClock({ deployed_at: day(0), started_at: day(1) })).toBe(false);
  expect(hasOwnClock({ deployed_at: day(0), started_at: null })).toBe(false);
});

const IN_ORDER: NeedFacts = {
  isEmailVerified: true,
  deployments: [{ deployment_id: 1, strategy_name: 'Runs', status: 'active' }],
  risk: [],
  failures: 0,
  proposals: 0,
  unread: 0,
  keys: [{ name: 'Robot', expires_at: day(15) }],
  connections: [{ account_id: 'A1', status: 'connected' }],
};

test('an account in order needs nothing', () => {
  expect(needsOf(IN_ORDER, START)).toEqual([]);
});

test('all that waits is listed, the worst first', () => {
  const facts: NeedFacts = {
    isEmailVerified: false,
    deployments: [
      { deployment_id: 1, strategy_name: 'Slow', status: 'paused' },
      { deployment_id: 2, strategy_name: 'Stuck', status: 'halted' },
    ],
    risk: [
      {
        deployment_id: 3,
        strategy_name: 'Bold',
        limit: 'daily_loss',
        used_pct: 85,
        tripped: null,
      },
      {
        deployment_id: 4,
        strategy_name: 'Calm',
        limit: 'daily_loss',
        used_pct: 20,
        tripped: null,
      },
    ],
    failures: 1,
    proposals: 2,
    unread: 3,
    keys: [
      { name: 'Robot', expires_at: day(2) },
      { name: 'Old', expires_at: day(-1) },
    ],
    connections: [{ account_id: 'A1', status: 'refused' }],
  };
  const needs = needsOf(facts, START);
  expect(needs.map(({ kind }) => kind)).toEqual([
    'bad',
    'bad',
    'bad',
    'warn',
    'warn',
    'warn',
    'warn',
    'warn',
    'warn',
    'info',
  ]);
  const texts = needs.map(({ text }) => text).join('\n');
  for (const part of [
    '“Slow” is paused',
    '“Stuck” is halted',
    '“Bold” is close',
    'A1',
    '“Robot” ends in 2 days',
    '“Old” has ended',
    '1 deployment failed',
    '2 proposed deployments wait',
    'not confirmed',
    '3 unread notifications',
  ]) {
    expect(texts).toContain(part);
  }
  expect(texts).not.toContain('Calm');
});

const note = (id: number, arrived: number, more: Partial<UserDeploymentNotificationsCustomOut> = {}) => ({
  notification_id: id,
  kind: 'entry_filled' as const,
  severity: 'info' as const,
  deployment_id: 1,
  deployment_type: 'live' as const,
  strategy_id: 1,
  symbol: 'AAPL',
  title: 'Entry filled',
  body: '',
  data: {},
  is_read: false,
  read_at: null,
  created_at: day(arrived),
  arrived_at: day(arrived),
  ...more,
});

test('notifications are grouped by deployment and day, in the order of arrival whatever the time of their market', () => {
  const notes = [
    note(1, 0, { created_at: day(90) }),
    note(2, 1.5, { created_at: day(-3000), is_read: true }),
    note(3, 1.2, { deployment_id: 2 }),
    note(4, 1.1),
    note(5, 1.9, { deployment_id: null, strategy_id: null }),
  ];
  const groups = groupsOf(notes, (moment) => moment.slice(0, 10));
  expect(groups.map(({ notes: own }) => own.map(({ notification_id: id }) => id))).toEqual([
    [5],
    [2, 4],
    [3],
    [1],
  ]);
  expect(groups.map(({ unread }) => unread)).toEqual([1, 1, 1, 1]);
});

test('the time of the market is named where it is another than that of the arrival', () => {
  expect(marketTimeOf(note(1, 1))).toBeUndefined();
  expect(marketTimeOf(note(1, 1, { created_at: day(-3000) }))).toBe(day(-3000));
});
