import { isOldBar } from '../../../../shared/domain/deployments/engines.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';

const isOldAt = (timeframe: Timeframe, start: string, now: string): boolean =>
  isOldBar(timeframe, new Date(start), new Date(now));

describe('a bar', () => {
  it('is news for two timeframes after its close', () => {
    expect(isOldAt('1m', '2026-03-02T10:00:00Z', '2026-03-02T10:03:00Z')).toBe(false);
    expect(isOldAt('1m', '2026-03-02T10:00:00Z', '2026-03-02T10:03:01Z')).toBe(true);
    expect(isOldAt('1d', '2026-03-02T05:00:00Z', '2026-03-05T05:00:00Z')).toBe(false);
    expect(isOldAt('1d', '2026-03-02T05:00:00Z', '2026-03-06T05:00:00Z')).toBe(true);
    expect(isOldAt('1w', '2026-03-02T05:00:00Z', '2026-03-20T05:00:00Z')).toBe(false);
    expect(isOldAt('1w', '2026-03-02T05:00:00Z', '2026-03-30T05:00:00Z')).toBe(true);
  });
});
