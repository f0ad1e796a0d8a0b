import type { LiveDeploymentCustomOut } from '../../../../../infra/client/package/src/index.ts';
import { EquityChart } from '../../charts/equity-chart.tsx';
import { countText } from '../../count-text.ts';
import { equityPoints } from '../../deployments/equity-points.ts';
import { loadResults } from '../../deployments/load-results.ts';
import { isDayOrLonger } from '../../format/times.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { type Curve, hasOwnClock, summed } from './portfolio.ts';

type Deployment = LiveDeploymentCustomOut;

const EVERY_MS = 60_000;
/** Most deployments whose curves are added. */
const MOST_CURVES = 12;

const curveOf = async (deployment: Deployment, signal: AbortSignal): Promise<Curve> => {
  const { deployment_id: id, symbols, timeframe, starting_capital } = deployment;
  const { performance, trades } = await loadResults({ id, symbols, timeframe }, signal);
  return { starting_capital, points: equityPoints(performance, timeframe, { trades, earlier: [] }) };
};

interface SumProps {
  readonly label: string;
  readonly deployments: readonly Deployment[];
  readonly currency: string;
}

const Sum = ({ label, deployments, currency }: SumProps) => {
  const chosen = deployments.slice(0, MOST_CURVES);
  const curves = useResource(
    (signal) => Promise.all(chosen.map((one) => curveOf(one, signal))),
    [chosen.map(({ deployment_id }) => deployment_id)],
    { everyMs: EVERY_MS, on: ({ type }) => type.startsWith('trade') },
  );
  const isByDay = chosen.every(({ timeframe }) => isDayOrLonger(timeframe));
  return (
    <Loaded of={curves}>
      {(value) => (
        <>
          <EquityChart
            label={label}
            points={summed(value)}
            currency={currency}
            timeframe={isByDay ? '1d' : '1m'}
          />
          <p class="muted">
            Sum of {countText(chosen.length, 'running deployment')}
            {deployments.length > chosen.length && `, the newest of ${deployments.length}`}. Each counts with
            its starting capital before its first bar.
          </p>
        </>
      )}
    </Loaded>
  );
};

export interface PortfolioChartProps {
  readonly deployments: readonly Deployment[];
  readonly currency: string;
}

/** Equity of all running deployments of an account over time. Those on a clock of their own have a chart apart. */
export const PortfolioChart = ({ deployments, currency }: PortfolioChartProps) => {
  const own = deployments.filter(hasOwnClock);
  const usual = deployments.filter((one) => !hasOwnClock(one));
  return (
    <>
      {usual.length > 0 && <Sum label="Equity of all" deployments={usual} currency={currency} />}
      {own.length > 0 && (
        <Sum label="Equity of all, in the time of their market" deployments={own} currency={currency} />
      )}
    </>
  );
};
