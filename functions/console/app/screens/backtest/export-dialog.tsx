import type { GetBacktestOutput } from '../../../../../infra/client/package/src/index.ts';
import { equityCsv, fileNameOf, tradesCsv } from '../../backtests/export.ts';
import { loadTrades } from '../../backtests/load-trades.ts';
import { reportHtml } from '../../backtests/report/write.tsx';
import { format } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { useAction } from '../../ui/use-action.ts';

export interface ExportProps {
  readonly backtest: GetBacktestOutput;
  readonly strategyName: string | undefined;
}

/** Most trades of a file. */
const MOST_TRADES = 10_000;
const CSV = 'text/csv;charset=utf-8';
/** Mark of UTF-8, without which spreadsheets take a file for one of an old code page. */
const MARK = '\ufeff';

/** Files of a backtest. */
export const ExportChoices = ({ backtest, strategyName }: ExportProps) => {
  const report = useAction(async () => {
    const { rows } = await loadTrades(backtest.backtest_id);
    saveFile(
      `${fileNameOf(backtest, 'report')}.html`,
      reportHtml({ backtest, trades: rows, strategyName }),
      'text/html;charset=utf-8',
    );
  });
  const trades = useAction(async () => {
    const { rows } = await loadTrades(backtest.backtest_id, { most: MOST_TRADES });
    saveFile(`${fileNameOf(backtest, 'trades')}.csv`, MARK + tradesCsv(rows), CSV);
  });
  const equity = (): void =>
    saveFile(`${fileNameOf(backtest, 'equity')}.csv`, MARK + equityCsv(backtest), CSV);
  return (
    <div class="stack">
      <p>The report is one file without scripts. It prints on two pages.</p>
      <div class="actions">
        <Button kind="primary" busy={report.isBusy} onClick={() => void report.run()}>
          Report (HTML)
        </Button>
        <Button busy={trades.isBusy} disabled={backtest.trades_count === 0} onClick={() => void trades.run()}>
          {backtest.trades_count > MOST_TRADES && 'The first '}
          {format.count(Math.min(MOST_TRADES, backtest.trades_count))} trades (CSV)
        </Button>
        <Button onClick={equity}>Equity (CSV)</Button>
      </div>
      <Problem of={report.error ?? trades.error} />
    </div>
  );
};
