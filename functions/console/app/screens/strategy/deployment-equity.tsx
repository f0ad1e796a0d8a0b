import { useState } from 'preact/hooks';
import type { GetDeploymentPerformanceOutput } from '../../../../../infra/client/package/src/index.ts';
import { EquityChart } from '../../charts/equity-chart.tsx';
import { changesAny } from '../../deployments/changes.ts';
import { stateWords } from '../../deployments/state-words.ts';
import { useEquity } from '../../deployments/use-equity.ts';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
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

interface ShownProps {
  readonly of: GetDeploymentPerformanceOutput;
  readonly timeframe: string;
}

const Shown = ({ of: performance, timeframe }: ShownProps) => {
  const { metrics, currency } = performance;
  return (
    <div class="stack">
      <EquityChart
        label="Equity of the deployment"
        currency={currency}
        points={useEquity(performance, timeframe)}
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

/** Equity and statistics of a deployment of the user's choice. */
export const DeploymentEquity = ({ runs }: { readonly runs: readonly Run[] }) => {
  const best = runs.toSorted((a, b) => b.trades - a.trades)[0];
  const [chosen, setChosen] = useState(String(best?.id ?? ''));
  const performance = useResource(
    (signal) => hub.getDeploymentPerformance({ user_id: ME, deployment_id: Number(chosen) }, { signal }),
    [chosen],
    { everyMs: 60_000, on: (event) => changesAny([Number(chosen)], event) },
  );
  return (
    <div class="stack">
      {runs.length > 1 && (
        <Field label="Deployment">
          <Select
            value={chosen}
            onValue={setChosen}
            options={runs.map((run) => ({ value: String(run.id), label: nameOf(run) }))}
          />
        </Field>
      )}
      <Loaded of={performance}>
        {(value) => (
          <Shown of={value} timeframe={runs.find(({ id }) => String(id) === chosen)?.timeframe ?? '1d'} />
        )}
      </Loaded>
    </div>
  );
};
