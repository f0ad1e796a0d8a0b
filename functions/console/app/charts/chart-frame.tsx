import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';

interface ChartFrameProps {
  readonly label: string;
  /** Sentence for people who do not see the chart. */
  readonly summary: string;
  /** Returns the figures of the chart as a table. */
  readonly table: () => ComponentChildren;
  /** Buttons and choices of the chart. */
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Chart with its heading, its sentence for screen readers, and its figures as a table. */
export const ChartFrame = ({ label, summary, table, tools, children }: ChartFrameProps) => {
  const [isTable, setTable] = useState(false);
  const id = useId();
  return (
    <section class="card chart" aria-labelledby={id}>
      <header class="row row-apart">
        <h2 id={id}>{label}</h2>
        <div class="row">
          {!isTable && tools}
          <Button kind="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            Show as table
          </Button>
        </div>
      </header>
      <p class="unseen">{summary}</p>
      {isTable ? <div class="chart-table">{table()}</div> : children}
    </section>
  );
};
