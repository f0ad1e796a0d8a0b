import { useMemo, useRef } from 'preact/hooks';
import type { EquityPoint } from '../charts/models/lines.ts';
import { equityPoints, newestEquity } from './equity-points.ts';
import type { Results } from './load-results.ts';

/** Returns the equity of a deployment over time, with the newest one of each answer since the chart was opened. */
export const useEquity = ({ performance, trades }: Results, timeframe: string): readonly EquityPoint[] => {
  const seen = useRef<{ readonly of: number; readonly points: readonly EquityPoint[] } | undefined>(
    undefined,
  );
  return useMemo(() => {
    const { deployment_id: of } = performance;
    const earlier = seen.current?.of === of ? seen.current.points : [];
    const newest = newestEquity(performance);
    seen.current = { of, points: newest ? [...earlier, newest] : earlier };
    return equityPoints(performance, timeframe, { trades, earlier });
  }, [performance, trades, timeframe]);
};
