import { EquityChart } from '../charts/equity-chart.tsx';
import { MonthHeatmap } from '../charts/month-heatmap.tsx';
import { Sparkline } from '../charts/sparkline.tsx';

const DAY_MS = 86_400_000;
const START = Date.parse('2025-01-01T00:00:00Z');

const POINTS = Array.from({ length: 250 }, (_, index) => ({
  at: new Date(START + index * DAY_MS).toISOString(),
  equity: 10_000 + index * 12 + Math.sin(index / 9) * 600,
}));

const MONTHS = Array.from({ length: 18 }, (_, index) => ({
  month: new Date(Date.UTC(2024, 3 + index, 1)).toISOString().slice(0, 7),
  return_pct: Math.sin(index) * 6,
}));

/** Charts with and without data. */
export const ChartStates = () => (
  <>
    <Sparkline points={POINTS.map(({ equity }) => equity / 100 - 100)} label="Return" />
    <EquityChart label="Equity" points={POINTS} currency="USD" />
    <EquityChart label="Equity without points" points={[]} currency="USD" />
    <MonthHeatmap months={MONTHS} />
    <MonthHeatmap months={[]} label="No month" />
  </>
);
