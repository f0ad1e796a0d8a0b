import type { GetBacktestOutput } from '../../../../../infra/client/package/src/index.ts';
import { format } from '../../format.ts';
import { Figure, When } from '../../ui/figures.tsx';

const FILLS = {
  next_open: 'At the open of the next bar',
  signal_close: 'At the close of the signal bar',
} as const;
const STOPS = { fill: 'The price of the fill', signal_close: 'The close of the signal bar' } as const;
const WITHIN_BARS = {
  worst: 'Smaller bars decide, else the worse',
  next_bar: 'As backtesting.py: stops from the next bar on',
} as const;
const ENDS = { mark: 'Stay open', last_open: 'Closed at the open of the last bar' } as const;

/** Terms of a backtest: rules, parameters, span of time and account. */
export const Setup = ({ backtest }: { readonly backtest: GetBacktestOutput }) => {
  const { account, currency, params } = backtest;
  return (
    <details class="card">
      <summary>Rules, parameters and account</summary>
      <p>{backtest.sentence}</p>
      <dl class="figures">
        {Object.entries(params).map(([name, value]) => (
          <Figure key={name} label={`Parameter ${name}`} value={format.number(value)} />
        ))}
        <Figure label="Bars" value={format.count(backtest.bars)} />
        <Figure label="First bar" value={format.bar(backtest.first_bar, backtest.timeframe).text} />
        <Figure
          label="First bar with signals"
          value={format.bar(backtest.first_evaluated_bar, backtest.timeframe).text}
        />
        <Figure label="Last bar" value={format.bar(backtest.last_bar, backtest.timeframe).text} />
        <Figure label="Starting capital" value={format.money(account.starting_capital, currency)} />
        <Figure label="Commission, part of the value" value={format.rate(account.commission_rate)} />
        <Figure label="Commission, fixed" value={format.money(account.commission_fixed, currency)} />
        <Figure
          label="Commission per unit"
          value={`${format.number(account.commission_per_unit)} ${currency}`}
        />
        <Figure label="Smallest commission" value={format.money(account.commission_min, currency)} />
        <Figure label="Spread" value={format.rate(account.spread_rate)} />
        <Figure label="Slippage" value={format.rate(account.slippage_rate)} />
        <Figure label="Margin" value={format.rate(account.margin)} />
        <Figure label="Maintenance margin" value={format.rate(account.maintenance)} />
        <Figure label="Smallest step of a size" value={format.number(account.size_step)} />
        <Figure
          label="Overnight charges"
          value={account.financing === 'none' ? 'None' : 'Those of the instrument'}
        />
        <Figure label="Orders fill" value={FILLS[account.fill_at]} />
        <Figure label="Stops are measured from" value={STOPS[account.stop_basis]} />
        <Figure label="Open order of prices" value={WITHIN_BARS[account.entry_bar]} />
        <Figure label="Trades open at the end" value={ENDS[account.close_at_end]} />
        <Figure label="Run" value={<When at={backtest.created_at} />} />
      </dl>
      <p class="muted">
        The same rules, candles and account give the same result. Engine {backtest.engine_version ?? '–'},
        rules <code>{backtest.rules_hash.slice(0, 12)}</code>, candles{' '}
        <code>{backtest.candles_hash?.slice(0, 12) ?? '–'}</code>.
      </p>
    </details>
  );
};
