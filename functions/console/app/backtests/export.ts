import type { BacktestTrade, GetBacktestOutput } from '../../../../infra/client/package/src/index.ts';
import { csvText } from '../ui/csv-text.ts';

const TRADE_COLUMNS = [
  'number',
  'symbol',
  'side',
  'quantity',
  'entry_at',
  'entry_price',
  'exit_at',
  'exit_price',
  'exit_reason',
  'stop_loss',
  'take_profit',
  'bars',
  'fees',
  'pnl',
  'return_pct',
  'mae_pct',
  'mfe_pct',
] as const satisfies readonly (keyof BacktestTrade)[];

/** Writes trades as CSV. */
export const tradesCsv = (trades: readonly BacktestTrade[]): string =>
  csvText(
    TRADE_COLUMNS,
    trades.map((trade) => TRADE_COLUMNS.map((name) => trade[name] ?? null)),
  );

/** Writes the equity of a backtest as CSV, with that of buying and holding at the same times. */
export const equityCsv = ({ equity, benchmark }: Pick<GetBacktestOutput, 'equity' | 'benchmark'>): string => {
  const held = new Map(benchmark?.equity.map(({ at, equity: value }) => [at, value]));
  return csvText(
    ['at', 'equity', 'drawdown_pct', 'buy_and_hold'],
    equity.map((point) => [point.at, point.equity, point.drawdown_pct, held.get(point.at) ?? null]),
  );
};

/** Returns the name of a file of a backtest: letters and digits only. */
export const fileNameOf = (
  {
    backtest_id,
    backtest_name,
    symbols,
  }: Pick<GetBacktestOutput, 'backtest_id' | 'backtest_name' | 'symbols'>,
  part: string,
): string => {
  const name = (backtest_name ?? symbols.join('-'))
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${name || 'backtest'}-${backtest_id}-${part}`;
};
