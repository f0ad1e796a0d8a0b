import { useState } from 'preact/hooks';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { modeText } from '../../strategies/texts.ts';
import { Field, Select } from '../../ui/field.tsx';
import { Figure, Money, Percent } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { useResource } from '../../ui/use-resource.ts';
import type { Run } from './runs.ts';

const nameOf = ({ mode, symbols, at, status }: Run): string =>
  `${modeText(mode)}, ${symbols.join(', ')}, since ${format.day(at).text} (${status})`;

/** Equity and statistics of a deployment of the user's choice. */
export const DeploymentEquity = ({ runs }: { readonly runs: readonly Run[] }) => {
  const best = runs.toSorted((a, b) => b.trades - a.trades)[0];
  const [chosen, setChosen] = useState(String(best?.id ?? ''));
  const performance = useResource(
    (signal) => hub.getDeploymentPerformance({ user_id: ME, deployment_id: Number(chosen) }, { signal }),
    [chosen],
    { everyMs: 60_000 },
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
        {({ metrics, currency, starting_capital }) => (
          <div class="stack">
            <dl class="figures">
              <Figure label="Total return" value={<Percent value={metrics.total_return_pct} signed />} />
              <Figure label="Return per year" value={<Percent value={metrics.cagr_pct} signed />} />
              <Figure
                label="Deepest drawdown"
                value={<Percent value={metrics.max_drawdown_equity_pct} />}
                hint="Largest fall from a high"
              />
              <Figure label="Winning trades" value={<Percent value={metrics.win_rate_pct} />} />
              <Figure label="Closed trades" value={format.count(metrics.trades_count)} />
              <Figure
                label="Result per trade"
                value={<Money value={metrics.expectancy} currency={currency} signed />}
              />
              <Figure
                label="Profit factor"
                value={format.ratio(metrics.profit_factor)}
                hint="Gains for each unit of losses"
              />
              <Figure
                label="Sharpe ratio"
                value={format.ratio(metrics.sharpe_ratio)}
                hint="Return for the risk"
              />
              <Figure
                label="Starting capital"
                value={<Money value={starting_capital} currency={currency} />}
              />
            </dl>
          </div>
        )}
      </Loaded>
    </div>
  );
};
