import { useId, useState } from 'preact/hooks';
import type { SweepCombination, SweepOut } from '../../../../infra/client/package/src/index.ts';
import { format } from '../format.ts';
import { STATISTICS, statisticText } from '../statistics.ts';
import { SCROLLED } from '../ui/data-table.tsx';
import { Field, Select } from '../ui/field.tsx';
import { HeatCell } from './heat-cell.tsx';
import { heatOf } from './models/heat.ts';
import { sweepGridOf, variedParams } from './models/sweep-grid.ts';

type Sample = 'in_sample' | 'out_of_sample';

interface SweepHeatmapProps {
  readonly sweep: Pick<SweepOut, 'best' | 'params' | 'rank_by' | 'combinations'>;
}

/** Values of figures that are neither good nor bad; 0 for others. */
const NEUTRAL: Readonly<Record<string, number>> = { profit_factor: 1, win_rate_pct: 50 };

const NO_PARAM = '';

const optionsOf = (names: readonly string[]) => names.map((value) => ({ value, label: value }));

const figureOf = (
  combination: SweepCombination | null,
  sample: Sample,
  rankBy: SweepOut['rank_by'],
): number | null => combination?.[sample]?.[rankBy] ?? null;

/** Figures of the best combinations as a map over one or two parameters. */
export const SweepHeatmap = ({ sweep }: SweepHeatmapProps) => {
  const { best, params, rank_by: rankBy, combinations } = sweep;
  const id = useId();
  const varied = variedParams(params);
  const [across, setAcross] = useState(varied[0] ?? NO_PARAM);
  const [down, setDown] = useState(varied[1] ?? NO_PARAM);
  const [sample, setSample] = useState<Sample>('in_sample');
  const others = varied.filter((name) => name !== across);
  const second = down !== across && others.includes(down) ? down : others[0];
  const grid = sweepGridOf(best, params, across, second);
  const isLessBetter = rankBy === 'max_drawdown_equity_pct';
  const values = best.map((combination) => figureOf(combination, sample, rankBy));
  const numbers = values.filter((value) => value !== null);
  const mean = numbers.reduce((sum, value) => sum + value, 0) / Math.max(1, numbers.length);
  const heat = heatOf(values, { neutral: isLessBetter ? mean : (NEUTRAL[rankBy] ?? 0), isLessBetter });
  const { label } = STATISTICS[rankBy];
  const isPartial = combinations > best.length;
  return (
    <section class="card chart" aria-labelledby={id}>
      <h2 id={id}>
        {label} by {second === undefined ? across : `${across} and ${second}`}
      </h2>
      <div class="cards">
        <Field label="Figures of the time">
          <Select
            value={sample}
            onValue={setSample}
            options={[
              { value: 'in_sample', label: 'In sample' },
              { value: 'out_of_sample', label: 'Out of sample' },
            ]}
          />
        </Field>
        {varied.length > 1 && (
          <Field label="Across">
            <Select value={across} onValue={setAcross} options={optionsOf(varied)} />
          </Field>
        )}
        {varied.length > 2 && (
          <Field label="Down">
            <Select value={second ?? NO_PARAM} onValue={setDown} options={optionsOf(others)} />
          </Field>
        )}
      </div>
      <p class="muted">
        {isPartial && 'Empty cells are not among the 50 best. '}
        {varied.length > 2 && 'A cell shows the best of all combinations with its two values. '}
        The cell with a frame ranks first. Neighbours that are good, too, speak for it; a lone good cell is
        often luck.
      </p>
      <section class="table-region" aria-label={`${label} by parameters`} {...SCROLLED}>
        <table class="heatmap">
          <caption class="unseen">
            {label}, {sample === 'in_sample' ? 'in sample' : 'out of sample'}
          </caption>
          <thead>
            <tr>
              <th scope="col">{second === undefined ? across : `${second} ↓ ${across} →`}</th>
              {grid.columns.map((value) => (
                <th key={value} scope="col" class="number">
                  {format.number(value)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {grid.cells.map((row, index) => (
              <tr key={index}>
                <th scope="row">{second === undefined ? label : format.number(grid.rows[index])}</th>
                {row.map((combination, column) => {
                  const value = figureOf(combination, sample, rankBy);
                  return (
                    <HeatCell key={column} heat={heat(value)} isFramed={combination?.rank === 1}>
                      {combination === null ? '' : statisticText(rankBy, value, '')}
                      {combination?.rank === 1 && <span class="unseen"> best</span>}
                    </HeatCell>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
};
