import { useId } from 'preact/hooks';
import { format } from '../format.ts';
import { SCROLLED } from '../ui/data-table.tsx';
import { Percent } from '../ui/figures.tsx';
import { HeatCell } from './heat-cell.tsx';
import { heatOf } from './models/heat.ts';
import { type MonthReturn, monthOf, movedYears, yearsOf } from './models/months.ts';

interface MonthHeatmapProps {
  readonly months: readonly MonthReturn[];
  readonly label?: string;
  /** Worst month, which is marked. */
  readonly worst?: string | undefined;
}

/** Returns of months as a table by year, coloured by gain and loss. */
export const MonthHeatmap = ({ months, label = 'Monthly returns', worst }: MonthHeatmapProps) => {
  const id = useId();
  const { moved: years, still } = movedYears(yearsOf(months));
  const heat = heatOf(months.map(({ return_pct }) => return_pct));
  return (
    <section class="card chart" aria-labelledby={id}>
      <h2 id={id}>{label}</h2>
      {years.length === 0 ? (
        <p class="empty">
          {still.length === 0 ? 'There is no whole month yet.' : 'The account did not move in any month.'}
        </p>
      ) : (
        <section class="table-region" aria-label={`${label}, by year`} {...SCROLLED}>
          <table class="heatmap">
            <caption class="unseen">{label} in percent, with the compounded return of each year</caption>
            <thead>
              <tr>
                <th scope="col">Year</th>
                {format.monthNames().map((name) => (
                  <th key={name} scope="col" class="number">
                    {name}
                  </th>
                ))}
                <th scope="col" class="number">
                  Year
                </th>
              </tr>
            </thead>
            <tbody>
              {years.map(({ year, months: row, total }) => (
                <tr key={year}>
                  <th scope="row">{year}</th>
                  {row.map((value, index) => {
                    const isWorst = monthOf(year, index) === worst;
                    return (
                      <HeatCell key={index} heat={heat(value)} isFramed={isWorst}>
                        {value === null ? '' : format.percent(value, { signed: true, digits: 1 })}
                        {isWorst && <span class="unseen"> worst month</span>}
                      </HeatCell>
                    );
                  })}
                  <td class="number">
                    <Percent value={total} signed />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {years.length > 0 && still.length > 0 && (
        <p class="muted">Left out, as the account did not move: {still.join(', ')}.</p>
      )}
    </section>
  );
};
