import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { nextRun, startScheduler } from '../../../infra/local/services/scheduler.ts';

const after = new Date('2026-03-06T10:00:30Z'); // A Friday.

afterEach(() => {
  jest.useRealTimers();
});

describe('a schedule', () => {
  it.each([
    ['rate(1 minute)', 'UTC', '2026-03-06T10:01:30.000Z'],
    ['rate(2 hours)', 'UTC', '2026-03-06T12:00:30.000Z'],
    ['rate(1 day)', 'UTC', '2026-03-07T10:00:30.000Z'],
    ['cron(* * * * ? *)', 'UTC', '2026-03-06T10:01:00.000Z'],
    ['cron(0/15 * * * ? *)', 'UTC', '2026-03-06T10:15:00.000Z'],
    ['cron(0 17 ? * MON-FRI *)', 'America/New_York', '2026-03-06T22:00:00.000Z'],
    // Daylight saving time began on the 8th.
    ['cron(0 17 ? * MON *)', 'America/New_York', '2026-03-09T21:00:00.000Z'],
    ['cron(0 0 ? * 1 *)', 'UTC', '2026-03-08T00:00:00.000Z'],
    ['cron(0 12 ? * 6L *)', 'UTC', '2026-03-27T12:00:00.000Z'],
    ['cron(0 12 L * ? *)', 'UTC', '2026-03-31T12:00:00.000Z'],
    ['cron(0 8 1 1 ? 2028)', 'UTC', '2028-01-01T08:00:00.000Z'],
  ])('%s in %s is next due at %s', (expression, timeZone, expected) => {
    expect(nextRun({ expression, timeZone }, after)?.toISOString()).toBe(expected);
  });

  it.each([
    'rate(0 minutes)',
    'rate(1 week)',
    'cron(0 17 * * MON *)',
    'cron(0 17 * * *)',
    'cron(99 * * * ? *)',
    '1',
  ])('refuses %s', (expression) => {
    expect(() => startScheduler([{ job: 'a', expression, timeZone: 'UTC' }], () => undefined)).toThrow();
  });

  it('runs until it is stopped', async () => {
    jest.useFakeTimers({ now: after });
    const fired: string[] = [];
    const scheduler = startScheduler(
      [
        { job: 'rate', expression: 'rate(1 minute)', timeZone: 'UTC' },
        { job: 'cron', expression: 'cron(* * * * ? *)', timeZone: 'UTC' },
        { job: 'never', expression: 'cron(0 0 1 1 ? 2020)', timeZone: 'UTC' },
      ],
      ({ job }) => fired.push(job),
    );
    await jest.advanceTimersByTimeAsync(29_000);
    expect(fired).toEqual([]);
    await jest.advanceTimersByTimeAsync(32_000);
    expect(fired).toEqual(['cron', 'rate']);
    scheduler.stop();
    await jest.advanceTimersByTimeAsync(120_000);
    expect(fired).toEqual(['cron', 'rate']);
  });
});
