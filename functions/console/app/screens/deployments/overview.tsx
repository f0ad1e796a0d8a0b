import type { GetAccountOverviewOutput } from '../../../../../infra/client/package/src/index.ts';
import { PriceAge } from '../../deployments/price-age.tsx';
import { limitLabel, useWords } from '../../risk/limits.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Figure, Money, Percent, Quantity } from '../../ui/figures.tsx';
import { Mode } from '../../ui/mode.tsx';

type Overview = GetAccountOverviewOutput;

interface AccountProps {
  readonly of: Overview['accounts'][number];
  /** Symbols of its open positions. */
  readonly symbols: readonly string[];
}

const Account = ({ of: account, symbols }: AccountProps) => {
  const { currency, mode } = account;
  return (
    <section class="card" aria-label={`${mode === 'live' ? 'Real money' : 'Paper'} in ${currency}`}>
      <div class="row row-apart">
        <h2>{currency}</h2>
        <Mode mode={mode} />
      </div>
      <dl class="figures">
        <Figure
          label="Equity"
          value={<Money value={account.equity} currency={currency} />}
          hint={
            <>
              of <Money value={account.starting_capital} currency={currency} /> at the start
            </>
          }
        />
        <Figure label="Today" value={<Money value={account.today_pnl} currency={currency} signed />} />
        <Figure
          label="Open profit or loss"
          value={<Money value={account.unrealized_pnl} currency={currency} signed />}
          hint={
            account.as_of === null ? (
              'no open position'
            ) : (
              <>
                before fees, prices{' '}
                <PriceAge at={account.as_of} isMarketTime={mode === 'virtual'} symbols={symbols} />
              </>
            )
          }
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
        <Figure
          label="Invested"
          value={<Money value={account.gross_value} currency={currency} />}
          hint={
            <>
              net <Money value={account.net_value} currency={currency} signed />
            </>
          }
        />
      </dl>
      {account.equity === null && (
        <p class="muted">
          A position has no price yet, so its value is not known. It comes with the next bar.
        </p>
      )}
    </section>
  );
};

/** Sums of running deployments by currency, real money and paper apart. */
export const Accounts = ({ of: { accounts, exposure } }: { of: Overview }) => (
  <div class="stack">
    {accounts.map((account) => (
      <Account
        key={`${account.mode} ${account.currency}`}
        of={account}
        symbols={exposure
          .filter(({ mode, currency }) => mode === account.mode && currency === account.currency)
          .map(({ symbol }) => symbol)}
      />
    ))}
  </div>
);

/** Open positions of all deployments together, by symbol. */
export const Exposure = ({ of: { exposure } }: { of: Overview }) => (
  <section class="stack">
    <h2>What you hold</h2>
    {exposure.length === 0 ? (
      <p class="muted">No deployment holds a position now.</p>
    ) : (
      <DataTable
        caption="Open positions of all deployments by symbol"
        rows={exposure}
        rowKey={({ mode, currency, symbol }) => `${mode} ${currency} ${symbol}`}
        columns={[
          { head: 'Symbol', isHead: true, cell: ({ symbol }) => symbol },
          { head: 'Money', cell: ({ mode }) => <Mode mode={mode} /> },
          { head: 'Quantity', isNumber: true, cell: (one) => <Quantity value={one.net_quantity} /> },
          {
            head: 'Value',
            isNumber: true,
            cell: (one) => <Money value={one.net_value} currency={one.currency} />,
          },
          {
            head: 'Long',
            isNumber: true,
            cell: (one) => <Money value={one.long_value} currency={one.currency} />,
          },
          {
            head: 'Short',
            isNumber: true,
            cell: (one) => <Money value={one.short_value} currency={one.currency} />,
          },
          {
            head: 'Price',
            cell: (one) => (
              <PriceAge at={one.as_of} isMarketTime={one.mode === 'virtual'} symbols={[one.symbol]} />
            ),
          },
        ]}
      />
    )}
  </section>
);

/** Deployments of which a large part of a risk limit is used. */
export const RiskUse = ({ of: { risk } }: { of: Overview }) => {
  const near = risk.filter(({ used_pct, tripped }) => used_pct >= 50 || tripped !== null);
  if (near.length === 0) return null;
  return (
    <section class="stack">
      <h2>Close to a risk limit</h2>
      <DataTable
        caption="Deployments close to a risk limit"
        rows={near}
        rowKey={({ deployment_id }) => deployment_id}
        columns={[
          {
            head: 'Deployment',
            isHead: true,
            cell: (one) => <a href={`#/deployments/${one.deployment_id}`}>{one.strategy_name}</a>,
          },
          { head: 'Limit', cell: ({ limit }) => limitLabel(limit) },
          { head: 'Used', isNumber: true, cell: ({ used_pct }) => <Percent value={used_pct} /> },
          {
            head: 'State',
            cell: ({ tripped, used_pct }) =>
              tripped === null ? useWords(used_pct) : `Reached: ${limitLabel(tripped)}`,
          },
        ]}
      />
    </section>
  );
};
