import { format } from '../format.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Count } from '../ui/figures.tsx';
import { ChartFrame } from './chart-frame.tsx';
import { axisOf } from './models/plot.ts';
import { type Bin, binsOf, quantileOf } from './models/trade-shape.ts';
import { Plot, placesIn } from './plot.tsx';

interface ReturnHistogramProps {
  /** Returns of trades in percent points. */
  readonly returns: readonly number[];
}

const LABEL = 'Distribution of returns';

const points = (value: number): string => format.percent(value, { signed: true, digits: 1 });

const rangeText = ({ from, to }: Bin): string => {
  if (from === Number.NEGATIVE_INFINITY) return `below ${points(to)}`;
  return to === Number.POSITIVE_INFINITY ? `${points(from)} or more` : `${points(from)} to ${points(to)}`;
};

/** Returns the middle return in words. */
export const returnsSentence = (returns: readonly number[]): string => {
  const gains = returns.filter((value) => value > 0).length;
  return `${format.count(gains)} of ${format.count(returns.length)} trades gained. The middle trade made ${format.percent(quantileOf(returns), { signed: true })}.`;
};

/** Bars of a distribution of returns. */
export const ReturnBars = ({ returns }: ReturnHistogramProps) => {
  const bins = binsOf(returns);
  const inner = bins.filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to));
  const size = (inner[0]?.to ?? 1) - (inner[0]?.from ?? 0);
  const spans = bins.map(({ from, to, count }) => ({
    count,
    from: Number.isFinite(from) ? from : to - size,
    to: Number.isFinite(to) ? to : from + size,
    title: rangeText({ from, to, count }),
  }));
  const edges = spans.flatMap(({ from, to }) => [from, to]);
  const whole = axisOf(edges, 6);
  const [least, most] = [Math.min(...edges), Math.max(...edges)];
  const across = {
    from: least,
    to: most,
    ticks: whole.ticks.filter((tick) => tick >= least && tick <= most),
  };
  const up = axisOf([0, ...spans.map(({ count }) => count)], 4);
  const { x, y } = placesIn(across, up);
  return (
    <Plot
      across={across}
      up={{ ...up, ticks: up.ticks.filter(Number.isInteger) }}
      acrossText={(value) => format.percent(value, { digits: value % 1 === 0 ? 0 : 1 })}
      upText={format.count}
      acrossName="Return of a trade"
      upName="Trades"
    >
      {spans.map(({ from, to, count, title }) => (
        <rect
          key={from}
          class={from >= 0 ? 'plot-gain' : 'plot-loss'}
          x={x(from) + 0.5}
          width={Math.max(1, x(to) - x(from) - 1)}
          y={y(count)}
          height={y(0) - y(count)}
        >
          <title>{`${title}: ${format.count(count)}`}</title>
        </rect>
      ))}
      {least < 0 && most > 0 && <line class="plot-zero" x1={x(0)} x2={x(0)} y1={y(up.from)} y2={y(up.to)} />}
    </Plot>
  );
};

/** Distribution of the returns of trades. */
export const ReturnHistogram = ({ returns }: ReturnHistogramProps) => (
  <ChartFrame
    label={LABEL}
    summary={returnsSentence(returns)}
    table={() => (
      <DataTable
        caption={LABEL}
        rows={binsOf(returns)}
        rowKey={({ from }) => from}
        columns={[
          { head: 'Return', isHead: true, cell: rangeText },
          { head: 'Trades', isNumber: true, cell: ({ count }) => <Count value={count} /> },
        ]}
      />
    )}
  >
    <ReturnBars returns={returns} />
    <p class="muted">{returnsSentence(returns)}</p>
  </ChartFrame>
);
