import { describe, expect, test } from '@jest/globals';
import {
  appendWrites,
  asLogHead,
  beforeFirst,
  type LogHead,
} from '../../../../shared/data/changes/change-log.ts';
import { isRenewalDue } from '../../../../shared/data/changes/listening.ts';
import type { ChangeEvent } from '../../../../shared/domain/changes/change-event.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-03-01T12:00:00Z');
const day = (number: number): Date => new Date(START + number * DAY_MS);
const event = (id: number): ChangeEvent => ({ id: `${id}`, type: 'a.b', at: '', data: {} });

const append = (head: LogHead | undefined, count: number, now: Date): LogHead | undefined => {
  const events = Array.from({ length: count }, (_, index) => event(index));
  const [first] = appendWrites('log', head, events, now);
  return first && 'put' in first ? asLogHead(first.put) : undefined;
};

describe('log of change events', () => {
  test('readers see the events of 30 days', () => {
    let head: LogHead | undefined;
    for (let number = 0; number < 100; number++) head = append(head, 2, day(number));
    // Day 99 and the 30 days before it.
    expect(beforeFirst(head, day(99))).toBe(69 * 2);
    expect(beforeFirst(head, day(99 + 30))).toBe(99 * 2);
    expect(beforeFirst(head, day(99 + 31))).toBe(100 * 2);
    expect(beforeFirst(undefined, day(0))).toBe(0);
  });

  test('the head stays small', () => {
    let head: LogHead | undefined;
    for (let number = 0; number < 1000; number++) head = append(head, 1, day(number));
    expect(head?.days.length).toBeLessThanOrEqual(33);
    expect(JSON.stringify(head).length).toBeLessThan(1400);
  });

  test('a clock that goes back begins no day', () => {
    const head = append(append(undefined, 1, day(5)), 1, day(2));
    expect(head).toMatchObject({ position: 2, days: [{ from: 1 }], last_at: day(5).getTime() });
  });

  test('entries are kept for longer than readers see them', () => {
    const [, entry] = appendWrites('log', undefined, [event(1)], day(0));
    const expiry = entry && 'put' in entry ? Number(entry.put.expires_at_s) : 0;
    expect(expiry * 1000).toBeGreaterThanOrEqual(day(32).getTime());
  });

  test('the end of listening moves once a day at most', () => {
    const until = day(30).getTime();
    expect([
      isRenewalDue(until, day(0)),
      isRenewalDue(until, day(0.9)),
      isRenewalDue(until, day(1.1)),
    ]).toEqual([false, false, true]);
  });
});
