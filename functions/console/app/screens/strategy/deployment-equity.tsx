import { useState } from 'preact/hooks';
import { EquityChart } from '../../charts/equity-chart.tsx';
import { changesAny } from '../../deployments/changes.ts';
import { loadResults, type Results } from '../../deployments/load-results.ts';
import { stateWords } from '../../deployments/state-words.ts';
import { useEquity } from '../../deployments/use-equity.ts';
import { format } from '../../format.ts';
import { StatisticFigure } from '../../statistic-value.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { modeText } from '../../ui/mode.tsx';
import { useResource } from '../../ui/use-resource.ts';
import type { Run } from './runs.ts';

/** Statistics that people look at first. */
const SHOWN = [
  'total_return_pct',
  'cagr_pct',
  'max_drawdown_equity_pct',
  'win_rate_pct',
  'trades_count',
  'expectancy',
  'profit_factor',
  'sharpe_ratio',
] as const;

const nameOf = ({ mode, symbols, at, facts }: Run): string =>
  `${modeText(mode)}, ${symbols.join(', ')}, since ${format.day(at).text} (${stateWords(facts).label.toLowerCase()})`;

const Shown = ({ of: results, timeframe }: { of: Results; timeframe: string }) => {
  const { metrics, currency } = results.performance;
  return (
    <div class="stack">
      <EquityChart
        label="Equity of the deployment"
        currency={currency}
        points={useEquity(results, timeframe)}
        timeframe={timeframe}
      />
      <dl class="figures">
        {SHOWN.map((name) => (
          <StatisticFigure key={name} name={name} value={metrics[name]} currency={currency} />
        ))}
      </dl>
    </div>
  );
};

const OfRun = ({ run }: { readonly run: Run }) => {
  const results = useResource((signal) => loadResults(run, signal), [run.id], {
    everyMs: 60_000,
    on: (event) => changesAny([run.id], event),
  });
  return <Loaded of={results}>{(value) => <Shown of={value} timeframe={run.timeframe} />}</Loaded>;
};

/** Equity and statistics of a deployment of the user's choice. */
export const DeploymentEquity = ({ runs }: { readonly runs: readonly Run[] }) => {
  const best = runs.toSorted((a, b) => b.trades - a.trades)[0];
  const [chosen, setChosen] = useState(String(best?.id ?? ''));
  const run = runs.find(({ id }) => String(id) === chosen);
  return (
    <div class="stack">
      {runs.length > 1 && (
        <Field label="Deployment">
          <Select
            value={chosen}
            onValue={setChosen}
            options={runs.map((one) => ({ value: String(one.id), label: nameOf(one) }))}
          />
        </Field>
      )}
      {run && <OfRun run={run} />}
    </div>
  );
};
