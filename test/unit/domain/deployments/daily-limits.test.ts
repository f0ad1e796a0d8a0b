import { expect, test } from '@jest/globals';
import { withinLimits } from '../../../../shared/domain/deployments/daily-limits.ts';

const now = new Date('2026-03-02T10:00:00Z');
const ALL = ['push', 'email', 'sms'] as const;

test('notifications are counted by channel and day', () => {
  const first = withinLimits(ALL, { before: undefined, count: 2, now });
  expect(first).toEqual({ channels: [...ALL], sent: { day: '2026-03-02', email: 2, sms: 2 } });
  const second = withinLimits(['email'], { before: first.sent, count: 1, now });
  expect(second.sent).toEqual({ day: '2026-03-02', email: 3, sms: 2 });
});

test('a channel whose limit is reached is left out until the next day', () => {
  const before = { day: '2026-03-02', email: 99, sms: 20 };
  const one = withinLimits(ALL, { before, count: 1, now });
  expect(one).toEqual({ channels: ['push', 'email'], sent: { ...before, email: 100 } });
  expect(withinLimits(ALL, { before: one.sent, count: 1, now })).toEqual({
    channels: ['push'],
    sent: one.sent,
  });
  const tomorrow = new Date('2026-03-03T00:00:00Z');
  expect(withinLimits(ALL, { before: one.sent, count: 1, now: tomorrow })).toEqual({
    channels: [...ALL],
    sent: { day: '2026-03-03', email: 1, sms: 1 },
  });
});

test('push alone, and no notification, count nothing', () => {
  expect(withinLimits(['push'], { before: undefined, count: 5, now }).sent).toBeUndefined();
  expect(withinLimits(ALL, { before: undefined, count: 0, now })).toEqual({
    channels: [...ALL],
    sent: undefined,
  });
});
