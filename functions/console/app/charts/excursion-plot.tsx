import { format } from '../format.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Count, Percent } from '../ui/figures.tsx';
import { ChartFrame } from './chart-frame.tsx';
import { axisOf } from './models/plot.ts';
import { type MovedTrade, quantileOf } from './models/trade-shape.ts';
import { Plot, placesIn } from './plot.tsx';

interface ExcursionProps {
  readonly trades: readonly MovedTrade[];
}

const LABEL = 'Moves against and in favour';
const TABLE_ROWS = 100;

const points = (value: number | undefined): string => format.percent(value, { digits: 1 });

/** Says how far the middle winner went against the trader, and how far the middle loser was ahead. */
export const excursionSentence = (trades: readonly MovedTrade[]): string => {
  const winners = trades.filter(({ return_pct }) => return_pct > 0).map(({ mae_pct }) => mae_pct);
  const losers = trades.filter(({ return_pct }) => return_pct <= 0).map(({ mfe_pct }) => mfe_pct);
  return [
    ...(winners.length > 0
      ? [`Half of the winning trades never fell more than ${points(quantileOf(winners))} behind.`]
      : []),
    ...(losers.length > 0
      ? [`Half of the losing trades had been at least ${points(quantileOf(losers))} ahead.`]
      : []),
  ].join(' ');
};

const tickText = (value: number): string => format.percent(value, { digits: value % 1 === 0 ? 0 : 1 });

/** Part of the trades that an axis must hold, and the room beyond them. */
const HELD = 0.97;
const ROOM = 1.3;

/** Returns the end of an axis that a few far trades do not stretch: those are drawn at the edge. */
const endOf = (values: readonly number[]): number =>
  Math.min(Math.max(0, ...values), (quantileOf(values, HELD) ?? 0) * ROOM || Number.POSITIVE_INFINITY);

/** Marks of trades by their largest moves: circles gained, crosses lost. Far ones are at the edge. */
export const ExcursionMarks = ({ trades }: ExcursionProps) => {
  const across = axisOf([0, endOf(trades.map(({ mae_pct }) => mae_pct))]);
  const up = axisOf([0, endOf(trades.map(({ mfe_pct }) => mfe_pct))], 4);
  const { x, y } = placesIn(across, up);
  return (
    <Plot
      across={across}
      up={up}
      acrossText={tickText}
      upText={tickText}
      acrossName="Largest move against (MAE)"
      upName="In favour (MFE)"
    >
      {trades.map(({ number, mae_pct, mfe_pct, return_pct }) => {
        const [left, top] = [x(Math.min(mae_pct, across.to)), y(Math.min(mfe_pct, up.to))];
        const title = `Trade ${format.count(number)}: ${format.percent(return_pct, { signed: true })}, ${points(mae_pct)} against, ${points(mfe_pct)} in favour`;
        return return_pct > 0 ? (
          <circle key={number} class="plot-winner" cx={left} cy={top} r={4}>
            <title>{title}</title>
          </circle>
        ) : (
          <path
            key={number}
            class="plot-loser"
            d={`M${left - 4} ${top - 4}L${left + 4} ${top + 4}M${left - 4} ${top + 4}L${left + 4} ${top - 4}`}
          >
            <title>{title}</title>
          </path>
        );
      })}
    </Plot>
  );
};

/** Key of the marks. */
const ExcursionKey = () => (
  <p class="row legend">
    <span class="plot-key-winner">○ gained</span>
    <span class="plot-key-loser">× lost</span>
    <span class="muted">Far ones are at the edge.</span>
  </p>
);

/** Trades by their largest moves against and in favour of the trader (MAE and MFE). */
export const ExcursionPlot = ({ trades }: ExcursionProps) => (
  <ChartFrame
    label={LABEL}
    summary={excursionSentence(trades)}
    table={() => (
      <DataTable
        caption={`${LABEL}, at most ${TABLE_ROWS} trades`}
        rows={trades.slice(0, TABLE_ROWS)}
        rowKey={({ number }) => number}
        columns={[
          { head: 'Trade', isHead: true, cell: ({ number }) => <Count value={number} /> },
          { head: 'Against (MAE)', isNumber: true, cell: ({ mae_pct }) => <Percent value={mae_pct} /> },
          { head: 'In favour (MFE)', isNumber: true, cell: ({ mfe_pct }) => <Percent value={mfe_pct} /> },
          {
            head: 'Return',
            isNumber: true,
            cell: ({ return_pct }) => <Percent value={return_pct} signed />,
          },
        ]}
      />
    )}
  >
    <ExcursionKey />
    <ExcursionMarks trades={trades} />
    <p class="muted">{excursionSentence(trades)}</p>
  </ChartFrame>
);
