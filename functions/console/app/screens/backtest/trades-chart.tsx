import { useMemo, useState } from 'preact/hooks';
import type { BacktestTrade, GetBacktestOutput } from '../../../../../infra/client/package/src/index.ts';
import type { Span } from '../../charts/draw/drawing.ts';
import { loadRuleBars } from '../../charts/load-rule-bars.ts';
import { windowOf } from '../../charts/models/trade-window.ts';
import { RulesChart } from '../../charts/rules-chart.tsx';
import { format } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { TradeList } from './trade-list.tsx';

interface TradesChartProps {
  readonly backtest: GetBacktestOutput;
  readonly trades: readonly BacktestTrade[];
}

/** Most bars of the chart: more are shown in parts. */
const MOST_BARS = 6000;

/** Returns the trades of a symbol with those that are open at the end. */
const drawnTrades = (
  { open_trades }: GetBacktestOutput,
  trades: readonly BacktestTrade[],
  symbol: string,
) => [
  ...trades.filter((trade) => trade.symbol === symbol),
  ...open_trades.filter((trade) => trade.symbol === symbol),
];

/** All trades on the bars, with the indicators of the rules and a list to jump to a trade. */
export const TradesChart = ({ backtest, trades }: TradesChartProps) => {
  const { rules, params, timeframe, candles } = backtest;
  const [chosen, setChosen] = useState(0);
  const [focus, setFocus] = useState<Span>();
  const trade = trades[chosen];
  const symbol = trade?.symbol ?? backtest.symbols[0] ?? '';
  const shown = windowOf(backtest, trade, MOST_BARS);
  const chart = useResource(
    (signal) =>
      loadRuleBars({ rules, params, symbol, timeframe, candles }, { ...shown, most: MOST_BARS }, signal),
    [backtest.backtest_id, symbol, shown],
  );
  const drawn = useMemo(() => drawnTrades(backtest, trades, symbol), [backtest, trades, symbol]);
  const choose = (index: number): void => {
    const next = trades[index];
    if (!next) return;
    setChosen(index);
    setFocus({ from: Date.parse(next.entry_at), to: Date.parse(next.exit_at) });
  };
  return (
    <div class="trades-view">
      <Loaded of={chart}>
        {(value) => (
          <div class="stack">
            {!value.warmed_up && (
              <Notice kind="warn">
                The first indicators of this chart have fewer bars behind them than in the backtest, so they
                may differ a little.
              </Notice>
            )}
            <RulesChart label={`Trades on ${symbol}`} chart={value} trades={drawn} focus={focus} />
          </div>
        )}
      </Loaded>
      <div class="stack trades-side">
        <div class="row">
          <Button disabled={chosen === 0} onClick={() => choose(chosen - 1)}>
            Previous trade
          </Button>
          <Button disabled={chosen >= trades.length - 1} onClick={() => choose(chosen + 1)}>
            Next trade
          </Button>
        </div>
        <p class="muted" role="status">
          Trade {format.count(trade?.number)} of {format.count(backtest.trades_count)}
        </p>
        <TradeList trades={trades} timeframe={timeframe} chosen={chosen} onChoose={choose} />
      </div>
    </div>
  );
};
