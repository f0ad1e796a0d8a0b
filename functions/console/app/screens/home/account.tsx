import type {
  AccountOverview,
  LiveDeploymentCustomOut,
} from '../../../../../infra/client/package/src/index.ts';
import { countText } from '../../count-text.ts';
import { Figure, Money, Percent } from '../../ui/figures.tsx';
import { LatePart } from '../../ui/late.tsx';
import { Mode, modeText } from '../../ui/mode.tsx';

/** Loads the chart after the figures. */
const loadChart = async () => (await import('./portfolio-chart.tsx')).PortfolioChart;

interface AccountProps {
  readonly of: AccountOverview['accounts'][number];
  readonly deployments: readonly LiveDeploymentCustomOut[];
}

/** Equity of all running deployments of a mode and currency: now, today and over time. */
export const Account = ({ of: account, deployments }: AccountProps) => {
  const { currency, mode } = account;
  const own = deployments.filter((one) => one.mode === mode && one.currency === currency);
  return (
    <section class="card" aria-label={`${modeText(mode)} in ${currency}`}>
      <div class="row row-apart">
        <h2>{countText(account.deployments_count, 'running deployment')}</h2>
        <Mode mode={mode} />
      </div>
      <dl class="figures figures-hero">
        <Figure
          label="Equity"
          value={<Money value={account.equity} currency={currency} />}
          hint={
            account.equity === null ? (
              'A position has no price yet. It comes with the next bar.'
            ) : (
              <>
                of <Money value={account.starting_capital} currency={currency} /> at the start
              </>
            )
          }
        />
        <Figure
          label="Today"
          value={<Money value={account.today_pnl} currency={currency} signed />}
          hint="open and closed results"
        />
        <Figure
          label="Result after fees"
          value={<Money value={account.total_pnl} currency={currency} signed />}
          hint={
            <>
              <Percent value={account.return_pct} signed /> since the start
            </>
          }
        />
      </dl>
      {own.length > 0 && <LatePart load={loadChart} props={{ deployments: own, currency }} />}
    </section>
  );
};
